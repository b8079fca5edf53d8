/** Locks and unlocks a trial: the checks, and what is recorded (docs/review.md, "Locks"). */
import { type Access, holds, type Staff } from '#access/caller'
import { requireFreshConfirmation } from '#access/freshConfirmation'
import { takeVersion } from '#design/configurationVersions/takeVersion'
import type { SecondPersonEvent } from '#design/secondRequests/rules'
import { startDataset } from '#design/studyRecord/start'
import type { TrialChange } from '#design/trials/model'
import type { LockChange } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import type { Note } from '#http/operation'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import type { Instant } from '#kernel/time'

type LockContext = { now: Instant; caller: Staff; access: Access; body: TrialChange }

/**
 * Checks a change of locks: 403 without a recently confirmed identity or without the permission (trial.admin; for the database,
 * trial.lockDatabase too), 422 without a justification for each lock.
 */
export function requireLockRights({ now, caller, access, body }: LockContext, changes: readonly LockChange[]): void {
  if (!changes.length) return
  requireFreshConfirmation(caller, now)
  for (const { flag } of changes) {
    const key = flag === 'isDatabaseLocked' ? 'lockDatabase' : 'admin'
    if (!holds(access, key)) throw refuse.missingPermission([`trial.${key}`])
  }
  const missing = changes.filter(({ reason }) => body[reason] == null)
  if (!missing.length) return
  throw refuse.invalid(Object.fromEntries(missing.map((change) => [change.reason, [reason('missing')]])))
}

export type RecordContext = Parameters<typeof startDataset>[0] & { body: TrialChange; record(note: Note): void }

/**
 * Records each lock that was set or removed. @param trial after the change
 * @param second who asked for it, if it needed a second person
 */
export function recordLockChanges(
  context: RecordContext,
  trial: Trial,
  changes: readonly LockChange[],
  second?: SecondPersonEvent,
): void {
  for (const { type, reason, on } of changes) {
    const justification = context.body[reason]!
    context.record({
      type,
      event: { justification, ...second, ...(on && lockEvent(context, trial, on, justification)) },
    })
  }
}

/** Saves a configuration version for a lock; for a lock of the database, also starts its study record. */
function lockEvent(context: RecordContext, trial: Trial, on: NonNullable<LockChange['on']>, note: string) {
  const { version } = takeVersion(context, trial, on, note)
  if (on === 'databaseLock') startDataset(context, trial, version.number)
  return { configurationVersion: version.number, hash: version.hash }
}
