/** Jobs: long work that a caller polls for. Their rows survive a restart (architecture: the life of a job). */
import { and, eq, ne } from 'drizzle-orm'
import type { Db } from '../db/open'
import { jobs } from '../db/tables'
import type { House } from '../house'
import type { Id } from '../kernel/id'
import type { Instant } from '../kernel/time'
import type { Task } from './pool'

export type Job = typeof jobs.$inferSelect

/** The kind of job that the schedule goes on with in pages, since it writes: no worker is ever asked for it. */
export const TIMELINES = 'timelines'

/** Adds a job in the transaction of the operation that starts it; `startJob` sends it off after the commit. */
export function insertJob(
  db: Db,
  job: { _id: Id; createdAt: Instant; user: Id; trial: Id | null; task: Task },
): { jobId: Id } {
  const { task, ...rest } = job
  db.insert(jobs)
    .values({ ...rest, kind: task.kind, input: task.input, status: 'pending', progress: 'Waiting to start.' })
    .run()
  return { jobId: job._id }
}

export const jobById = (db: Db, id: Id) => db.select().from(jobs).where(eq(jobs._id, id)).get()

const update = (house: House, id: Id, change: Partial<Job>) =>
  house.commit((): unknown => house.db.update(jobs).set(change).where(eq(jobs._id, id)).run())

/** What the main thread does with a worker's result, in the transaction that ends the job; answers the job's result. */
export type Finish = (house: House, job: Job, result: Record<string, unknown>) => Record<string, unknown>

/** Sends a pending job to the pool and writes down how it ends. Never rejects. */
export async function startJob(house: House, id: Id, finishers: Record<string, Finish> = {}): Promise<void> {
  const job = jobById(house.db, id)
  if (job?.status !== 'pending') return
  try {
    await update(house, id, { startedAt: house.clock.now(), progress: 'Running.' })
    const result = await house.pool.perform({ kind: job.kind, input: job.input }, (progress) => {
      void update(house, id, { progress }).catch(() => {})
    })
    await house.commit((): unknown => {
      const finish = finishers[job.kind]
      const change = { status: 'done' as const, progress: 'Done.', finishedAt: house.clock.now() }
      const kept = finish ? finish(house, job, result) : result
      return house.db
        .update(jobs)
        .set({ ...change, result: kept })
        .where(eq(jobs._id, id))
        .run()
    })
  } catch (reason) {
    const error = reason instanceof Error ? reason.message : String(reason)
    const change = { status: 'error' as const, progress: 'Failed.', error, finishedAt: house.clock.now() }
    await update(house, id, change).catch((fault) => house.fault(fault, 'job'))
  }
}

/** Starts again what a stop or crash interrupted: every kind of work only reads and is applied once, at its end. */
export function resumeJobs(house: House, finishers: Record<string, Finish> = {}): void {
  const forWorkers = and(eq(jobs.status, 'pending'), ne(jobs.kind, TIMELINES))
  const pending = house.db.select({ _id: jobs._id }).from(jobs).where(forWorkers).all()
  for (const { _id } of pending) void startJob(house, _id, finishers)
}
