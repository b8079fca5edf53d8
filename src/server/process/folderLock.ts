/**
 * A lock on a folder itself (flock(2)). A lock on a file in it is lost when someone deletes the file; a folder that is in use
 * stays. Windows has no such lock and does not need one: an open file cannot be deleted there.
 */
import { dlopen, read } from 'bun:ffi'
import { closeSync, openSync } from 'node:fs'
import { once } from '#kernel/once'

const [EXCLUSIVE, NOT_WAITING] = [2, 4]
/** The number of the error that another process has the lock, by system. */
const WOULD_BLOCK: Readonly<Record<string, number>> = { linux: 11, darwin: 35 }
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  linux: ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'],
  darwin: ['libSystem.B.dylib'],
}

type LockCall = (file: number) => 'locked' | 'held' | 'unknown'

/** The number of the last error of the system's library. */
function errorNumber(library: string): () => number {
  if (process.platform === 'darwin') {
    const { symbols } = dlopen(library, { __error: { args: [], returns: 'ptr' } })
    return () => read.i32(symbols.__error()!, 0)
  }
  const { symbols } = dlopen(library, { __errno_location: { args: [], returns: 'ptr' } })
  return () => read.i32(symbols.__errno_location()!, 0)
}

function lockFrom(library: string): LockCall {
  const { symbols } = dlopen(library, { flock: { args: ['i32', 'i32'], returns: 'i32' } })
  const lastError = errorNumber(library)
  return (file) => {
    if (symbols.flock(file, EXCLUSIVE | NOT_WAITING) === 0) return 'locked'
    return lastError() === WOULD_BLOCK[process.platform] ? 'held' : 'unknown'
  }
}

/** The lock function of the system; it does nothing on a system without one. */
const systemLock = once((): LockCall => {
  for (const library of LIBRARIES[process.platform] ?? []) {
    try {
      return lockFrom(library)
    } catch {
      // a system with another library
    }
  }
  return () => 'unknown'
})

/**
 * Locks a folder until the process ends or the lock is released. Undefined if another process has the lock.
 * A system or a file system without such locks is treated as if the folder were free: the lock file is all there is then.
 * @param patience milliseconds to wait for the lock
 */
export function lockFolder(path: string, patience: number): { release(): void } | undefined {
  if (process.platform === 'win32') return { release() {} }
  const file = openSync(path, 'r')
  const until = Date.now() + patience
  for (;;) {
    const result = systemLock(file)
    if (result !== 'held') return { release: () => closeSync(file) }
    if (Date.now() >= until) break
    Bun.sleepSync(20)
  }
  closeSync(file)
  return undefined
}
