import type { Database } from 'bun:sqlite'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openExclusively } from '#db/lockFile'
import { fault } from '#kernel/fault'

/** The process that holds a data directory, as far as it told. */
export type Holder = { pid: number; address?: string }

/** A data directory held by this process. */
export type Lock = {
  /** Tells those who are refused where this process listens. */
  tell(address: string): void
  release(): void
}

/** Held locks stay referenced here: a collected connection would be closed, and the directory would be free. */
const held = new Map<string, Database>()

/** Long enough for the other of two that start at once to win and write its name. */
const PATIENCE_MS = 300

/**
 * Holds the data directory for this process (docs/running.md, "The data directory"). The lock is an open exclusive
 * transaction on a small SQLite file: the system itself frees it when the process dies in whatever way. Nothing else in
 * this process may open that file, since closing it would free the lock.
 * @throws a fault that names the holder where another process has it
 */
export function lock(directory: string): Lock {
  const path = join(directory, 'lock')
  const sidecar = join(directory, 'lock.json')
  const database = held.has(path) ? undefined : take(path)
  if (!database) throw fault(inUse(directory, holderOf(directory)))
  held.set(path, database)
  const tell = (holder: Holder) => writeFileSync(sidecar, JSON.stringify(holder), { mode: 0o600 })
  tell({ pid: process.pid })
  return {
    tell: (address) => tell({ pid: process.pid, address }),
    release() {
      if (!held.delete(path)) return
      rmSync(sidecar, { force: true })
      database.close()
    },
  }
}

/** Whether some process, this one included, holds the directory. */
export function isHeld(directory: string): boolean {
  const path = join(directory, 'lock')
  if (held.has(path)) return true
  const database = take(path)
  database?.close()
  return !database
}

/** Who holds the directory, if it told and still lives. */
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

/** The lock file with its exclusive transaction open, or undefined where another has it. */
function take(path: string): Database | undefined {
  try {
    return openExclusively(path, PATIENCE_MS)
  } catch (error) {
    throw fault(`The lock file ${path} cannot be used: ${(error as Error).message}.`)
  }
}
