/** What a worker thread is told of an export: JSON through and through, with all that its caller may see. */
import { type Access, type Reach, reachOf } from '../../../access/caller'
import type { Key, ScopeKind } from '../../../access/keys'
import type { Id } from '../../../kernel/id'
import { refuse } from '../../../kernel/problem'

export const formats = ['json', 'raw', 'csv', 'excel'] as const
export type Format = (typeof formats)[number]

/** What the caller holds of the keys that matter here, on the trial and on single sites and groups. */
export type PackedAccess = { trial: Key[]; places: { _id: Id; kind: ScopeKind; keys: Key[] }[] }

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
}

/** What came of it. */
export type Exported = { rows: number; bytes: number; stages: number }

const matters: readonly Key[] = [
  'readParticipantStudyData',
  'exportData',
  'readParticipantStudyDataRestricted',
  'readParticipantStudyDataPii',
  'readParticipantPersonalInformation',
]

export const packed = ({ trial, places }: Access): PackedAccess => ({
  trial: matters.filter((key) => trial.has(key)),
  places: [...places].map(([_id, { kind, keys }]) => ({ _id, kind, keys: matters.filter((key) => keys.has(key)) })),
})

export const unpacked = ({ trial, places }: PackedAccess): Access => ({
  trial: new Set(trial),
  places: new Map(places.map(({ _id, kind, keys }) => [_id, { kind, keys: new Set(keys) }])),
})

/** Refuses (403) what was made with permissions of which some were taken away since. */
export function requireStill(now: Access, then: PackedAccess): void {
  const isHeld =
    then.trial.every((key) => now.trial.has(key)) &&
    then.places.every(({ _id, keys }) => keys.every((key) => now.trial.has(key) || now.places.get(_id)?.keys.has(key)))
  if (!isHeld) throw refuse.forbidden('Your permissions have changed since this was started.')
}

/** Whose responses are among them: those within every one of these. Empty for everybody's. */
export const reachesOf = (access: Access, needs: readonly Key[]): Exclude<Reach, 'all'>[] =>
  needs.flatMap((key) => {
    const reach = reachOf(access, [key])
    return reach === 'all' ? [] : [reach]
  })
