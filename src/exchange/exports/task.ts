/** What a worker thread is told of an export: JSON through and through, with all that its caller may see. */
import { type Access, type Reach, reachOf } from '#access/caller'
import type { Key } from '#access/keys'
import type { PackedAccess } from '#access/packed'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export const formats = ['json', 'raw', 'csv', 'excel'] as const
export type Format = (typeof formats)[number]

export type ExportTask = {
  /** `reading` is what a GET of one stage's responses answers. */
  format: Format | 'reading'
  trial: Id
  /** One stage; null for all. */
  stage: Id | null
  /** Keys that must be held over a participant for their responses to be among them. */
  needs: Key[]
  access: PackedAccess
  /** The name to write under, in the folder of exports. */
  file: string
  /** For a reading, whose links work for an hour from then on. In what is kept they would rot. */
  links?: { publicUrl: string; from: Instant }
}

/** What came of it. */
export type Exported = { rows: number; bytes: number; stages: number }

/** Whose responses are among them: those within every one of these. Empty for everybody's. */
export const reachesOf = (access: Access, needs: readonly Key[]): Exclude<Reach, 'all'>[] =>
  needs.flatMap((key) => {
    const reach = reachOf(access, [key])
    return reach === 'all' ? [] : [reach]
  })
