/** Jobs: long work whose state a caller polls. Their rows survive a restart (docs/contract.md, "Jobs"). */
import type { Db } from '#db/open'
import { insert, rowById, rowsWhere, updateWhere } from '#db/rows'
import { jobs } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { JsonObject } from '#kernel/json'
import { machineRefusal } from '#kernel/machine'
import { Problem } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { checker } from '#wire/check'
import type { AnyKind, AnyWorkerKind, BackgroundKind, Job, JobKinds, JobServices, KindEntry, WorkerKind } from './kind'

/** Inserts a job in the transaction of the operation that starts it; `services.startJob` starts it after the commit. */
export function insertJob<I extends JsonObject>(
  db: Db,
  { kind }: Pick<WorkerKind<I, JsonObject> | BackgroundKind<I>, 'kind' | 'input'>,
  job: { _id: Id; createdAt: Instant; user: Id; trial: Id | null; input: I },
): { jobId: Id } {
  insert(db, jobs, { ...job, kind, status: 'pending', progress: 'Waiting to start.' })
  return { jobId: job._id }
}

export const jobById = (db: Db, id: Id): Job | undefined => rowById(db, jobs, id)

const write = (db: Db, _id: Id, change: Partial<Job>) => updateWhere(db, jobs, { _id }, change)

const update = (services: JobServices, id: Id, change: Partial<Job>) =>
  services.commit((): unknown => write(services.db, id, change))

/** Work that ended the process so often is not started again. */
const MOST_TRIES = 3

/** Performs a pending job on the pool and stores how it ends. Skips jobs that the background performs. Never rejects. */
export async function startJob(services: JobServices, kinds: JobKinds, id: Id): Promise<void> {
  const job = jobById(services.db, id)
  if (job?.status !== 'pending') return
  const entry = kinds.get(job.kind)
  if (entry?.lane === 'background') return
  let kind: AnyWorkerKind | undefined
  const controller = new AbortController()
  services.cancellations.set(id, controller)
  try {
    kind = await loadWorkerKind(entry)
    const { finish } = requireKind(kind, job)
    if (job.tries >= MOST_TRIES) throw new Error(`The server ended ${job.tries} times while it did this.`)
    // Stored before the work begins: if it ends the process, the next start counts it.
    await update(services, id, { startedAt: services.clock.now(), progress: 'Running.', tries: job.tries + 1 })
    const progress = (progress: string) => void update(services, id, { progress }).catch(() => {})
    const result = await services.pool.perform(
      { kind: job.kind, input: job.input, by: job.user },
      { progress, signal: controller.signal },
    )
    await services.commit((): unknown => {
      const change = { status: 'done' as const, progress: 'Done.', finishedAt: services.clock.now() }
      return write(services.db, id, { ...change, result: finish(services, job, result) })
    })
  } catch (reason) {
    await end(services, kind, job, reason)
  } finally {
    services.cancellations.delete(id)
  }
}

/** Cancels a job. It ends in an error soon after, unless its result was being stored already. */
export const cancelJob = ({ cancellations }: Pick<JobServices, 'cancellations'>, id: Id): void =>
  cancellations.get(id)?.abort()

/** Loads a kind that a thread or a process performs. */
async function loadWorkerKind(entry: KindEntry | undefined): Promise<AnyWorkerKind | undefined> {
  const kind = await entry?.load()
  return kind?.by === 'worker' ? kind : undefined
}

/**
 * Returns the kind if it accepts the input in the row.
 * @throws an error if it does not: another version of the program wrote the row, or somebody changed it
 */
function requireKind<K extends AnyKind>(kind: K | undefined, job: Job): K {
  if (!kind) throw new Error(`There is no kind of work called ${job.kind}.`)
  const { problems } = checker(kind.input)(job.input)
  if (problems) throw new Error(`Its input is not what the kind takes: ${JSON.stringify(problems)}`)
  return kind
}

/** Ends a job in an error. The person sees a refusal as it is; anything else is a defect, and its details go to the log. */
async function end(
  services: JobServices,
  kind: WorkerKind<JsonObject, JsonObject> | undefined,
  job: Job,
  reason: unknown,
): Promise<void> {
  const isRefused = reason instanceof Problem
  if (!isRefused) services.fault(reason, `job ${job._id} (${job.kind})`)
  const error = isRefused
    ? reason.message
    : (machineRefusal(reason)?.message ?? (kind ? defectMessage(job) : `There is no kind of work called ${job.kind}.`))
  const change = { status: 'error' as const, progress: 'Failed.', error, finishedAt: services.clock.now() }
  const commit = services.commit((): unknown => {
    kind?.onFailure?.(services, job)
    return write(services.db, job._id, change)
  })
  const fault = (reason: unknown) => services.fault(reason, `end of job ${job._id} (${job.kind})`)
  await commit.catch((reason) => {
    fault(reason)
    return update(services, job._id, change).catch(fault)
  })
}

const defectMessage = ({ _id }: Job) => `The server could not do this. Its log says more: look there for job ${_id}.`

/**
 * Restarts the jobs that a stop or crash interrupted. That is safe: work only reads, and `finish` runs once. One that was running at
 * three crashes ends in an error, since it may be what ended the process. Those that were running at two are started one after the
 * other, so that the third counts for the one alone that causes it.
 */
export function resumeJobs(services: JobServices, kinds: JobKinds): void {
  const pending = rowsWhere(services.db, jobs, { status: 'pending' }, '_id')
  const isSuspect = ({ tries }: Job) => tries >= MOST_TRIES - 1
  for (const job of pending) if (!isSuspect(job)) void startJob(services, kinds, job._id)
  const startSuspects = async () => {
    for (const job of pending) if (isSuspect(job)) await startJob(services, kinds, job._id)
  }
  void startSuspects()
}
