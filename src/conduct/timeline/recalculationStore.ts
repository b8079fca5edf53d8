/** How far the work on a changed configuration has come, and the jobs by which those who changed it follow it. */
import type { Db } from '#db/open'
import { insertJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { timelines } from './job'

/** Where a sweep goes on: after this participant, so many being done. */
export type Place = { after: Id; done: number }

/** Where the sweep for this revision has come to; at its beginning where there is none, or one for an older revision. */
export const placeOf = (db: Db, trial: { _id: Id; revision: number }): Place =>
  db.$client
    .query<Place, [Id, number]>('SELECT after, done FROM timelineSweeps WHERE trial = ? AND revision = ?')
    .get(trial._id, trial.revision) ?? { after: '', done: 0 }

export const savePlace = (db: Db, trial: { _id: Id; revision: number }, { after, done }: Place) =>
  db.$client
    .query(
      `INSERT INTO timelineSweeps (trial, revision, after, done) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, after = excluded.after, done = excluded.done`,
    )
    .run(trial._id, trial.revision, after, done)

export const endSweep = (db: Db, trial: Id) => db.$client.query('DELETE FROM timelineSweeps WHERE trial = ?').run(trial)

const PENDING = `status = 'pending' AND kind = '${timelines.kind}'`

/** The account's job that waits for the trial's timelines. */
export const pendingJob = (db: Db, trial: Id, user: Id): Id | undefined =>
  db.$client
    .query<{ _id: Id }, [Id, Id]>(`SELECT _id FROM jobs WHERE ${PENDING} AND trial = ? AND user = ?`)
    .get(trial, user)?._id

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
    .query(
      `UPDATE jobs SET progress = iif(input ->> 'isCounted', ?, ?), startedAt = coalesce(startedAt, ?)
       WHERE ${PENDING} AND trial = ?`,
    )
    .run(counted, uncounted, now, trial)

/** Ends all jobs that wait for the trial's timelines. */
export const endJobs = (db: Db, trial: Id, participants: number, now: Instant) =>
  db.$client
    .query(
      `UPDATE jobs SET status = 'done', progress = 'Done.', startedAt = coalesce(startedAt, ?1), finishedAt = ?1,
         result = iif(input ->> 'isCounted', json_object('participants', ?2), '{}')
       WHERE ${PENDING} AND trial = ?3`,
    )
    .run(now, participants, trial)
