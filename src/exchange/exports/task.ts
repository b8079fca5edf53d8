/** What a worker thread is told of an export: JSON through and through, with all that its caller may see. */
import { type Access, type Reach, reachOf } from '#access/caller'
import { type Key, keys } from '#access/keys'
import { PackedAccess } from '#access/packed'
import { id, list, maybe, type Of, oneOf, orNull, shape, text, whole } from '#wire/words'

export const formats = ['json', 'raw', 'csv', 'excel'] as const
export type Format = (typeof formats)[number]

export const ExportTask = shape({
  /** `reading` is what a GET of one stage's responses answers. */
  format: oneOf(...formats, 'reading'),
  trial: id(),
  /** One stage; null for all. */
  stage: orNull(id()),
  /** Keys that must be held over a participant for their responses to be among them. */
  needs: list(oneOf<Key>(...keys)),
  access: PackedAccess,
  /** The name to write under, in the folder of exports. */
  file: text(1, 200),
  /** For a reading, whose links work for an hour from then on (microseconds). In what is kept they would rot. */
  links: maybe(shape({ publicUrl: text(0, 2_000), from: whole() })),
})
export type ExportTask = Of<typeof ExportTask>

/** What came of it. */
export type Exported = { rows: number; bytes: number; stages: number }

/** Whose responses are among them: those within every one of these. Empty for everybody's. */
export const reachesOf = (access: Access, needs: readonly Key[]): Exclude<Reach, 'all'>[] =>
  needs.flatMap((key) => {
    const reach = reachOf(access, [key])
    return reach === 'all' ? [] : [reach]
  })
