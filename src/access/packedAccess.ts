import { id, list, oneOf, shape, type ValueOf } from '#wire/schema'
import type { Access } from './caller'
import { type Key, keys, type ScopeKind } from './keys'

/** The caller's keys that decide what an export may contain, on the trial and on single sites and groups, as JSON. */
export const PackedAccess = shape({
  trial: list(oneOf<Key>(...keys)),
  places: list(
    shape({ _id: id(), kind: oneOf<ScopeKind>('trial', 'site', 'group'), keys: list(oneOf<Key>(...keys)) }),
    1_000_000,
  ),
})
export type PackedAccess = ValueOf<typeof PackedAccess>

/** The keys that an export checks. */
const exportKeys: readonly Key[] = [
  'read',
  'readParticipants',
  'readParticipantStudyData',
  'exportData',
  'readParticipantStudyDataRestricted',
  'readParticipantStudyDataPii',
  'readParticipantPersonalInformation',
  'readRandomisation',
]

export const packAccess = ({ trial, places }: Access): PackedAccess => ({
  trial: exportKeys.filter((key) => trial.has(key)),
  places: [...places].map(([_id, { kind, keys }]) => ({ _id, kind, keys: exportKeys.filter((key) => keys.has(key)) })),
})

/** All keys of the caller, for work in which each of them may decide what they see. */
export const packAllKeys = ({ trial, places }: Access): PackedAccess => ({
  trial: [...trial],
  places: [...places].map(([_id, { kind, keys }]) => ({ _id, kind, keys: [...keys] })),
})

export const unpackAccess = ({ trial, places }: PackedAccess): Access => ({
  trial: new Set(trial),
  places: new Map(places.map(({ _id, kind, keys }) => [_id, { kind, keys: new Set(keys) }])),
})
