/** What a caller holds as JSON, for what goes on without them: a worker thread, a job. */
import { refuse } from '#kernel/problem'
import { id, list, type Of, oneOf, shape } from '#wire/words'
import type { Access } from './caller'
import { type Key, keys, type ScopeKind } from './keys'

/** What the caller holds of the keys that matter to what is written, on the trial and on single sites and groups. */
export const PackedAccess = shape({
  trial: list(oneOf<Key>(...keys)),
  places: list(
    shape({ _id: id(), kind: oneOf<ScopeKind>('trial', 'site', 'group'), keys: list(oneOf<Key>(...keys)) }),
    1_000_000,
  ),
})
export type PackedAccess = Of<typeof PackedAccess>

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
