/** The service without a socket: database, operations, worker threads and background tasks. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createAttempts } from '#access/attempts'
import { createIdentify } from '#access/identify'
import { limiter } from '#access/limits'
import { recordRemainingChanges } from '#audit/append'
import { openReadTrail } from '#audit/readTrail'
import { type CalendarRoute, calendarRoute } from '#conduct/calendar/route'
import type { MeetingRoomRoute } from '#conduct/meetingRooms/connection'
import { logMissingLeaves } from '#conduct/meetingRooms/log'
import { meetingRooms } from '#conduct/meetingRooms/route'
import { startAiQueries } from '#conduct/queries/automatic/startStore'
import { openStorage, type StorageRoute } from '#conduct/uploads/storage'
import { checkpointThread, openCheckpoints } from '#db/checkpoints'
import { runInTransaction } from '#db/commit'
import { checkpointAndClose } from '#db/file'
import { drizzleOf } from '#db/open'
import { watchRowsOnce } from '#db/watch'
import { recordKeys } from '#documents/archives/signature'
import { type LoggedRequest, mount } from '#http/mount'
import { loadOperations } from '#http/offeredOperation'
import type { AnyOperation } from '#http/operation'
import type { Services } from '#http/services'
import { laneOf } from '#jobs/kind'
import { exportThreads, openPool } from '#jobs/pool'
import { processes, processLimits } from '#jobs/process'
import { resumeJobs, startJob } from '#jobs/queue'
import { undoLastTries } from '#jobs/store'
import { threads } from '#jobs/thread'
import { envelopesOf } from '#kernel/envelopes'
import { createSeal } from '#kernel/seal'
import { createDelivery, type DeliveryReport } from '#outbox/delivery'
import { giftCards } from '#outbox/giftCards'
import { createOutgoingClient } from '#outbox/outgoing'
import { sendersFor } from '#outbox/senders'
import { callLimits } from '#outbox/serviceCalls'
import { channels } from '#outbox/status'
import { recordInterrupted } from '#outbox/store'
import { wearableServices } from '#outbox/wearableServices'
import { openBackground } from '#server/background/background'
import { clockTask, headsTask, messageTask } from '#server/background/serviceTasks'
import { openUpgraded } from '#server/backup/upgrade'
import { openChecks } from '#server/health/checks'
import { isClockRefusal } from '#server/health/clock'
import { guardedCommitter } from '#server/health/guardedCommitter'
import { openClock } from '#server/health/openClock'
import { type Metrics, openMetrics } from '#server/metrics/metrics'
import { checkKeptHeads, headKeeper } from '#server/process/heads'
import { spawnProcess } from '#start/spawnProcess'
import { spawnCheckpointer, spawnWorker } from '#start/spawnWorker'
import {
  kindsOfJobs,
  loadBackgroundTasks,
  loadHook,
  operationsOf,
  recalculateTimelines,
  timelineUpdate,
} from './serviceModules'
import type { ServiceOptions } from './serviceOptions'

export type Service = {
  services: Services
  /** Loads all operations that it offers, for their document. */
  operations(): Promise<readonly AnyOperation[]>
  /** Responds to one request. @param address of the client; @param origin, isMonitor see `Incoming` */
  handle(request: Request, address: string | null, origin?: string, isMonitor?: boolean): Promise<Response>
  /** Responds to one request to `/storage/*`. */
  storage: StorageRoute
  /** Responds to one request to `/calendar/*`. */
  calendar: CalendarRoute
  /** Responds to one request to `/meeting-rooms/*`. */
  meetingRoom: MeetingRoomRoute
  /** Ends the rooms of meetings, and records who left. */
  closeRooms(): Promise<void>
  onRequest(request: LoggedRequest): void
  metrics: Metrics
  /** Commits the requests that wait for their commit. */
  flush(): void
  /** Starts the background tasks. */
  start(): void
  /** Stops to begin with further messages, and waits a limited time for those that are being sent. */
  finish(): Promise<void>
  /**
   * Commits the waiting requests, empties the write-ahead log, closes the database. A running job runs again at the next
   * start.
   */
  close(): void
}

/** How long a stop waits for messages that are being sent. One that takes longer gets the status `unknown` at the next start. */
const SEND_TIMEOUT_MS = 10_000

