import type { Database } from 'bun:sqlite'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openExclusively } from '#db/lockFile'
import { fault } from '#kernel/fault'

/** The process that holds the lock of a data directory; `address` if it has recorded where it listens. */
export type Holder = { pid: number; address?: string }

/** The lock that this process holds on a data directory. */
export type Lock = {
  /** Records where this process listens, for the message that another process gets when it is refused. */
  recordAddress(address: string): void
  release(): void
}

/**
 * The connections of the locks of this process, by path. Without a reference, garbage collection would close one and free its
 * lock.
 */
const connections = new Map<string, Database>()

/** If two processes start at once, the loser waits this long for the winner to write its id. */
const PATIENCE_MS = 300

/**
 * Locks the data directory for this process (docs/running.md, "The data directory"). The lock is an open exclusive
 * transaction on a small SQLite file: the operating system frees it when the process ends, in any way. Nothing else in
 * this process may open that file, because closing it would free the lock.
 * @throws a fault that names the holder if another process has the lock
 */
export function lock(directory: string): Lock {
  const path = join(directory, 'lock')
  const sidecar = join(directory, 'lock.json')
  const database = connections.has(path) ? undefined : take(path)
  if (!database) throw fault(inUse(directory, holderOf(directory)))
  connections.set(path, database)
  const record = (holder: Holder) => writeFileSync(sidecar, JSON.stringify(holder), { mode: 0o600 })
  record({ pid: process.pid })
  return {
    recordAddress: (address) => record({ pid: process.pid, address }),
    release() {
      if (!connections.delete(path)) return
      rmSync(sidecar, { force: true })
      database.close()
    },
  }
}

/** Whether any process, this one included, holds the lock. @param wait milliseconds to wait until it is free */
export function isHeld(directory: string, wait = PATIENCE_MS): boolean {
  const path = join(directory, 'lock')
  if (connections.has(path)) return true
  const database = take(path, wait)
  database?.close()
  return !database
}

/** The process that holds the lock, if it has recorded its id and still runs. */
export function holderOf(directory: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(join(directory, 'lock.json'), 'utf8')) as Holder
    process.kill(holder.pid, 0)
    return holder
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? { pid: 0 } : undefined
  }
}

function inUse(directory: string, holder: Holder | undefined): string {
  const who = holder?.pid ? ` (process ${holder.pid}${holder.address ? `, ${holder.address}` : ''})` : ''
  return `The data directory ${directory} is in use by another Trialbox${who}: stop that one first, or choose another directory with --data.`
}

/** Opens the lock file and begins its exclusive transaction. Returns undefined if another process has it. */
function take(path: string, wait = PATIENCE_MS): Database | undefined {
  try {
    return openExclusively(path, wait)
  } catch (error) {
    throw fault(`The lock file ${path} cannot be used: ${(error as Error).message}.`)
  }
}
