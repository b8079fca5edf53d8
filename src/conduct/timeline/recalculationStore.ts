/** How far the work on a changed configuration has come, and the jobs by which those who changed it follow it. */
import type { Db } from '#db/open'
import { deleteWhere, put, rowWhere } from '#db/rows'
import { timelineSweeps } from '#db/tables/index'
import { insertJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { timelines } from './job'

/** Where a sweep goes on: after this participant, so many being done. */
export type Place = { after: Id; done: number }

/** Where the sweep for this revision has come to; at its beginning where there is none, or one for an older revision. */
export const placeOf = (db: Db, trial: { _id: Id; revision: number }): Place =>
  rowWhere(db, timelineSweeps, { trial: trial._id, revision: trial.revision }) ?? { after: '', done: 0 }

export const savePlace = (db: Db, trial: { _id: Id; revision: number }, { after, done }: Place) =>
  put(db, timelineSweeps, { trial: trial._id, revision: trial.revision, after, done }, 'trial')

export const endSweep = (db: Db, trial: Id) => deleteWhere(db, timelineSweeps, { trial })

const PENDING = `status = 'pending' AND kind = '${timelines.kind}'`

/** The account's job that waits for the trial's timelines. */
export const pendingJob = (db: Db, trial: Id, user: Id): Id | undefined =>
  db.$client
    .query<{ _id: Id }, [{ trial: Id; user: Id }]>(
      `SELECT _id FROM jobs WHERE ${PENDING} AND trial = $trial AND user = $user`,
    )
    .get({ trial, user })?._id

/** @param job.isCounted whether the account may know how many participants the trial has */
export const insertTimelinesJob = (
  db: Db,
  { isCounted, ...job }: { _id: Id; createdAt: Instant; user: Id; trial: Id; isCounted: boolean },
): Id => insertJob(db, timelines, { ...job, input: { isCounted } }).jobId

/** Words for those who may know the counts, and for those who may not. */
export type Said = { counted: string; uncounted: string }

/** Tells all jobs that wait for the trial's timelines how far it is. */
export const tellJobs = (db: Db, trial: Id, { counted, uncounted }: Said, now: Instant) =>
  db.$client
    .query<unknown, [Said & { now: Instant; trial: Id }]>(
      `UPDATE jobs SET progress = iif(input ->> 'isCounted', $counted, $uncounted), startedAt = coalesce(startedAt, $now)
       WHERE ${PENDING} AND trial = $trial`,
    )
    .run({ counted, uncounted, now, trial })

/** Ends all jobs that wait for the trial's timelines. */
export const endJobs = (db: Db, trial: Id, participants: number, now: Instant) =>
  db.$client
    .query<unknown, [{ now: Instant; participants: number; trial: Id }]>(
      `UPDATE jobs SET status = 'done', progress = 'Done.', startedAt = coalesce(startedAt, $now), finishedAt = $now,
         result = iif(input ->> 'isCounted', json_object('participants', $participants), '{}')
       WHERE ${PENDING} AND trial = $trial`,
    )
    .run({ now, participants, trial })
