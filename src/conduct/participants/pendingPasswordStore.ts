import type { Db } from '#db/open'
import { insert, rowById, updateWhere } from '#db/rows'
import { participants, passwordQueue } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { ParticipantRow } from './store'

/** Adds a participant whose password waits to be hashed. @param job the `_id` of the job that hashes it */
export const queuePassword = (db: Db, participant: Id, job: Id) => insert(db, passwordQueue, { participant, job })

/** The next participants whose passwords wait. */
export const pendingPasswords = (db: Db, limit: number) =>
  db.$client
    .query<Pick<ParticipantRow, '_id' | 'passwordHash'>, [{ limit: number }]>(
      'SELECT _id, passwordHash FROM passwordQueue JOIN participants ON _id = participant ORDER BY job, participant LIMIT +$limit',
    )
    .all({ limit })

/** Replaces the stored password if it is still `before`. Returns the one that is stored then; null if there is none. */
export function replacePassword(db: Db, _id: Id, before: string, after: string): string | null {
  updateWhere(db, participants, { _id, passwordHash: before }, { passwordHash: after })
  return rowById(db, participants, _id)?.passwordHash ?? null
}

const PENDING = `status = 'pending' AND kind = 'hashPasswords'`
const LEFT = '(SELECT count(*) FROM passwordQueue WHERE job = jobs._id)'

/** Whether a job is not done. */
export const hasPasswordJobs = (db: Db): boolean =>
  db.$client.query(`SELECT 1 FROM jobs WHERE ${PENDING} LIMIT 1`).get() !== null

/** Takes these participants out of the queue, and writes the progress to the jobs that are not done. */
export function savePasswordProgress(db: Db, done: readonly Id[], now: Instant): void {
  if (!done.length) return
  db.$client
    .query<unknown, [{ done: string }]>(
      'DELETE FROM passwordQueue WHERE participant IN (SELECT value FROM json_each($done))',
    )
    .run({ done: JSON.stringify(done) })
  db.$client
    .query<unknown, [{ now: Instant }]>(
      `UPDATE jobs SET startedAt = coalesce(startedAt, $now),
         progress = ((input ->> 'count') - ${LEFT}) || ' of ' || (input ->> 'count') || ' passwords are hashed.'
       WHERE ${PENDING} AND ${LEFT} > 0`,
    )
    .run({ now })
}

/** Ends the jobs of which no password is left, also because participants were deleted. */
export const completePasswordJobs = (db: Db, now: Instant) =>
  db.$client
    .query<unknown, [{ now: Instant }]>(
      `UPDATE jobs SET status = 'done', progress = 'Done.', startedAt = coalesce(startedAt, $now), finishedAt = $now,
         result = json_object('passwords', input ->> 'count')
       WHERE ${PENDING} AND ${LEFT} = 0`,
    )
    .run({ now })