/** Opens the service on a data directory, without a socket. */
export function openService(options: ServiceOptions): Service {
  const { directory, publicUrl, version, rateLimit } = options
  const fault = options.fault ?? ((reason, about) => console.error(about, reason))
  let isClosed = false
  let checks: ReturnType<typeof openChecks> | undefined
  const places = {
    database: join(directory, 'trialbox.db'),
    exports: join(directory, 'exports'),
    files: join(directory, 'files'),
  }
  mkdirSync(places.exports, { recursive: true })
  mkdirSync(places.files, { recursive: true })
  const sqlite = openUpgraded(places.database, join(directory, 'backups'), { report: options.onUpgrade ?? console.log })
  const headsFile = join(directory, 'heads')
  const { clock, ...time } = openClock(sqlite, options)
  try {
    checkKeptHeads(sqlite, headsFile, options.acceptLoss ?? false, clock.now())
  } catch (error) {
    sqlite.close()
    throw error
  }
  const db = drizzleOf(sqlite)
  const metrics = openMetrics(sqlite, places.database)
  const recordRemaining = () => recordRemainingChanges(db, clock.now())
  const folders = [directory, places.exports, places.files] as const
  const onCommit = (acts: number) => {
    metrics.commit(acts)
    checkpoints.afterCommit()
  }
  const observedMetrics = { ...metrics, commit: onCommit }
  const { commit, flush, close, watch, guard, ...writer } = guardedCommitter(
    sqlite,
    { ...options, clock },
    observedMetrics,
    folders,
    recordRemaining,
    // Not at the start, which it would make slower: whatever a server writes to watched rows, it writes in such a transaction.
    () => watchRowsOnce(db),
  )
  const startCheckpointThread = checkpointThread(spawnCheckpointer)
  const checkpoints = openCheckpoints(sqlite, startCheckpointThread, writer, (...why) => services.fault(...why))
  const thread = options.startThread ?? threads(spawnWorker)
  const reader = options.startThread ?? processes(spawnProcess, options.readingLimits ?? processLimits)
  const workers = openPool(
    { ...places, storageKey: options.storageKey, ai: options.ai, ...(options.copyOf && { isCopy: true }) },
    (kind) => laneOf(kindsOfJobs.get(kind)),
    {
      exports: { start: thread, size: exportThreads(), mostWaiting: 1_000 },
      queries: { start: thread, size: options.ai ? 2 : 1, mostWaiting: 1_000 },
      imports: { start: reader, size: 2, isFresh: true, mostWaiting: 20 },
      generation: { start: reader, size: 2, isFresh: true, mostWaiting: 1_000 },
    },
  )
  const { storage, route } = openStorage({
    places,
    key: options.storageKey,
    db,
    commit,
    clock,
    publicUrl: () => services.publicUrl,
    version,
    reads: () => services.reads,
    quotas: () => services.quotas,
  })
  const { senders, push } = sendersFor(options.messages ?? {}, options.pushKey, () => clock.now())
  const services: Services = {
    db,
    commit,
    clock,
    recalculateTimelines: (now, act) => recalculateTimelines(db, now, act),
    identify: createIdentify(db),
    limits: limiter(options.hasLimits),
    attempts: createAttempts(db, options.hasLimits),
    reads: openReadTrail({ db, commit }, (...why) => services.fault(...why)),
    pool: workers,
    cancellations: new Map(),
    load: loadHook,
    timelineUpdate: (trial, user, access) => timelineUpdate(db, trial, user, access),
    startJob: (id) => startJob(services, kindsOfJobs, id),
    asksAi: options.ai !== undefined,
    sendsEmail: senders.email !== undefined,
    sendsBy: channels.filter((channel) => senders[channel] !== undefined),
    storage,
    seal: createSeal(options.storageKey),
    envelopes: envelopesOf(options.storageKey),
    archiveKey: () => recordKeys(options.storageKey).publicKey,
    publicUrl,
    version,
    copyOf: options.copyOf,
    push,
    outgoing: createOutgoingClient({ ...options.outgoing, onResult: metrics.webhookRequest }),
    giftCards: options.giftCards && giftCards(options.giftCards),
    wearables: wearableServices(options.wearables ?? {}, { ...callLimits, ...options.callLimits }),
    rateLimit,
    quotas: options.quotas ?? { participant: Infinity, trial: Infinity },
    tick: async () => {
      await background.tick()
      await services.reads.flush()
      await Promise.all([messages.idle(), background.idle(), services.giftCards?.idle()])
    },
    health: watch.report,
    acceptClock() {
      time.accept()
      guard?.accept()
    },
    fault: (reason, about) => {
      watch.onFailure(reason)
      // What the stop interrupts is not an error, and what a wrong clock refuses is reported by the health.
      if (!isClosed && !isClockRefusal(reason)) fault(reason, about)
    },
  }
  recordInterrupted(db)
  logMissingLeaves(db, clock.now())
  if (services.asksAi) startAiQueries(db)
  const heads = headKeeper(sqlite, headsFile, places.database, checkpoints.count)
  const countDelivery = (message: DeliveryReport) => {
    metrics.message(message)
    options.onDelivery?.(message)
  }
  const messages = createDelivery(services, senders, countDelivery, time.isSure)
  const serviceTasks = [clockTask(time.reports(services, options)), headsTask(heads.keep), messageTask(messages)]
  const background = openBackground(
    services,
    async () => [...(await loadBackgroundTasks(services)), ...serviceTasks],
    time.isSure,
  )
  const offered = operationsOf(options.test === true)
  const countRequest = (request: LoggedRequest) => {
    metrics.request(request)
    options.onRequest?.(request)
  }
  const { handle } = mount(services, offered, countRequest)
  const rooms = meetingRooms(services)
  resumeJobs(services, kindsOfJobs)
  return {
    services,
    operations: () => loadOperations(offered),
    handle,
    storage: route,
    calendar: calendarRoute(services),
    meetingRoom: rooms.route,
    closeRooms: rooms.stop,
    onRequest: countRequest,
    metrics,
    flush,
    start() {
      background.start()
      checks = options.checks && openChecks({ ...options.checks, clock }, watch.onCheck, services.fault)
    },
    finish: async () => {
      await rooms.stop()
      await Promise.all([
        messages.finish(SEND_TIMEOUT_MS),
        background.finish(SEND_TIMEOUT_MS),
        services.giftCards?.finish(SEND_TIMEOUT_MS),
      ])
    },
    close() {
      isClosed = true
      background.close()
      checks?.close()
      workers.close()
      const closeDatabaseFile = checkpoints.close()
      services.reads.close()
      close()
      undoLastTries(db)
      runInTransaction(db, recordRemaining)
      heads.close()
      checkpointAndClose(sqlite)
      closeDatabaseFile()
    },
  }
}
