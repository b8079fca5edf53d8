/**
 * Checkpoints: what is in the write-ahead log is copied into the database file by a thread of its own while this thread goes on
 * writing (docs/performance.md, "What to expect"). Commits are flushed to the log as ever; the file may follow later.
 *
 * SQLite begins the log from its start only if the file lacks nothing at the moment of a commit. While others write without a
 * pause that never happens by itself, and the log would grow for ever. So from time to time the writer holds its next commit for
 * some milliseconds, until the last pages are copied.
 */
import { closeSync, openSync } from 'node:fs'
import {
  BUSY,
  type CheckpointReport,
  type CheckpointRequest,
  type Failure,
  FEW_PAGES,
  IDLE,
  type LogState,
  logState,
  STOPPING,
} from './checkpointThread'
import type { Sqlite } from './open'

/** Sizes of the log in pages of 4 KB. */
export type LogLengths = {
  /** The file lacks so many when a pass begins. */
  pass: number
  /** The writer is held if the log has so many and few are left to copy. */
  long: number
  /** It is held if the log has so many and more are left, as readers stand in the way; next time, if it has twice as many. */
  tooLong: number
}

/**
 * 500 submissions a second write some 7,000 pages a second. With a third of these lengths the writer was held for 2 to 4 % of the
 * time, so that the slowest hundredth of all requests waited for it; and the pages that change most were copied three times as often.
 * The log stays below `KEPT_BYTES`: to grow and to shrink the file would make commits slower.
 */
const LENGTHS: LogLengths = { pass: 3_000, long: 10_000, tooLong: 20_000 }

/** The size in bytes to which the file of the log shrinks when it begins from its start. */
const KEPT_BYTES = 64 << 20
/** Milliseconds after which the writer goes on, whatever the thread does. */
const LONGEST_HOLD = 500
/** Milliseconds without a pass after one that left much, as a reader stands in the way. */
const AFTER_LITTLE = 100
/** Milliseconds without a pass after one that failed. */
const AFTER_FAILURE = 5_000
/** Milliseconds in which the writer is not held again if a reader stood in the way, as it may do so for long. */
const AFTER_BLOCKED = 300
/** Milliseconds that a stop waits for what the thread is doing: a disk may be slow. */
const LONGEST_STOP = 10_000
/** SQLite's own checkpoints, in pages: if the thread cannot be used, the writer copies, as other programs do. */
const BY_WRITER = 1_000

export type Checkpoints = {
  /** Starts a pass if there are enough pages to copy. Call it after each commit. */
  afterCommit(): void
  /** How many times the file received pages of the log. */
  count(): number
  /** Ends the thread, and waits until it is done with what it does. The caller then empties the log and closes the database, and calls the returned function. */
  close(): () => void
}

/** The thread, as the writer sees it. `onMessage` is called with each message of the thread, `onStop` if the thread ends by itself. */
export type Thread = { send(message: CheckpointRequest): void; end(): void }
export type StartThread = (onMessage: (message: CheckpointReport) => void, onStop: (reason: Error) => void) => Thread

/** @param spawn starts the thread */
export const checkpointThread =
  (spawn: () => Worker): StartThread =>
  (onMessage, onStop) => {
    const worker = spawn()
    worker.onmessage = ({ data }: MessageEvent<CheckpointReport>) => onMessage(data)
    worker.onerror = ({ message }) => onStop(new Error(`The thread of checkpoints stopped: ${message}`))
    return { send: (message) => worker.postMessage(message), end: () => worker.terminate() }
  }

export type Writer = {
  /** Lets commits wait. */
  hold(): void
  /** Performs those that wait. */
  release(): void
}

/**
 * Opens the checkpoints of a database. The thread is started when there is something to copy.
 * @param fault called with errors of the thread, such as a full disk; it tries again later
 * @param lengths other ones than in use: for tests
 */
export function openCheckpoints(
  sqlite: Sqlite,
  startThread: StartThread,
  { hold, release }: Writer,
  fault: (reason: unknown, about: string) => void,
  lengths: LogLengths = LENGTHS,
): Checkpoints {
  sqlite.run('PRAGMA wal_autocheckpoint = 0')
  sqlite.run(`PRAGMA journal_size_limit = ${KEPT_BYTES}`)
  const state = new Int32Array(new SharedArrayBuffer(4))
  let thread: Thread | undefined
  let file: number | undefined
  let running: 'nothing' | 'pass' | 'finish' = 'nothing'
  let isClosed = false
  let count = 0
  let { tooLong } = lengths
  let notBefore = 0
  let notHeldBefore = 0
  let timer: Timer | undefined

  function ask(what: 'pass' | 'finish'): void {
    running = what
    Atomics.store(state, 0, BUSY)
    thread!.send(what)
  }

  function holdAndFinish(): void {
    hold()
    timer = setTimeout(release, LONGEST_HOLD)
    ask('finish')
  }

  function releaseWriter(): void {
    clearTimeout(timer)
    if (running === 'finish') release()
    running = 'nothing'
  }

  function onLogState({ log, left, isBlocked = false }: LogState): void {
    const done = running
    const now = performance.now()
    count++
    if (left >= lengths.pass) notBefore = now + AFTER_LITTLE
    releaseWriter()
    if (done === 'finish') {
      tooLong = isBlocked ? 2 * log : lengths.tooLong
      if (isBlocked) notHeldBefore = now + AFTER_BLOCKED
    } else if (log >= tooLong || (log >= lengths.long && left < FEW_PAGES && now >= notHeldBefore)) holdAndFinish()
  }

  /** The writer goes on, and a later commit asks again. */
  function failed({ message, code }: Failure): void {
    notBefore = performance.now() + AFTER_FAILURE
    releaseWriter()
    fault(Object.assign(new Error(message), { code }), 'checkpoint')
  }

  /** Without the thread, SQLite copies on the writer's own thread. */
  function giveUp(reason: unknown): void {
    releaseWriter()
    thread = undefined
    isClosed = true
    sqlite.run(`PRAGMA wal_autocheckpoint = ${BY_WRITER}`)
    fault(reason, 'checkpoints')
  }

  function start(): void {
    // Opened once and closed after the database: to close any descriptor of the file drops all locks of the process on it.
    file ??= openSync(sqlite.filename, 'r+')
    thread = startThread(onReport, (reason) => {
      if (!isClosed) giveUp(reason)
    })
    thread.send({ path: sqlite.filename, file, state })
  }

  function onReport(message: CheckpointReport): void {
    if (isClosed) return
    if ('failed' in message) failed(message.failed)
    else onLogState(message)
  }

  return {
    afterCommit() {
      if (isClosed || running !== 'nothing' || logState(sqlite).left < lengths.pass || performance.now() < notBefore)
        return
      try {
        if (!thread) start()
        ask('pass')
      } catch (reason) {
        giveUp(reason) // such as too many threads on the machine
      }
    },
    count: () => count,
    close() {
      isClosed = true
      releaseWriter()
      // A checkpoint by the caller is refused while the thread makes one.
      if (thread && Atomics.compareExchange(state, 0, BUSY, STOPPING) !== IDLE)
        Atomics.wait(state, 0, STOPPING, LONGEST_STOP)
      thread?.end()
      return () => {
        if (file !== undefined) closeSync(file)
      }
    },
  }
}
