import { Database } from 'bun:sqlite'

/**
 * Opens a small SQLite file with an exclusive transaction, which the system itself frees when the process dies.
 * @param wait milliseconds. Answers undefined where another has it. @throws SQLite's error for a file that cannot be used
 */
export function openExclusively(path: string, wait: number): Database | undefined {
  const database = new Database(path, { create: true, strict: true })
  try {
    // Not `locking_mode=EXCLUSIVE`: a loser would keep its shared lock, and of two that start at once neither would win.
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
