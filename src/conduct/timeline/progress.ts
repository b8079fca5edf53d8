/**
 * Progress is stored on the participant (docs/decisions.md, "Progress"). Triggers mark it as due when the data that it is
 * computed from change; due progress is recalculated in the same transaction. See `recalculation.ts` for changes of the
 * configuration.
 */

import { groupsOfParticipant, sitesOfParticipant } from '#conduct/participants/membershipStore'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { nextReminder } from '#design/schedule/reminders'
import { type CompiledTimeline, progressOf, type TimelineInput } from '#design/schedule/rules'
import type { Instant } from '#kernel/time'
import { isSentTo } from './reminderStore'
import {
  anchorsOfParticipant,
  completionsOf,
  type DueParticipant,
  nextDueParticipant,
  overridesOf,
  revisionOf,
  saveProgress,
  type TimelineParticipant,
  type TrialRevision,
} from './store'

/**
 * The zone that counts for a participant: their own, else the trial's, else UTC (docs/timelines.md, "Zones and days").
 */
export const zoneOf = (participant: { timezone: string | null }, trial: { timezone: string | null }): string =>
  participant.timezone ?? trial.timezone ?? 'UTC'

/** All values from which a participant's timeline is computed, at the time `now`. */
export const timelineInput = (
  db: Db,
  participant: TimelineParticipant,
  trial: { timezone: string | null },
  now: Instant,
): TimelineInput => ({
  now,
  zone: zoneOf(participant, trial),
  registeredAt: participant.createdAt,
  sites: sitesOfParticipant(db, participant._id),
  groups: groupsOfParticipant(db, participant._id),
  anchors: anchorsOfParticipant(db, participant._id),
  completions: completionsOf(db, participant._id),
  overrides: overridesOf(db, participant._id),
})

/** Recalculates the progress of a participant and stores it, with the time when it changes next. */
export function recalculateProgress(db: Db, participant: DueParticipant, trial: TrialRevision, now: Instant): void {
  const { timeline } = configuration(db, trial)
  const input = timelineInput(db, participant, trial, now)
  const progress = progressOf(timeline, input)
  saveProgress(db, participant._id, {
    ratio: progress.ratioComplete,
    behind: progress.stagesBehindSchedule,
    progressDueAt: progress.nextChangeAt,
    remindersDueAt: remindersDueAt(db, participant, trial, timeline, input),
  })
}

/** When the next reminder or notice is due: `input.now` if one is due already, null if none will be. */
export function remindersDueAt(
  db: Db,
  participant: DueParticipant,
  trial: TrialRevision,
  timeline: CompiledTimeline,
  input: TimelineInput,
) {
  if (!participant.isReminded || !trial.isOpen) return null
  const [notices, isSent] = [trial.sendsNotices === 1, isSentTo(db, participant._id)]
  const { due, nextAt } = nextReminder(timeline, input, { notices, isSent })
  return due.length ? input.now : nextAt
}

/** Recalculates the due progress of at most `limit` participants. Returns how many were recalculated. */
export function recalculateDue(db: Db, now: Instant, limit: number): number {
  let trial: TrialRevision | undefined
  for (let count = 0; count < limit; count++) {
    const participant = nextDueParticipant(db, now)
    if (!participant) return count
    if (trial?._id !== participant.trial) trial = revisionOf(db, participant.trial)!
    recalculateProgress(db, participant, trial, now)
  }
  return limit
}
