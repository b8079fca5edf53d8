/** The connection of the page to the server: it comes back by itself. */
import type { Received, Sent } from '#conduct/meetingRooms/messages'

type Options = {
  url: string
  received(message: Sent): void
  /** Whether the connection is there. */
  changed(isOpen: boolean): void
  /** Asks whether the link still works, where no connection could be made. False: it is of no use to try again. */
  mayTryAgain(): Promise<boolean>
}

/** In milliseconds: how often the page asks the server for a sign of life, and after which silence it connects anew. */
const [PING, SILENCE] = [5_000, 15_000]
/** How long it waits before it tries again: longer each time. */
const WAITS = [300, 1000, 2000, 4000, 5000]

export type Line = ReturnType<typeof openLine>

export function openLine({ url, received, changed, mayTryAgain }: Options) {
  let socket: WebSocket | undefined
  let isDone = false
  let attempts = 0
  let heardAt = 0
  let retry: ReturnType<typeof setTimeout> | undefined

  function connect(): void {
    clearTimeout(retry)
    if (isDone) return
    const current = new WebSocket(url)
    socket = current
    heardAt = Date.now()
    let wasOpen = false
    current.addEventListener('open', () => {
      wasOpen = true
      attempts = 0
      if (socket === current) changed(true)
    })
    current.addEventListener('message', ({ data }) => {
      heardAt = Date.now()
      if (socket === current) received(JSON.parse(`${data}`) as Sent)
    })
    current.addEventListener('close', () => void (socket === current && lost(wasOpen)))
  }

  async function lost(wasOpen: boolean): Promise<void> {
    socket = undefined
    if (isDone) return
    changed(false)
    if (!wasOpen && !(await mayTryAgain())) return
    if (isDone) return
    const wait = WAITS[Math.min(attempts++, WAITS.length - 1)] ?? 0
    clearTimeout(retry)
    retry = setTimeout(connect, wait * (0.7 + 0.6 * Math.random()))
  }

  const send = (message: Received): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  const beat = setInterval(() => {
    if (!socket) return
    if (Date.now() - heardAt < SILENCE) return send({ type: 'ping' })
    // Browsers may notice only after minutes that a network is gone.
    const silent = socket
    socket = undefined
    silent.close()
    void lost(true)
  }, PING)
  const atOnce = () => {
    if (!socket && !isDone) connect()
  }
  window.addEventListener('online', atOnce)
  connect()
  return {
    send,
    close(): void {
      isDone = true
      clearInterval(beat)
      clearTimeout(retry)
      window.removeEventListener('online', atOnce)
      socket?.close()
    },
  }
}
