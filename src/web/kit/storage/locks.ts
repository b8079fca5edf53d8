/** Locks that the tabs of the app share. Where the browser has no locks, as over plain HTTP, every request for one succeeds. */

/** Timeout in milliseconds for a lock that another tab may be about to release. */
const LOCK_TIMEOUT = 2_000

/** The lock of the draft of an occurrence: one tab edits it. */
export const draftLock = (who: string, occurrence: string): string => `draft ${who} ${occurrence}`

/** Holds a lock until the returned function is called; undefined if another tab has it. */
export async function acquireLock(name: string, isPatient = false): Promise<(() => void) | undefined> {
  if (!navigator.locks) return () => {}
  const options = isPatient ? { signal: AbortSignal.timeout(LOCK_TIMEOUT) } : { ifAvailable: true }
  return new Promise((resolve) => {
    navigator.locks
      .request(name, options, (lock) => {
        if (!lock) return resolve(undefined)
        return new Promise<void>((release) => resolve(() => release()))
      })
      .catch(() => resolve(undefined))
  })
}

/** Waits for this lock, and runs the function while it is held. */
export const withLock = <T>(name: string, act: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request(name, act) : act()
