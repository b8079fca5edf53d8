/** The connection of the page to the server: it comes back by itself. */
import type { ClientMessage, ServerMessage } from '#conduct/meetingRooms/messages'

type Options = {
  url: string
  onMessage(message: ServerMessage): void
  /** Whether the connection is there. */
  onChange(isOpen: boolean): void
  /** Asks whether the link still works, where no connection could be made. False: it is of no use to try again. */
  mayTryAgain(): Promise<boolean>
}

/** In milliseconds: how often the page asks the server for a sign of life, and after which silence it connects anew. */
const [PING, SILENCE] = [5_000, 15_000]
/** How long it waits before it tries again: longer each time. */
const WAITS = [300, 1000, 2000, 4000, 5000]

export type RoomConnection = ReturnType<typeof openRoomConnection>

export function openRoomConnection({ url, onMessage, onChange, mayTryAgain }: Options) {
  let socket: WebSocket | undefined
  let isDone = false
  let attempts = 0
  let lastMessageAt = 0
  let retry: ReturnType<typeof setTimeout> | undefined

  function connect(): void {
    clearTimeout(retry)
    if (isDone) return
    const current = new WebSocket(url)
    socket = current
    lastMessageAt = Date.now()
    let wasOpen = false
    current.addEventListener('open', () => {
      wasOpen = true
      attempts = 0
      if (socket === current) onChange(true)
    })
    current.addEventListener('message', ({ data }) => {
      lastMessageAt = Date.now()
      if (socket === current) onMessage(JSON.parse(`${data}`) as ServerMessage)
    })
    current.addEventListener('close', () => void (socket === current && handleClose(wasOpen)))
  }

  async function handleClose(wasOpen: boolean): Promise<void> {
    socket = undefined
    if (isDone) return
    onChange(false)
    if (!wasOpen && !(await mayTryAgain())) return
    if (isDone) return
    const wait = WAITS[Math.min(attempts++, WAITS.length - 1)] ?? 0
    clearTimeout(retry)
    retry = setTimeout(connect, wait * (0.7 + 0.6 * Math.random()))
  }

  const send = (message: ClientMessage): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  const heartbeat = setInterval(() => {
    if (!socket) return
    if (Date.now() - lastMessageAt < SILENCE) return send({ type: 'ping' })
    // Browsers may notice only after minutes that a network is gone.
    const silent = socket
    socket = undefined
    silent.close()
    void handleClose(true)
  }, PING)
  const reconnectNow = () => {
    if (!socket && !isDone) connect()
  }
  window.addEventListener('online', reconnectNow)
  connect()
  return {
    send,
    close(): void {
      isDone = true
      clearInterval(heartbeat)
      clearTimeout(retry)
      window.removeEventListener('online', reconnectNow)
      socket?.close()
    },
  }
}
