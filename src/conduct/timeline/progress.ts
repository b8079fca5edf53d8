/**
 * Progress is stored on the participant (docs/decisions.md, "Progress"). Triggers mark it due when something it follows
 * from changes; what is due is brought up to date in the same transaction. For what a change of configuration makes
 * due, see `sweep.ts`.
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
  type Due,
  nextDue,
  overridesOf,
  type Person,
  revisionOf,
  saveProgress,
  type TrialRevision,
} from './store'

/**
 * The zone that counts for a participant: their own, else the trial's, else UTC (docs/timelines.md, "Zones and days").
 */
export const zoneOf = (participant: { timezone: string | null }, trial: { timezone: string | null }): string =>
  participant.timezone ?? trial.timezone ?? 'UTC'

/** Everything a participant's timeline follows from, now. */
export const timelineInput = (
  db: Db,
  participant: Person,
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

/** Works somebody's progress out again, and stores it with when it is to be looked at next. */
export function refresh(db: Db, participant: Due, trial: TrialRevision, now: Instant): void {
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

/** When the next reminder or notice falls due; now where some are due already; null where none is to come. */
export function remindersDueAt(
  db: Db,
  participant: Due,
  trial: TrialRevision,
  timeline: CompiledTimeline,
  input: TimelineInput,
) {
  if (!participant.isReminded || !trial.isOpen) return null
  const [notices, isSent] = [trial.isNoticing === 1, isSentTo(db, participant._id)]
  const { due, nextAt } = nextReminder(timeline, input, { notices, isSent })
  return due.length ? input.now : nextAt
}

/** Brings up to date what is due now, at most so many. Answers how many were. */
export function refreshDue(db: Db, now: Instant, limit: number): number {
  let trial: TrialRevision | undefined
  for (let count = 0; count < limit; count++) {
    const participant = nextDue(db, now)
    if (!participant) return count
    if (trial?._id !== participant.trial) trial = revisionOf(db, participant.trial)!
    refresh(db, participant, trial, now)
  }
  return limit
}
