/**
 * Progress is stored on the participant (docs/decisions.md, "Progress"). Triggers mark it as due when the data that it is
 * computed from change; due progress is recalculated in the same transaction. See `recalculation.ts` for changes of the
 * configuration.
 */

import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { nextReminder } from '#design/schedule/reminders'
import { type CompiledTimeline, progressOf, type TimelineInput } from '#design/schedule/rules'
import { digestOf, type OccurrenceRun, runsOf } from '#design/schedule/runs'
import type { Instant } from '#kernel/time'
import { recordDerivedTime } from './derivedValues'
import { saveOverdue } from './overdueStore'
import { isSentTo } from './reminderStore'
import { saveRuns } from './runStore'
import {
  type DueParticipant,
  dueParticipants,
  MOST_DUE,
  saveProgress,
  type TimelineData,
  type TimelineParticipant,
  type TrialRevision,
  timelineDataOf,
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
): TimelineInput => inputOf(participant, trial, now, timelineDataOf(db, participant._id, true))

const inputOf = (
  participant: TimelineParticipant,
  trial: { timezone: string | null },
  now: Instant,
  data: TimelineData,
): TimelineInput => ({ now, zone: zoneOf(participant, trial), registeredAt: participant.createdAt, ...data })

/**
 * Recalculates the progress of a participant and stores it, with the time when it changes next.
 * @param known the stored data of the timeline without the times of completions, if it was read already
 */
export function recalculateProgress(
  db: Db,
  participant: DueParticipant,
  trial: TrialRevision,
  now: Instant,
  known?: TimelineData,
): void {
  recordDerivedTime(db, now)
  const { timeline } = configuration(db, trial)
  // Progress needs the time of a completion only where another stage opens after it.
  const hasTimes = timeline.awaitsCompletions
  const data = known && !hasTimes ? known : timelineDataOf(db, participant._id, hasTimes)
  const input = inputOf(participant, trial, now, data)
  const progress = progressOf(timeline, input)
  saveProgress(db, participant, {
    ratio: progress.ratioComplete,
    behind: progress.stagesBehindSchedule,
    progressDueAt: progress.nextChangeAt,
    remindersDueAt: remindersDueAt(db, participant, trial, timeline, input),
  })
  saveOverdue(db, participant, progress.overdue)
  const runs = currentRuns(participant, timeline, input)
  const digest = digestOf(runs)
  if (digest !== participant.scheduleDigest) saveRuns(db, participant._id, runs, digest)
}

/** The runs of a participant. Those who were archived or withdrawn have none. */
export const currentRuns = (
  { isReminded }: Pick<DueParticipant, 'isReminded'>,
  timeline: CompiledTimeline,
  input: TimelineInput,
): OccurrenceRun[] => (isReminded ? runsOf(timeline, input) : [])

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

/** Recalculates the due progress of at most `MOST_DUE` participants. Returns whether others may be due too. */
export function recalculateDue(db: Db, now: Instant): boolean {
  const due = dueParticipants(db, now)
  for (const { participant, trial, data } of due) recalculateProgress(db, participant, trial, now, data)
  return due.length === MOST_DUE
}
