/** Checkpoints by a thread of their own: what is committed is in the file later, the log stays short, nobody is lost. */
import { afterEach, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { checkpointThread, openCheckpoints, type StartThread } from '#db/checkpoints'
import { type CheckpointReport, type CheckpointRequest, IDLE, logState } from '#db/checkpointThread'
import { committer } from '#db/commit'
import { emptyLog } from '#db/file'
import { openSqlite, type Sqlite } from '#db/open'
import { spawnCheckpointer } from '#start/spawnWorker'
import { temporaryFolder } from '../temporary'
import '../harness'
import { proof } from '../proof'

const opened: { close(): void }[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.close()
})

const PAGE = 4096
const CONTENT = 'x'.repeat(PAGE)

/** A database with checkpoints by this thread. `write` commits so many pages; `close` is what the service does at its end. */
function study(start: StartThread = checkpointThread(spawnCheckpointer)) {
  const path = join(temporaryFolder(), 'a.db')
  const sqlite = openSqlite(path)
  sqlite.run('CREATE TABLE things (_id INTEGER PRIMARY KEY, content TEXT) STRICT')
  const faults: string[] = []
  const writer = committer(sqlite, () => checkpoints.afterCommit())
  // Shorter than in use, so that little needs to be written.
  const lengths = { pass: 1_000, long: 4_000, tooLong: 8_000 }
  const note = (reason: unknown) => faults.push((reason as Error).message)
  const checkpoints = openCheckpoints(sqlite, start, writer, note, lengths)
  const insert = (pages: number) => {
    for (let page = 0; page < pages; page++) sqlite.query('INSERT INTO things (content) VALUES (?)').run(CONTENT)
    return pages
  }
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    const closed = checkpoints.close()
    writer.close()
    emptyLog(sqlite)
    const size = statSync(`${path}-wal`).size
    sqlite.close()
    closed()
    return size
  }
  opened.push({ close })
  return {
    path,
    sqlite,
    faults,
    checkpoints,
    writer,
    close,
    write: (pages: number) => writer.commit(() => insert(pages)),
  }
}

const countIn = (sqlite: Sqlite) =>
  sqlite.query<{ rows: number }, []>('SELECT count(*) AS rows FROM things').get()!.rows

test('the log begins from its start again while others write, and all that was committed is there', async () => {
  const { sqlite, path, checkpoints, write, close } = study()
  let [written, longest, restarts, before] = [0, 0, 0, 0]
  while (restarts < 3) {
    written += await write(50)
    const { log } = logState(sqlite)
    if (log < before) restarts++
    before = log
    longest = Math.max(longest, log)
    await Bun.sleep(0)
  }
  expect(checkpoints.count()).toBeGreaterThan(3)
  expect(longest).toBeLessThan(written)
  expect(close()).toBe(0)
  const again = openSqlite(path)
  expect(countIn(again)).toBe(written)
  expect(again.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  again.close()
})

test('a commit is in the log when it is answered, though the file lacks it', async () => {
  const { sqlite, path, write } = study(silent().start)
  await write(1_500)
  expect(logState(sqlite).left).toBeGreaterThan(1_499)
  const other = openSqlite(path, { readonly: true })
  expect(countIn(other)).toBe(1_500)
  other.close()
})

proof('a stop empties the log, whatever the thread does at the moment', async () => {
  for (const pause of [0, 1, 5]) {
    const { write, close, faults } = study()
    await write(3_000)
    await Bun.sleep(pause)
    expect(close()).toBe(0)
    expect(faults).toEqual([])
  }
})

test('a small log is left to the stop: no thread is started for it', async () => {
  let started = 0
  const { write, close } = study((...about) => {
    started++
    return silent().start(...about)
  })
  await write(400)
  expect(started).toBe(0)
  expect(close()).toBe(0)
})

/** A thread that does nothing but remember what it was told, and says what the test says. */
function silent() {
  const asked: CheckpointRequest[] = []
  let state: Int32Array
  const on: Parameters<StartThread>[] = []
  const start: StartThread = (...about) => {
    on.push(about)
    const send = (message: CheckpointRequest) => {
      if (typeof message !== 'string') state = message.state
      else asked.push(message)
      Atomics.store(state, 0, IDLE)
    }
    return { send, end: () => {} }
  }
  return {
    start,
    asked: () => asked.splice(0),
    post: (message: CheckpointReport) => on.at(-1)![0](message),
    stop: () => on.at(-1)![1](new Error('no memory')),
  }
}

/** What the writer asks for after a pass that left the log like this. */
test.each([
  ['short', { log: 3_999, left: 0 }, []],
  ['long, and nearly all of it is in the file', { log: 4_000, left: 399 }, ['finish']],
  ['long, with a reader in the way', { log: 7_999, left: 400 }, []],
  ['too long, with a reader in the way', { log: 8_000, left: 6_000 }, ['finish']],
] as const)('the writer is held if the log is too long: %s', async (_, state, wanted) => {
  const thread = silent()
  const { write, writer, sqlite } = study(thread.start)
  await write(1_100)
  expect(thread.asked()).toEqual(['pass'])
  thread.post(state)
  expect(thread.asked()).toEqual([...wanted])
  const next = write(1)
  if (wanted.length) {
    await Bun.sleep(1)
    expect(countIn(sqlite)).toBe(1_100)
    thread.post({ log: state.log, left: 0, isBlocked: false })
  }
  await next
  expect(countIn(sqlite)).toBe(1_101)
  writer.flush()
})

test('a reader who stays does not hold the writer again and again', async () => {
  const thread = silent()
  const { write } = study(thread.start)
  await write(1_100)
  const after = async (state: CheckpointReport) => {
    thread.asked()
    thread.post(state)
    const asked = thread.asked()
    if (!asked.length) await write(1)
    return asked
  }
  expect(await after({ log: 9_000, left: 5_000 })).toEqual(['finish'])
  expect(await after({ log: 9_000, left: 5_000, isBlocked: true })).toEqual([])
  expect(await after({ log: 12_000, left: 8_000 })).toEqual([])
  expect(await after({ log: 17_999, left: 9_000 })).toEqual([])
  expect(await after({ log: 18_000, left: 9_000 })).toEqual(['finish'])
  expect(await after({ log: 18_000, left: 0, isBlocked: false })).toEqual([])
  expect(await after({ log: 8_000, left: 900 })).toEqual(['finish'])
})

test('a failure of the thread is reported and the writer goes on; if the thread ends, the writer does the work', async () => {
  const thread = silent()
  const { write, faults, sqlite } = study(thread.start)
  await write(1_100)
  thread.post({ log: 9_000, left: 1_100 })
  const next = write(1)
  thread.post({ failed: { message: 'database or disk is full', code: 'SQLITE_FULL' } })
  await next
  expect(faults).toEqual(['database or disk is full'])
  thread.stop()
  expect(faults).toEqual(['database or disk is full', 'no memory'])
  await write(10)
  expect(logState(sqlite).left).toBe(0)
})

test('a thread that does not start leaves the work to the writer', async () => {
  const { write, faults, sqlite } = study(() => {
    throw new Error('too many threads')
  })
  await write(1_100)
  await write(1)
  expect(faults).toEqual(['too many threads'])
  expect(logState(sqlite).left).toBe(0)
})
