/**
 * What a change of configuration makes due: everybody's progress in a trial. A small trial is brought up to date in the
 * transaction of the change. A larger one is swept by the schedule, a page a commit, and whoever changed it has a job to
 * follow it by; how far it is, is stored with each page, so that a stop or a page undone loses and repeats nothing.
 */

import type { ActInTrial } from '#access/act'
import { type Access, sightOf } from '#access/caller'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { type Id, newId } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { catchUp } from './milestones'
import { refresh } from './progress'
import {
  endJobs,
  endSweep,
  insertTimelinesJob,
  pendingJob,
  placeOf,
  type Said,
  savePlace,
  tellJobs,
} from './recalculationStore'
import {
  type Due,
  isAnyChanged,
  leaveToSweep,
  markProgress,
  markStale,
  nextStale,
  participantsAfter,
  staleAt,
  type TrialRevision,
} from './store'

/** Participants a page, at most. */
export const PAGE = 50

/** Occurrences a page: what a page costs grows with them, and others wait for it. */
const OCCURRENCES = 100_000

/** Participants a page of this trial, by how long its timelines are. */
function pageOf(db: Db, trial: TrialRevision): number {
  const { stages } = configuration(db, trial).timeline
  const each = stages.reduce((sum, { occurrences }) => sum + occurrences.length, 0)
  return Math.max(1, Math.min(PAGE, Math.floor(OCCURRENCES / Math.max(1, each))))
}

/** Whether a page is enough for the trial. While it has nobody yet, its configuration need not be compiled to know. */
const isSmall = (db: Db, trial: TrialRevision): boolean =>
  trial.participantCount === 0 || (trial.participantCount <= PAGE && trial.participantCount <= pageOf(db, trial))

const counted = (number: number) => number.toLocaleString('en-GB')

/** How far it is, in words. Participants may have gone since they were done. */
const said = (done: number, all: number): Said => ({
  counted: `${counted(Math.min(done, all))} of ${counted(all)} participants brought up to date.`,
  uncounted: 'Participants are being brought up to date.',
})

function end(db: Db, trial: TrialRevision, participants: number, now: Instant): void {
  markProgress(db, trial._id, trial.revision)
  endSweep(db, trial._id)
  endJobs(db, trial._id, participants, now)
}

/** Sets what a new rule of an anchor would have set by now, and works out what follows. */
function bringUpToDate(db: Db, trial: TrialRevision, participants: readonly Due[], now: Instant): void {
  const { anchors } = configuration(db, trial)
  for (const participant of participants) {
    if (trial.isOpen) catchUp(db, anchors, participant, now)
    refresh(db, participant, trial, now)
  }
}

/** Goes on with one page of a trial from where its sweep has come to. A changed configuration begins it anew. */
function sweepPage(db: Db, trial: TrialRevision, page: number, now: Instant): void {
  const place = placeOf(db, trial)
  const participants = participantsAfter(db, trial._id, place.after, page)
  bringUpToDate(db, trial, participants, now)
  const done = place.done + participants.length
  if (participants.length < page) end(db, trial, done, now)
  else {
    savePlace(db, trial, { after: participants.at(-1)!._id, done })
    tellJobs(db, trial._id, said(done, trial.participantCount), now)
  }
}

/**
 * A function that goes on with one page of one of the trials whose configuration changed, each in its turn, so that none
 * waits for another's end; it answers whether there is more to do.
 */
export function configurationSweep(db: Db): (now: Instant) => boolean {
  let last: Id = ''
  return (now) => {
    const trial = nextStale(db, last) ?? nextStale(db, '')
    if (!trial) return false
    last = trial._id
    sweepPage(db, trial, pageOf(db, trial), now)
    return nextStale(db, '') !== undefined
  }
}

/**
 * Sees to a trial whose configuration an act has changed, in the act's transaction: brings it up to date where it is small,
 * else answers the job of the account that acted. An act that changed nothing of it costs one look-up.
 */
export function settleTrial(db: Db, { trial: before, user, access }: ActInTrial, now: Instant): Id | undefined {
  const trial = staleAt(db, before._id)
  if (!trial) return undefined
  if (isSmall(db, trial)) {
    const participants = participantsAfter(db, trial._id, '', PAGE)
    bringUpToDate(db, trial, participants, now)
    end(db, trial, participants.length, now)
    return undefined
  }
  if (user === undefined || trial.revision === before.revision) return undefined
  return jobOf(db, trial._id, user, access, now)
}

/** The job by which an account follows the sweep of a trial. */
function jobOf(db: Db, trial: Id, user: Id, access: Access | undefined, now: Instant): Id {
  const isCounted = access !== undefined && sightOf(access) === 'all'
  return (
    pendingJob(db, trial, user) ?? insertTimelinesJob(db, { _id: newId(now), createdAt: now, user, trial, isCounted })
  )
}

/**
 * Sees to participants of its trial whom an act made due beyond what its transaction could bear, as bulk changes of
 * memberships do: the whole trial is swept, and the account has its job. None are left after nearly every act.
 */
export function settleRest(db: Db, { trial, user, access }: ActInTrial, now: Instant): Id | undefined {
  if (user === undefined || !isAnyChanged(db, trial._id)) return undefined
  markStale(db, trial._id)
  endSweep(db, trial._id) // those it has passed may be among them
  leaveToSweep(db, trial._id)
  return jobOf(db, trial._id, user, access, now)
}

/** What somebody is told of a sweep that goes on: the job, where it is theirs, and how far it is. */
export type TimelineUpdate = { jobId: Id | null; progress: string }

/** How far a trial's timelines are behind its configuration, for this account; null where they are not. */
export function timelineUpdate(db: Db, id: Id, user: Id, access: Access): TimelineUpdate | null {
  const trial = staleAt(db, id)
  if (!trial?.participantCount) return null
  const { counted, uncounted } = said(placeOf(db, trial).done, trial.participantCount)
  return { jobId: pendingJob(db, id, user) ?? null, progress: sightOf(access) === 'all' ? counted : uncounted }
}
