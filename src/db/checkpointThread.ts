/// <reference lib="webworker" />
/**
 * The thread that copies the write-ahead log into the database file, so that the thread that writes need not. It imports nothing
 * of the rest, so that it needs little memory.
 */
import { constants, Database } from 'bun:sqlite'
import { fdatasyncSync } from 'node:fs'

/**
 * The messages to the thread. `file`: a descriptor of the database file, see `openCheckpoints`. `state`: shared with the writer, see
 * `IDLE`. `pass`, `finish`: see below.
 */
export type CheckpointRequest = { path: string; file: number; state: Int32Array } | 'pass' | 'finish'

/** The values of the shared state. The writer sets `BUSY` when it asks for something and may set `STOPPING`; the thread sets `IDLE`. */
export const [IDLE, BUSY, STOPPING] = [0, 1, 2]

/** The log: its pages, and how many of them the file lacks. `isBlocked`: a reader stood in the way of `finish`. */
export type LogState = { log: number; left: number; isBlocked?: boolean }
export type Failure = { message: string; code: string | undefined }
export type CheckpointReport = LogState | { failed: Failure }

/** A pass ends when the file lacks fewer pages than these: the rest is quick to copy. */
export const FEW_PAGES = 400

/** The most rounds of a pass: a disk that is slower than the writer must not keep the thread busy for ever. */
const ROUNDS = 50

/** Milliseconds that `finish` waits for readers who began before it. The writer waits as long. */
const FOR_READERS = 20

type Row = { busy: number; log: number; checkpointed: number }
const stateOf = ({ log, checkpointed }: Row): LogState => ({ log, left: log - checkpointed })

/** The state of the log, without any work. */
export const logState = (sqlite: Database): LogState =>
  stateOf(sqlite.query<Row, []>('PRAGMA wal_checkpoint(NOOP)').get()!)

function openForCheckpoints(path: string) {
  const sqlite = new Database(path, { readwrite: true, create: false, strict: true })
  sqlite.run(`PRAGMA busy_timeout = ${FOR_READERS}`)
  sqlite.run('PRAGMA synchronous = FULL')
  // When this thread ends, the file at this path may already be the log of another database.
  sqlite.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
  return sqlite
}

/** Copies until the file lacks few pages, or a reader blocks it. No caller waits for it. */
function pass(sqlite: Database, file: number, isStopping: () => boolean): LogState {
  let state = logState(sqlite)
  for (let round = 0; round < ROUNDS && !isStopping(); round++) {
    const { log, left } = state
    sqlite.query('PRAGMA wal_checkpoint(PASSIVE)').get()
    // SQLite flushes the file only with the last page of the log: without this, that flush would take long, and the writer waits for it.
    fdatasyncSync(file)
    state = logState(sqlite)
    if (state.left < FEW_PAGES || log - left >= state.log - state.left) break
  }
  return state
}

/** Copies the rest while no commit is running, so that the next commit begins the log from its start. Waits a moment for readers. */
function finish(sqlite: Database): LogState {
  const { busy } = sqlite.query<Row, []>('PRAGMA wal_checkpoint(RESTART)').get()!
  return { ...logState(sqlite), isBlocked: busy === 1 }
}

/** Performs the requests that this thread receives. Call it once, when the thread starts. */
export function serveCheckpoints(): void {
  let sqlite: Database
  let setup: Exclude<CheckpointRequest, string>
  const isStopping = () => Atomics.load(setup.state, 0) === STOPPING

  function perform(what: 'pass' | 'finish'): CheckpointReport {
    try {
      return what === 'pass' ? pass(sqlite, setup.file, isStopping) : finish(sqlite)
    } catch (error) {
      const { message, code } = error as Error & { code?: string }
      return { failed: { message, code } }
    }
  }

  self.onmessage = ({ data }: MessageEvent<CheckpointRequest>) => {
    if (typeof data === 'object') {
      setup = data
      sqlite = openForCheckpoints(data.path)
      return
    }
    const result = isStopping() ? undefined : perform(data)
    // Before the result is posted, since the writer may send another request when it receives it.
    Atomics.store(setup.state, 0, IDLE)
    Atomics.notify(setup.state, 0)
    if (result) self.postMessage(result)
  }
}
