/** What the person opens and reads, on its way to the server: in groups, and without keeping anybody waiting. */

type Event = { type: 'page'; page: string } | { type: 'readToEnd' | 'ended' }

/** Entries in one request, and of pages in one visit. */
const [AT_ONCE, MOST_PAGES] = [50, 150]
/** Milliseconds until a group is sent, and until the next try. */
const [SOON, LATER] = [2_000, 15_000]

export type ActivityLog = ReturnType<typeof createActivityLog>

/** @param path of the session */
export function createActivityLog(path: string) {
  let waiting: Event[] = []
  let pages = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<boolean> | undefined

  async function send(events: readonly Event[]): Promise<number> {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
    try {
      // It goes on after the page was left.
      const options = { method: 'POST', headers, body: JSON.stringify({ events }), keepalive: true }
      return (await fetch(`${path}/events`, options)).status
    } catch {
      return 0
    }
  }
  async function sendAll(): Promise<boolean> {
    while (waiting.length) {
      const group = waiting.slice(0, AT_ONCE)
      const status = await send(group)
      const isLater = status === 0 || status === 429 || status >= 500
      if (isLater) {
        schedule(LATER)
        return false
      }
      // What the server refuses is not sent again.
      waiting = waiting.slice(group.length)
    }
    return true
  }
  function schedule(pause: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), pause)
  }
  /** Sends what waits. Returns whether everything was sent. */
  function flush(): Promise<boolean> {
    clearTimeout(timer)
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }
  const leave = () => void flush()
  addEventListener('pagehide', leave)

  return {
    note(event: Event): void {
      if (event.type === 'page' && ++pages > MOST_PAGES) return
      waiting.push(event)
      if (event.type === 'page') schedule(SOON)
      else void flush()
    },
    flush,
    stop(): void {
      clearTimeout(timer)
      removeEventListener('pagehide', leave)
    },
  }
}
