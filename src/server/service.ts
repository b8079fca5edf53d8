/** The service without a socket: database, operations, worker threads and background tasks. */
import { type CalendarRoute, calendarRoute } from '#conduct/calendar/route'
import type { MeetingRoomRoute } from '#conduct/meetingRooms/connection'
import { logMissingLeaves } from '#conduct/meetingRooms/log'
import { meetingRooms } from '#conduct/meetingRooms/route'
import { startAiQueries } from '#conduct/queries/automatic/startStore'
import type { StorageRoute } from '#conduct/uploads/storage'
import { type LoggedRequest, mount } from '#http/mount'
import { loadOperations } from '#http/offeredOperation'
import type { AnyOperation } from '#http/operation'
import type { Services } from '#http/services'
import { laneOf } from '#jobs/kind'
import { exportThreads, openPool, type Pool } from '#jobs/pool'
import { processes, processLimits } from '#jobs/process'
import { resumeJobs } from '#jobs/queue'
import { threads } from '#jobs/thread'
import { sendersFor } from '#outbox/senders'
import { recordInterrupted } from '#outbox/store'
import type { Metrics } from '#server/metrics/metrics'
import { type Data, openData } from './data'
import type { Program } from './program'
import type { ServiceOptions } from './serviceOptions'
import { openServices } from './services'
import { openTimers } from './timers'

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

/** Opens the service on a data directory, without a socket. */
export function openService(program: Program, options: ServiceOptions): Service {
  const data = openData(program, options)
  const pool = openWorkers(program, options, data)
  const sending = sendersFor(options.messages ?? {}, options.pushKey, () => data.clock.now())
  const { services, route } = openServices({ program, options, data, pool, sending, tick: () => timers.tick() })
  recordInterruptions(services)
  const timers = openTimers(services, data, sending.senders, options)
  const offered = program.offeredOperations(options.test === true)
  const onRequest = (request: LoggedRequest) => {
    data.metrics.request(request)
    options.onRequest?.(request)
  }
  const { handle } = mount(services, offered, onRequest)
  const rooms = meetingRooms(services)
  resumeJobs(services, program.jobKinds)
  return {
    services,
    operations: () => loadOperations(offered),
    handle,
    storage: route,
    calendar: calendarRoute(services),
    meetingRoom: rooms.route,
    closeRooms: rooms.stop,
    onRequest,
    metrics: data.metrics,
    flush: data.flush,
    start: timers.start,
    async finish() {
      await rooms.stop()
      await timers.finish()
    },
    close() {
      data.beginClose()
      timers.close()
      pool.close()
      data.close()
    },
  }
}

/** What performs jobs: threads, and processes for files that people sent. */
function openWorkers(program: Program, options: ServiceOptions, { places }: Data): Pool {
  const { storageKey, ai, copyOf } = options
  const thread = options.startThread ?? threads(program.spawnWorker)
  const reader = options.startThread ?? processes(program.spawnProcess, options.readingLimits ?? processLimits)
  return openPool(
    { ...places, storageKey, ai, ...(copyOf && { isCopy: true }) },
    (kind) => laneOf(program.jobKinds.get(kind)),
    {
      exports: { start: thread, size: exportThreads(), mostWaiting: 1_000 },
      queries: { start: thread, size: ai ? 2 : 1, mostWaiting: 1_000 },
      imports: { start: reader, size: 2, isFresh: true, mostWaiting: 20 },
      generation: { start: reader, size: 2, isFresh: true, mostWaiting: 1_000 },
    },
  )
}

/** Records what the last stop, or the end of the process, interrupted. */
function recordInterruptions({ db, clock, asksAi }: Services): void {
  recordInterrupted(db)
  logMissingLeaves(db, clock.now())
  if (asksAi) startAiQueries(db)
}
