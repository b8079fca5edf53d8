/** What a server process used: CPU time, memory, and pages of the write-ahead log. Read from outside, so that it costs it nothing. */
import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

const statusFile = (pid: number | 'self') => `/proc/${pid}/status`
export const knowsMemory = existsSync(statusFile('self'))

/** Memory of a process in MB: `VmHWM` is its peak, `VmRSS` the current size. NaN where the system does not tell. */
export const memory = (what: 'VmHWM' | 'VmRSS', pid: number | 'self' = 'self'): number =>
  knowsMemory
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
 * The number of pages that are written to the write-ahead log during `work`. A reader that stays open keeps the log from being
 * used again from its beginning, so that its size is the number of pages.
 */
export async function walPages(database: string, work: () => Promise<unknown>): Promise<number> {
  const sqlite = new Database(database)
  try {
    sqlite.run('PRAGMA busy_timeout = 10000')
    const { busy } = sqlite.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()!
    if (busy) throw new Error(`the write-ahead log of ${database} is in use`)
    sqlite.run('BEGIN')
    const { size } = sqlite.query<{ size: number }, []>('SELECT page_size AS size FROM pragma_page_size').get()!
    sqlite.query('SELECT 1 FROM sqlite_schema').get()
    await work()
    return Math.max(0, statSync(`${database}-wal`).size - WAL_HEADER) / (FRAME_HEADER + size)
  } finally {
    sqlite.close()
  }
}
