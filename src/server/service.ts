/** The service without a socket: database, operations, workers, and what happens by itself. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { identifier } from '#access/identify'
import { limiter } from '#access/limits'
import { operations } from '#app'
import { refreshDue } from '#conduct/timeline/progress'
import { settleRest, settleTrial } from '#conduct/timeline/recalculation'
import { openStorage, type StorageRoute } from '#conduct/uploads/storage'
import { committer } from '#db/commit'
import { closeWhole } from '#db/file'
import { drizzled } from '#db/open'
import { mount, type Noticed } from '#http/mount'
import type { AnyOperation } from '#http/operation'
import type { Services } from '#http/services'
import { jobKinds } from '#jobKinds'
import { type Ai, pool } from '#jobs/pool'
import { resumeJobs, startJob } from '#jobs/queue'
import { sealer } from '#kernel/seal'
import type { Clock } from '#kernel/time'
import { type Messaging, sendersFor } from '#outbox/senders'
import { type Carried, courier } from '#outbox/sending'
import { noteInterrupted } from '#outbox/store'
import { schedule } from '#server/background/background'
import { dueWork, sendMessages } from '#server/background/list'
import { openUpgraded } from '#server/backup/upgrade'
import { type Metrics, measuring } from '#server/metrics/metrics'
import { testingOperations } from '#server/testing/operations'
import { spawnWorker } from '#spawnWorker'

export type ServiceOptions = {
  /** The data directory, which must exist. */
  directory: string
  clock: Clock
  publicUrl: string
  version: string
  /** Signs the links to files and seals what is secret: at least 16 bytes, the same at every start. */
  storageKey: Uint8Array | string
  rateLimit?: number
  /** What reads descriptions of studies instead of the rules, and looks at answers besides them. */
  ai?: Ai | undefined
  /** What sends messages; by channels that are not named none are sent. */
  messages?: Messaging
  /** 32 secret bytes that the key of push notifications is made of, the same at every start. */
  pushKey?: Uint8Array
  /** Adds the operations of a test server, and the services is given its `test`. */
  test?: boolean
  /** Starts another worker thread than the service's own: for tests of what goes wrong in one. */
  worker?: () => Worker
  /** Told of every request once it is answered. */
  noticed?: (request: Noticed) => void
  /** Told of every message that was sent, or not. */
  carried?: (message: Carried) => void
  /** Told in one line that the database was upgraded, and where a copy from before is. */
  upgraded?: (line: string) => void
  /** Told of faults that no caller caused. */
  fault?: (reason: unknown, about: string) => void
}

export type Service = {
  services: Services
  operations: readonly AnyOperation[]
  /** Answers one request. @param address where it came from */
  handle(request: Request, address: string | null): Promise<Response>
  /** Answers one request to `/storage/*`. */
  storage: StorageRoute
  noticed(request: Noticed): void
  metrics: Metrics
  /** Performs what waits to be committed. */
  flush(): void
  /** Begins to do by itself what falls due. */
  start(): void
  /** Begins to send no more messages, and waits a while for those on their way. */
  finish(): Promise<void>
  /**
   * Commits what is waiting, empties the write-ahead log, closes the database. A job under way runs again at the next
   * start.
   */
  close(): void
}

/** How long a message on its way is waited for at a stop. What takes longer is noted as `unknown` at the next start. */
const CARRIED_MS = 10_000

/** Participants whom an act made due that are brought up to date in its transaction. */
const AT_ONCE = 100

/** Opens the service on its data directory, without a socket. */
export function openService(options: ServiceOptions): Service {
  const { directory, clock, publicUrl, version, rateLimit } = options
  const fault = options.fault ?? ((reason, about) => console.error(about, reason))
  let isClosed = false
  const places = {
    database: join(directory, 'trialbox.db'),
    exports: join(directory, 'exports'),
    files: join(directory, 'files'),
  }
  mkdirSync(places.exports, { recursive: true })
  mkdirSync(places.files, { recursive: true })
  const sqlite = openUpgraded(places.database, join(directory, 'backups'), { say: options.upgraded ?? console.log })
  const db = drizzled(sqlite)
  const metrics = measuring(sqlite, places.database)
  const { commit, flush, close } = committer(sqlite, metrics.commit)
  const workers = pool(
    options.worker ?? spawnWorker,
    { ...places, storageKey: options.storageKey, ai: options.ai },
    options.ai ? 3 : 1, // those that wait for an answer from elsewhere must not hold up exports
  )
  const { storage, route } = openStorage({
    places,
    key: options.storageKey,
    db,
    commit,
    clock,
    publicUrl: () => services.publicUrl,
    version,
  })
  const { senders, push } = sendersFor(options.messages ?? {}, options.pushKey, () => clock.now())
  const services: Services = {
    db,
    commit,
    clock,
    settle: (now, act) => {
      const job = act && settleTrial(db, act, now)
      const isLeft = refreshDue(db, now, AT_ONCE) === AT_ONCE
      const rest = isLeft && act ? settleRest(db, act, now) : undefined
      return job ?? rest
    },
    identify: identifier(db),
    limits: limiter(),
    pool: workers,
    startJob: (id) => startJob(services, jobKinds, id),
    asksAi: options.ai !== undefined,
    storage,
    seal: sealer(options.storageKey),
    publicUrl,
    version,
    push,
    rateLimit,
    tick: async () => {
      await due.tick()
      await messages.idle()
    },
    fault: (reason, about) => {
      if (!isClosed) fault(reason, about) // what is cut off by the stop is no fault
    },
  }
  noteInterrupted(db)
  const messages = courier(services, senders, (message) => {
    metrics.message(message)
    options.carried?.(message)
  })
  const due = schedule(services, [...dueWork(services), sendMessages(messages)])
  const offered = options.test ? [...operations, ...testingOperations] : operations
  const noticed = (request: Noticed) => {
    metrics.request(request)
    options.noticed?.(request)
  }
  const { handle } = mount(services, offered, noticed)
  resumeJobs(services, jobKinds)
  return {
    services,
    operations: offered,
    handle,
    storage: route,
    noticed,
    metrics,
    flush,
    start: due.start,
    finish: () => messages.finish(CARRIED_MS),
    close() {
      isClosed = true
      due.close()
      workers.close()
      close()
      closeWhole(sqlite)
    },
  }
}
