/** Jobs: long work that a caller polls for. Their rows survive a restart (docs/contract.md, "Jobs"). */
import { and, eq, ne } from 'drizzle-orm'
import type { Db } from '#db/open'
import { jobs } from '#db/tables/index'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
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

const update = (services: Services, id: Id, change: Partial<Job>) =>
  services.commit((): unknown => services.db.update(jobs).set(change).where(eq(jobs._id, id)).run())

/** What the main thread does with a worker's result, in the transaction that ends the job; answers the job's result. */
export type Finish = (services: Services, job: Job, result: Record<string, unknown>) => Record<string, unknown>

/** Sends a pending job to the pool and writes down how it ends. Never rejects. */
export async function startJob(services: Services, id: Id, finishers: Record<string, Finish> = {}): Promise<void> {
  const job = jobById(services.db, id)
  if (job?.status !== 'pending') return
  try {
    await update(services, id, { startedAt: services.clock.now(), progress: 'Running.' })
    const result = await services.pool.perform({ kind: job.kind, input: job.input }, (progress) => {
      void update(services, id, { progress }).catch(() => {})
    })
    await services.commit((): unknown => {
      const finish = finishers[job.kind]
      const change = { status: 'done' as const, progress: 'Done.', finishedAt: services.clock.now() }
      const kept = finish ? finish(services, job, result) : result
      return services.db
        .update(jobs)
        .set({ ...change, result: kept })
        .where(eq(jobs._id, id))
        .run()
    })
  } catch (reason) {
    const error = reason instanceof Error ? reason.message : String(reason)
    const change = { status: 'error' as const, progress: 'Failed.', error, finishedAt: services.clock.now() }
    await update(services, id, change).catch((fault) => services.fault(fault, 'job'))
  }
}

/** Starts again what a stop or crash interrupted: every kind of work only reads and is applied once, at its end. */
export function resumeJobs(services: Services, finishers: Record<string, Finish> = {}): void {
  const forWorkers = and(eq(jobs.status, 'pending'), ne(jobs.kind, TIMELINES))
  const pending = services.db.select({ _id: jobs._id }).from(jobs).where(forWorkers).all()
  for (const { _id } of pending) void startJob(services, _id, finishers)
}
