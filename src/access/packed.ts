/** What a caller holds as JSON, for what goes on without them: a worker thread, a job. */
import type { Id } from '#kernel/id'
import type { Access } from './caller'
import type { Key, ScopeKind } from './keys'

/** What the caller holds of the keys that matter to what is written, on the trial and on single sites and groups. */
export type PackedAccess = { trial: Key[]; places: { _id: Id; kind: ScopeKind; keys: Key[] }[] }

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
