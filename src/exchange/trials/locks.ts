/** Locks and unlocks a trial: the checks, and what is recorded (docs/review.md, "Locks"). */
import { type Access, holds, type Staff } from '#access/caller'
import { requireFreshConfirmation } from '#access/fresh'
import { takeVersion } from '#design/configurationVersions/take'
import type { TrialChange } from '#design/trials/model'
import type { LockChange } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import { startDataset } from '#exchange/studyRecord/start'
import type { Note } from '#http/operation'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'

type Turning = { now: Instant; caller: Staff; access: Access; body: TrialChange }

/**
 * Checks a change of locks: 403 without a recently confirmed identity or without trial.admin, 422 without a justification
 * for each lock.
 */
export function requireLockRights({ now, caller, access, body }: Turning, turns: readonly LockChange[]): void {
  if (!turns.length) return
  requireFreshConfirmation(caller, now)
  if (!holds(access, 'admin')) throw refuse.lacking(['trial.admin'])
  const missing = turns.filter(({ reason }) => body[reason] == null)
  if (!missing.length) return
  throw refuse.invalid(Object.fromEntries(missing.map(({ reason }) => [reason, ['Missing data for required field.']])))
}

type Recording = Parameters<typeof startDataset>[0] & { body: TrialChange; record(note: Note): void }

/** Records each lock that was set or removed. @param trial after the change */
export function recordLockChanges(recording: Recording, trial: Trial, turns: readonly LockChange[]): void {
  for (const { type, reason, on } of turns) {
    const justification = recording.body[reason]!
    recording.record({ type, event: { justification, ...(on && locked(recording, trial, on, justification)) } })
  }
}

/** Saves a configuration version for a lock; for a lock of the database, also starts its study record. */
function locked(recording: Recording, trial: Trial, on: NonNullable<LockChange['on']>, note: string) {
  const { version } = takeVersion(recording, trial, on, note)
  if (on === 'databaseLock') startDataset(recording, trial, version.number)
  return { configurationVersion: version.number, hash: version.hash }
}
