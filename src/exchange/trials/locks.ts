/** Turning the locks of a trial: what it takes, and what it leaves (docs/review.md, "Locks"). */
import { type Access, holds, type Staff } from '#access/caller'
import { confirmed } from '#access/fresh'
import { takeVersion } from '#design/configurationVersions/take'
import type { TrialChange } from '#design/trials/model'
import type { Turn } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import { startDataset } from '#exchange/studyRecord/start'
import type { Note } from '#http/operation'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'

type Turning = { now: Instant; caller: Staff; access: Access; body: TrialChange }

/**
 * Refuses to turn locks without an identity confirmed just now or without trial.admin (403), or without a justification
 * for each (422).
 */
export function requireTurning({ now, caller, access, body }: Turning, turns: readonly Turn[]): void {
  if (!turns.length) return
  confirmed(caller, now)
  if (!holds(access, 'admin')) throw refuse.lacking(['trial.admin'])
  const missing = turns.filter(({ reason }) => body[reason] == null)
  if (!missing.length) return
  throw refuse.invalid(Object.fromEntries(missing.map(({ reason }) => [reason, ['Missing data for required field.']])))
}

type Recording = Parameters<typeof startDataset>[0] & { body: TrialChange; record(note: Note): void }

/** Records each lock that was turned. @param trial as it is now */
export function recordTurns(recording: Recording, trial: Trial, turns: readonly Turn[]): void {
  for (const { type, reason, on } of turns) {
    const justification = recording.body[reason]!
    recording.record({ type, event: { justification, ...(on && locked(recording, trial, on, justification)) } })
  }
}

/** What a lock leaves behind: a configuration version, and of a database its study record. */
function locked(recording: Recording, trial: Trial, on: NonNullable<Turn['on']>, note: string) {
  const { version } = takeVersion(recording, trial, on, note)
  if (on === 'databaseLock') startDataset(recording, trial, version.number)
  return { configurationVersion: version.number, hash: version.hash }
}
