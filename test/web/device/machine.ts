/** What the tabs of one device share: its clock, its locks, its database, its line to the server, and what they tell each other. */
import { IDBFactory } from 'fake-indexeddb'

type Timer = { at: number; act: () => void; tab: number }
type MessageListener = (event: { data: unknown }) => void

/** A request that waits on the line until the test says what becomes of it. */
export type Pending = {
  tab: number
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: unknown
  answer(response: Response): void
  fail(): void
}

type Holder = { tab: number; end: () => void }
type LockRequest = Holder & { begin: () => void }

/** The locks of a browser. Whoever is killed lets go of theirs. */
function lockManager() {
  const held = new Map<string, Holder>()
  const queued = new Map<string, LockRequest[]>()

  function next(name: string): void {
    held.delete(name)
    queued.get(name)?.shift()?.begin()
  }
  return {
    request<T>(
      tab: number,
      name: string,
      { ifAvailable = false, signal }: { ifAvailable?: boolean; signal?: AbortSignal },
      act: (lock: object | null) => Promise<T> | T,
    ): Promise<T> {
      if (held.has(name) && ifAvailable) return Promise.resolve(act(null))
      return new Promise<T>((resolve, reject) => {
        const holder = { tab, end: () => next(name) }
        const begin = () => {
          held.set(name, holder)
          const isHeld = () => held.get(name) === holder
          // As in a browser, never in the same turn.
          void Promise.resolve()
            .then(() => act({}))
            .then(resolve, reject)
            .finally(() => isHeld() && next(name))
        }
        if (!held.has(name)) return begin()
        const waiting = { ...holder, begin }
        const others = queued.get(name) ?? []
        queued.set(name, [...others, waiting])
        signal?.addEventListener('abort', () => {
          const all = queued.get(name) ?? []
          if (!all.includes(waiting)) return
          queued.set(
            name,
            all.filter((each) => each !== waiting),
          )
          reject(new DOMException('No lock.', 'AbortError'))
        })
      })
    },
    kill(tab: number): void {
      for (const [name, all] of queued)
        queued.set(
          name,
          all.filter((each) => each.tab !== tab),
        )
      for (const [name, holder] of [...held]) if (holder.tab === tab) next(name)
    },
  }
}

export type Machine = ReturnType<typeof machine>

/** A device at this time. */
export function machine(start: number) {
  let now = start
  const timers = new Map<number, Timer>()
  let lastTimer = 0
  const listeners = new Set<{ tab: number; channel: string; heard: MessageListener }>()
  const line: Pending[] = []
  const locks = lockManager()
  let work = 0

  return {
    idb: new IDBFactory(),
    locks,
    /** Notes that a tab has begun something. */
    begun: () => void work++,
    /** How much was begun so far. */
    work: () => work,
    /** Requests on their way to the server. */
    line,
    now: () => now,
    later(tab: number, act: () => void, after = 0): number {
      timers.set(++lastTimer, { tab, act, at: now + after })
      return lastTimer
    },
    cancel: (id: number | undefined) => void (id !== undefined && timers.delete(id)),
    /** The time of the next timer; undefined if there is none. */
    nextTimer: () => (timers.size ? Math.min(...[...timers.values()].map(({ at }) => at)) : undefined),
    /** Lets time pass. */
    forward(milliseconds: number): void {
      const end = now + milliseconds
      for (;;) {
        const [due] = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)
        if (!due) break
        timers.delete(due[0])
        now = Math.max(now, due[1].at)
        due[1].act()
      }
      now = end
    },
    listen(tab: number, channel: string, heard: MessageListener): void {
      listeners.add({ tab, channel, heard })
    },
    tell(from: number, channel: string, data: unknown): void {
      work++
      const message = structuredClone(data)
      const others = [...listeners].filter((each) => each.tab !== from && each.channel === channel)
      for (const { heard } of others) queueMicrotask(() => heard({ data: message }))
    },
    kill(tab: number): void {
      for (const [id, timer] of timers) if (timer.tab === tab) timers.delete(id)
      for (const listener of listeners) if (listener.tab === tab) listeners.delete(listener)
      locks.kill(tab)
    },
  }
}
