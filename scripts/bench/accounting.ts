/** What a server process used: CPU time, memory, and pages of the write-ahead log. Read from outside, so that it costs it nothing. */
import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

const statusFile = (pid: number | 'self') => `/proc/${pid}/status`
const hasMemoryFigures = existsSync(statusFile('self'))

/** Memory of a process in MB: `VmHWM` is its peak, `VmRSS` the current size. NaN where the system does not tell. */
export const memory = (what: 'VmHWM' | 'VmRSS', pid: number | 'self' = 'self'): number =>
  hasMemoryFigures
    ? Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(statusFile(pid), 'utf8'))![1]) / 1024
    : Number.NaN

/** CPU time in µs that all threads of the process have used. NaN where the system does not tell. */
export function cpuTime(pid: number): number {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(`/proc/${pid}/schedstat`)) return Number.NaN
  let nanoseconds = 0
  for (const task of readdirSync(tasks)) {
    try {
      nanoseconds += Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // the thread has ended meanwhile
    }
  }
  return nanoseconds / 1000
}

/**
 * Waits until the process is idle, at most for some seconds: what it leaves to later, such as the progress of participants, belongs
 * to the requests that caused it.
 */
export async function idle(pid: number, atMost = 20_000): Promise<void> {
  const end = performance.now() + atMost
  for (let before = cpuTime(pid); performance.now() < end; ) {
    await Bun.sleep(400)
    const now = cpuTime(pid)
    if (!(now - before > 8_000)) return
    before = now
  }
}

const WAL_HEADER = 32
const FRAME_HEADER = 24

/**
 * The numbers of the pages that are written to the write-ahead log during `work`, one for each time. A reader that stays open
 * keeps the log from being used again from its beginning, so that all of them are in it.
 */
export async function walPages(database: string, work: () => Promise<unknown>): Promise<number[]> {
  const sqlite = new Database(database)
  try {
    sqlite.run('PRAGMA busy_timeout = 500')
    await emptyWal(sqlite)
    sqlite.run('BEGIN')
    const { size } = sqlite.query<{ size: number }, []>('SELECT page_size AS size FROM pragma_page_size').get()!
    sqlite.query('SELECT 1 FROM sqlite_schema').get()
    await work()
    sqlite.run('COMMIT')
    return await pagesIn(`${database}-wal`, FRAME_HEADER + size)
  } finally {
    sqlite.close()
  }
}

/** Empties the write-ahead log. Waits for readers and checkpoints of the server, at most a minute. */
async function emptyWal(sqlite: Database): Promise<void> {
  const checkpoint = sqlite.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)')
  for (let attempts = 0; checkpoint.get()!.busy; attempts++) {
    if (attempts === 120) throw new Error(`the write-ahead log of ${sqlite.filename} stays in use`)
    await Bun.sleep(500)
  }
}

/** The page number of each frame, which its header begins with. */
async function pagesIn(path: string, frame: number): Promise<number[]> {
  const file = await open(path)
  const { size } = await file.stat()
  const pages: number[] = []
  const number = Buffer.alloc(4)
  for (let at = WAL_HEADER; at + frame <= size; at += frame) {
    await file.read(number, 0, 4, at)
    pages.push(number.readUInt32BE())
  }
  await file.close()
  return pages
}

/** How many of these pages belong to each table and index, the most first. Reads the whole database. */
export function pagesByTable(database: string, pages: readonly number[]): [name: string, count: number][] {
  const sqlite = new Database(database, { readonly: true })
  const rows = sqlite.query<{ page: number; name: string }, []>('SELECT pageno AS page, name FROM dbstat').all()
  sqlite.close()
  const names = new Map(rows.map(({ page, name }) => [page, name]))
  const counts = new Map<string, number>()
  for (const page of pages) {
    const name = names.get(page) ?? 'free pages'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one)
}
