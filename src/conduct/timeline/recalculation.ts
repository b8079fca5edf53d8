/**
 * A change of configuration requires that the progress of everybody in the trial is recalculated. In a small trial this
 * happens in the transaction of the change. In a larger one it happens in the background, one page a commit, and the account
 * that made the change has a job that shows the progress. The position is stored with each page, so that after a stop or a
 * rollback no page is lost or counted twice.
 */

import type { ActInTrial } from '#access/actInTrial'
import { type Access, visibleScopeOf } from '#access/caller'
import { isUnchanged } from '#db/commit'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import type { TimelineUpdate } from '#http/services'
import { type Id, newId } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { setMissedAnchorDates } from './milestones'
import { recalculateProgress } from './progress'
import {
  completeJobs,
  endRecalculation,
  insertTimelinesJob,
  type ProgressTexts,
  pendingJob,
  positionOf,
  saveJobProgress,
  savePosition,
} from './recalculationStore'
import {
  clearChangeMarks,
  type DueParticipant,
  hasChangedParticipants,
  markOutdated,
  nextOutdatedTrial,
  outdatedTrial,
  participantsAfter,
  saveProgressRevision,
  type TrialRevision,
} from './store'

/** The most participants in a page. */
export const PAGE = 50

/** The most occurrences in a page. The time of a page grows with them, and other requests wait for it. */
const OCCURRENCES = 100_000

/** The number of participants in a page of this trial, which depends on the length of its timelines. */
function pageOf(db: Db, trial: TrialRevision): number {
  const { stages } = configuration(db, trial).timeline
  const each = stages.reduce((sum, { occurrences }) => sum + occurrences.length, 0)
  return Math.max(1, Math.min(PAGE, Math.floor(OCCURRENCES / Math.max(1, each))))
}

/** Whether one page holds the whole trial. For an empty trial, the configuration is not compiled to find out. */
const isSmall = (db: Db, trial: TrialRevision): boolean =>
  trial.participantCount === 0 || (trial.participantCount <= PAGE && trial.participantCount <= pageOf(db, trial))

/** A number with commas between thousands. */
const numberText = (number: number) => number.toLocaleString('en-GB')

/** The progress in words. Participants may have been deleted since they were counted. */
const progressTexts = (done: number, all: number): ProgressTexts => ({
  counted: `${numberText(Math.min(done, all))} of ${numberText(all)} participants brought up to date.`,
  uncounted: 'Participants are being brought up to date.',
})

function completeRecalculation(db: Db, trial: TrialRevision, participants: number, now: Instant): void {
  saveProgressRevision(db, trial._id, trial.revision)
  endRecalculation(db, trial._id)
  completeJobs(db, trial._id, participants, now)
}

/** Sets the anchors that new rules would have set by now, and recalculates the progress of these participants. */
function recalculateParticipants(
  db: Db,
  trial: TrialRevision,
  participants: readonly DueParticipant[],
  now: Instant,
): void {
  if (!participants.length) return // avoids compiling the configuration, which takes time
  const { anchors } = configuration(db, trial)
  for (const participant of participants) {
    const isMarked = trial.isOpen === 1 && setMissedAnchorDates(db, anchors, participant, now)
    recalculateProgress(db, isMarked ? { ...participant, progressDueAt: 0 } : participant, trial, now)
  }
}

/** Recalculates the next page of a trial. After another change of the configuration it starts from the beginning. */
function recalculatePage(db: Db, trial: TrialRevision, page: number, now: Instant): void {
  const position = positionOf(db, trial)
  const participants = participantsAfter(db, trial._id, position.after, page)
  recalculateParticipants(db, trial, participants, now)
  const done = position.done + participants.length
  if (participants.length < page) completeRecalculation(db, trial, done, now)
  else {
    savePosition(db, trial, { after: participants.at(-1)!._id, done })
    saveJobProgress(db, trial._id, progressTexts(done, trial.participantCount), now)
  }
}

/**
 * Makes a function that recalculates one page of one trial whose configuration changed. The trials take turns, so that none
 * waits until another is done. The function returns whether more is left.
 */
export function backgroundRecalculation(db: Db): (now: Instant) => boolean {
  let last: Id = ''
  return (now) => {
    const trial = nextOutdatedTrial(db, last) ?? nextOutdatedTrial(db, '')
    if (!trial) return false
    last = trial._id
    recalculatePage(db, trial, pageOf(db, trial), now)
    return nextOutdatedTrial(db, '') !== undefined
  }
}

/**
 * Recalculates a trial after an act that changed its configuration, in the transaction of the act, if the trial is small.
 * Otherwise it returns the `_id` of the job of the acting account. An act that changed no configuration costs one query at most.
 */
export function recalculateTrial(db: Db, { trial: before, user, access }: ActInTrial, now: Instant): Id | undefined {
  // An act that changed no watched row changed no configuration: the row that was read before it says so.
  if (before.revision === before.progressRevision && isUnchanged(db)) return undefined
  const trial = outdatedTrial(db, before._id)
  if (!trial) return undefined
  if (isSmall(db, trial)) {
    const participants = participantsAfter(db, trial._id, '', PAGE)
    recalculateParticipants(db, trial, participants, now)
    completeRecalculation(db, trial, participants.length, now)
    return undefined
  }
  if (user === undefined || trial.revision === before.revision) return undefined
  return jobOf(db, trial._id, user, access, now)
}

/** The `_id` of the account's pending job for the trial; creates the job if there is none. */
function jobOf(db: Db, trial: Id, user: Id, access: Access | undefined, now: Instant): Id {
  const isCounted = access !== undefined && visibleScopeOf(access) === 'all'
  return (
    pendingJob(db, trial, user) ?? insertTimelinesJob(db, { _id: newId(now), createdAt: now, user, trial, isCounted })
  )
}

/**
 * Leaves participants to the background recalculation who are due after an act on more of them than one transaction can
 * recalculate, such as a bulk change of memberships. Returns the `_id` of the account's job; undefined if no participant is left.
 */
export function queueRecalculation(db: Db, { trial, user, access }: ActInTrial, now: Instant): Id | undefined {
  if (user === undefined || !hasChangedParticipants(db, trial._id)) return undefined
  markOutdated(db, trial._id)
  endRecalculation(db, trial._id) // it starts again: participants whom it has passed may be due now
  clearChangeMarks(db, trial._id)
  return jobOf(db, trial._id, user, access, now)
}

/** The progress of the recalculation of a trial, as this account may see it; null if the trial is up to date. */
export function timelineUpdate(db: Db, id: Id, user: Id, access: Access): TimelineUpdate | null {
  const trial = outdatedTrial(db, id)
  if (!trial?.participantCount) return null
  const { counted, uncounted } = progressTexts(positionOf(db, trial).done, trial.participantCount)
  return { jobId: pendingJob(db, id, user) ?? null, progress: visibleScopeOf(access) === 'all' ? counted : uncounted }
}
