/** The position of a background recalculation, and the jobs that show its progress. */
import type { Db } from '#db/open'
import { deleteWhere, rowWhere, upsert } from '#db/rows'
import { timelineSweeps } from '#db/tables/index'
import { insertJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { timelinesJob } from './job'

/** The position of a recalculation: the last participant that is done, and how many are done. */
export type Position = { after: Id; done: number }

/** The stored position for this revision of the configuration; the beginning if there is none. */
export const positionOf = (db: Db, trial: { _id: Id; revision: number }): Position =>
  rowWhere(db, timelineSweeps, { trial: trial._id, revision: trial.revision }) ?? { after: '', done: 0 }

export const savePosition = (db: Db, trial: { _id: Id; revision: number }, { after, done }: Position) =>
  upsert(db, timelineSweeps, { trial: trial._id, revision: trial.revision, after, done }, 'trial')

export const endRecalculation = (db: Db, trial: Id) => deleteWhere(db, timelineSweeps, { trial })

const PENDING = `status = 'pending' AND kind = '${timelinesJob.kind}'`

/** The `_id` of the account's pending job for the trial's timelines. */
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
): Id => insertJob(db, timelinesJob, { ...job, input: { isCounted } }).jobId

/** The progress in words: with the counts, and without them for accounts that may not know them. */
export type ProgressTexts = { counted: string; uncounted: string }

/** Writes the progress to all pending jobs for the trial's timelines. */
export const saveJobProgress = (db: Db, trial: Id, { counted, uncounted }: ProgressTexts, now: Instant) =>
  db.$client
    .query<unknown, [ProgressTexts & { now: Instant; trial: Id }]>(
      `UPDATE jobs SET progress = iif(input ->> 'isCounted', $counted, $uncounted), startedAt = coalesce(startedAt, $now)
       WHERE ${PENDING} AND trial = $trial`,
    )
    .run({ counted, uncounted, now, trial })

/** Completes all pending jobs for the trial's timelines. */
export const completeJobs = (db: Db, trial: Id, participants: number, now: Instant) =>
  db.$client
    .query<unknown, [{ now: Instant; participants: number; trial: Id }]>(
      `UPDATE jobs SET status = 'done', progress = 'Done.', startedAt = coalesce(startedAt, $now), finishedAt = $now,
         result = iif(input ->> 'isCounted', json_object('participants', $participants), '{}')
       WHERE ${PENDING} AND trial = $trial`,
    )
    .run({ now, participants, trial })
