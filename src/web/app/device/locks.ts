/** Locks that the tabs of the app share. Where the browser has none, as over plain HTTP, everybody gets them. */

/** Milliseconds that somebody waits for a lock that another tab may be letting go. */
const SOON = 2_000

/** The lock of the draft of an occurrence: one tab edits it. */
export const draftLock = (who: string, occurrence: string): string => `draft ${who} ${occurrence}`

/** Holds a lock until the returned function is called; undefined if another tab has it. */
export async function lockOf(name: string, isPatient = false): Promise<(() => void) | undefined> {
  if (!navigator.locks) return () => {}
  const options = isPatient ? { signal: AbortSignal.timeout(SOON) } : { ifAvailable: true }
  return new Promise((resolve) => {
    navigator.locks
      .request(name, options, (lock) => {
        if (!lock) return resolve(undefined)
        return new Promise<void>((release) => resolve(() => release()))
      })
      .catch(() => resolve(undefined))
  })
}

/** Acts while no other tab holds this lock, and waits for it. */
export const exclusively = <T>(name: string, act: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request(name, act) : act()
