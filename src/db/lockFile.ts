import { Database } from 'bun:sqlite'

/**
 * Opens a small SQLite file and begins an exclusive transaction. The operating system releases the lock when the process
 * dies. Returns undefined if another process has the lock.
 * @param wait milliseconds to wait for the lock
 * @throws SQLite's error if the file cannot be used
 */
export function openExclusively(path: string, wait: number): Database | undefined {
  const database = new Database(path, { create: true, strict: true })
  try {
    // Not `locking_mode=EXCLUSIVE`: two processes that start at once would each keep a shared lock, and neither would win.
    database.run(`PRAGMA busy_timeout = ${wait}`)
    database.run('PRAGMA journal_mode = MEMORY')
    database.run('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (/^SQLITE_BUSY/.test((error as { code?: string }).code ?? '')) return undefined
    throw error
  }
}
