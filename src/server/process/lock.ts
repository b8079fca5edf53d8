import type { Database } from 'bun:sqlite'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openExclusively } from '#db/lockFile'
import { fault } from '#kernel/fault'
import { lockFolder } from './folderLock'

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
const connections = new Map<string, HeldLock>()

/** The lock file and the folder: the folder's lock stays when someone deletes the file. */
type HeldLock = { database: Database; folder: { release(): void } }

/** If two processes start at once, the loser waits this long for the winner to write its id. */
const PATIENCE_MS = 300

/**
 * Locks the data directory for this process (docs/running.md, "The data directory"). The lock is that of the folder, and an
 * open exclusive transaction on a small SQLite file: the operating system frees both when the process ends, in any way. Nothing else in
 * this process may open that file, because closing it would free the lock.
 * @throws a fault that names the holder if another process has the lock
 */
export function lock(directory: string): Lock {
  const path = join(directory, 'lock')
  const sidecar = join(directory, 'lock.json')
  const held = connections.has(path) ? undefined : acquire(directory)
  if (!held) throw fault(inUse(directory, holderOf(directory)))
  connections.set(path, held)
  const record = (holder: Holder) => writeFileSync(sidecar, JSON.stringify(holder), { mode: 0o600 })
  record({ pid: process.pid })
  return {
    recordAddress: (address) => record({ pid: process.pid, address }),
    release() {
      if (!connections.delete(path)) return
      rmSync(sidecar, { force: true })
      releaseBoth(held)
    },
  }
}

/** Whether any process, this one included, holds the lock. @param wait milliseconds to wait until it is free */
export function isHeld(directory: string, wait = PATIENCE_MS): boolean {
  const path = join(directory, 'lock')
  if (connections.has(path)) return true
  const held = acquire(directory, wait)
  if (held) releaseBoth(held)
  return !held
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

function releaseBoth({ database, folder }: HeldLock): void {
  database.close()
  folder.release()
}

/** Locks the folder and the lock file. Returns undefined if another process has either. */
function acquire(directory: string, wait = PATIENCE_MS): HeldLock | undefined {
  const folder = lockFolder(directory, wait)
  if (!folder) return undefined
  const path = join(directory, 'lock')
  try {
    const database = openExclusively(path, wait)
    if (database) return { database, folder }
    folder.release()
    return undefined
  } catch (error) {
    folder.release()
    throw fault(`The lock file ${path} cannot be used: ${(error as Error).message}.`)
  }
}
