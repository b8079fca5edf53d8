/** The process: database, operations, workers, what happens by itself, and the socket they are served on. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Server } from 'bun'
import { identifier } from '#access/identify'
import { limiter } from '#access/limits'
import { operations } from '#app'
import { refreshDue } from '#conduct/timeline/progress'
import { settleRest, settleTrial } from '#conduct/timeline/recalculation'
import { committer } from '#db/commit'
import { drizzled } from '#db/open'
import { answer } from '#http/answer'
import { mount, type Noticed, newRequestId } from '#http/mount'
import type { AnyOperation } from '#http/operation'
import type { Services } from '#http/services'
import { jobKinds } from '#jobKinds'
import { type Ai, pool } from '#jobs/pool'
import { resumeJobs, startJob } from '#jobs/queue'
import { fault as faultOf } from '#kernel/fault'
import { sealer } from '#kernel/seal'
import type { Clock } from '#kernel/time'
import { noteInterrupted } from '#outbox/queue'
import { type Messaging, sendersFor } from '#outbox/senders'
import { type Carried, courier } from '#outbox/sending'
import { schedule } from '#server/background/background'
import { dueWork, sendMessages } from '#server/background/list'
import { openUpgraded } from '#server/backup/upgrade'
import { type Metrics, measuring } from '#server/metrics/metrics'
import { metricsFor } from '#server/metrics/route'
import { testingOperations } from '#server/testing/operations'
import { spawnWorker } from '#spawnWorker'
import { openStorage, type StorageRoute } from '#storage/open'
import { serving } from '#storage/routes'
import { pageAt } from '#web/pages'

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
      sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)')
      sqlite.close()
    },
  }
}

export type Listening = {
  /** The port it really listens on. */
  port: number
  /** Takes no more requests and closes idle connections. Resolves when what was in flight is answered. */
  stop(): Promise<void>
}

/** Bun's longest. An answer that is streamed and an upload count as alive with every piece. */
const IDLE_SECONDS = 255

/** How long the last answers may take to leave once they are given. */
const FLUSHED_MS = 500

/**
 * Serves a service on a socket (design: the life of a request, 1): files and pages are routes of their own, everything
 * else goes to the operations, whose bodies are bounded one by one.
 * @param where.forwarded whether a proxy in front says where requests come from
 * @param where.metricsToken reads the metrics from anywhere; this machine needs none
 * @throws a fault where the address cannot be listened on
 */
export function listen(
  service: Service,
  where: {
    host: string
    port: number
    certificate?: { cert: string; key: string }
    forwarded?: boolean
    metricsToken?: string | undefined
  },
): Listening {
  const { host, port, certificate, forwarded = false, metricsToken } = where
  const page = pageAt(service)
  const metrics = metricsFor(service, { believed: forwarded, token: metricsToken })

  /** Answers what is no operation, and tells the log of it. */
  async function observed(request: Request, pattern: string, answered: Promise<Response> | Response) {
    const started = performance.now()
    const response = await answered
    const { method } = request
    const milliseconds = performance.now() - started
    service.noticed({ method, pattern, status: response.status, milliseconds, requestId: newRequestId() })
    return response
  }

  function respond(request: Request, server: Server<undefined>): Promise<Response> {
    const path = requestPath(request.url)
    if (path.startsWith('/storage/')) {
      return observed(request, '/storage/:kind/:name', service.storage(request, server))
    }
    if (path === '/metrics' && request.method === 'GET') {
      return observed(request, path, metrics(request, addressOf(request, server, forwarded)))
    }
    const found = page(request, path)
    if (found) return observed(request, found.pattern, found.answer())
    return service.handle(request, addressOf(request, server, forwarded))
  }

  try {
    const server = Bun.serve({
      hostname: host,
      port,
      ...(certificate ? { tls: { cert: certificate.cert, key: certificate.key } } : {}),
      maxRequestBodySize: serving.maxRequestBodySize,
      idleTimeout: IDLE_SECONDS,
      development: false,
      reusePort: false, // said, because `development: false` alone lets two servers share a port in silence
      fetch: respond,
      error(reason) {
        service.services.fault(reason, 'serving')
        return answer(service.services, 500, { message: 'Something went wrong in the service; nothing was changed.' })
      },
    })
    return { port: server.port!, stop: () => stopped(server) }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined) throw error
    const why = code === 'EADDRINUSE' ? 'another program uses it' : code
    throw faultOf(`Port ${port} on ${host} cannot be listened on (${why}): choose another with --port or --host.`)
  }
}

/**
 * Ends a server when everything is answered. A body too long, that nobody read to its end, would keep its connection
 * open.
 */
async function stopped(server: Server<undefined>): Promise<void> {
  const closed = server.stop()
  while (server.pendingRequests) await Promise.race([closed, Bun.sleep(5)])
  await Promise.race([closed, Bun.sleep(FLUSHED_MS)])
  await server.stop(true)
}

/** The path of a request's URL, without its query. */
function requestPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end)
}

/** Where a request came from. Of what a proxy forwards only the last hop counts, which it wrote itself. */
function addressOf(request: Request, server: Server<undefined>, forwarded: boolean): string | null {
  const hop = forwarded ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  const address = hop || server.requestIP(request)?.address
  return address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null
}
