/**
 * Sends HTTP requests over persistent connections, from a process of its own, so that its work is not counted as the server's.
 * Reads its plan as JSON from standard input and prints the results as JSON: at its end, or on SIGTERM.
 *
 * Closed loop (without `rate`): each connection sends its next request when the last one is answered. Open loop: requests are
 * due at a fixed rate, and the latency of a request is measured from the time when it was due.
 */
export type Plan = {
  port: number
  concurrency: number
  requests: number
  /** Requests a second, for an open loop. */
  rate?: number
  headers: Record<string, string>
  /** The method; and the paths and bodies, which are used in turn. */
  method: string
  paths: string[]
  bodies: string[]
}

/** Latencies in milliseconds. `unanswered`: requests that were sent and not answered at the end. */
export type LoadFigures = {
  perSecond: number
  answered: number
  unanswered: number
  p50: number
  p99: number
  max: number
  failed: number
  firstFailure?: string | undefined
}

/** The client gives up when nothing was answered for so long. */
const PATIENCE_MS = 60_000

type Socket = { write(data: string): number }

async function load(plan: Plan): Promise<LoadFigures> {
  const head = Object.entries(plan.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const encoded = (at: number) => {
    const body = plan.bodies.length ? plan.bodies[at % plan.bodies.length]! : ''
    const length = body ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` : ''
    return `${plan.method} ${plan.paths[at % plan.paths.length]} HTTP/1.1\r\nHost: localhost\r\n${head}${length}\r\n${body}`
  }
  const latencies = new Float64Array(plan.requests)
  let [sent, answered, failed] = [0, 0, 0]
  let firstFailure: string | undefined
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  process.on('SIGTERM', () => finish())
  let lastAnswerAt = performance.now()
  const patience = setInterval(() => {
    if (performance.now() - lastAnswerAt > PATIENCE_MS) finish()
  }, 1_000)
  const idle: ((due: number) => void)[] = []
  const overdue: number[] = []

  async function connection(): Promise<void> {
    let due = 0
    let received = ''
    let pending = ''
    const flush = (socket: Socket) => {
      const written = socket.write(pending)
      pending = written < pending.length ? pending.slice(written) : ''
    }
    const send = (socket: Socket, at: number) => {
      due = at
      received = ''
      pending = encoded(sent++)
      flush(socket)
    }
    const next = (socket: Socket) => {
      if (plan.rate === undefined) {
        if (sent < plan.requests) send(socket, performance.now())
      } else if (overdue.length) send(socket, overdue.shift()!)
      else idle.push((at) => send(socket, at))
    }
    const lost = () => {
      failed++
      firstFailure ??= 'the server closed the connection'
      finish()
    }
    await Bun.connect({
      hostname: '127.0.0.1',
      port: plan.port,
      socket: {
        open: next,
        close: lost,
        drain: (socket) => {
          if (pending) flush(socket)
        },
        data(socket, chunk) {
          received += chunk.toString('latin1')
          const end = received.indexOf('\r\n\r\n')
          if (end < 0) return
          const length = /content-length: (\d+)/i.exec(received.slice(0, end))
          if (!length || received.length < end + 4 + Number(length[1])) return
          lastAnswerAt = performance.now()
          latencies[answered++] = lastAnswerAt - due
          if (!received.startsWith('HTTP/1.1 200')) {
            failed++
            firstFailure ??= received.slice(0, 600)
          }
          if (answered === plan.requests) finish()
          else next(socket)
        },
      },
    })
  }

  const started = performance.now()
  await Promise.all(Array.from({ length: plan.concurrency }, connection))
  if (plan.rate !== undefined) {
    const begin = performance.now()
    let issued = 0
    const timer = setInterval(() => {
      const now = performance.now()
      while (issued < plan.requests && begin + (issued * 1000) / plan.rate! <= now) {
        const at = begin + (issued++ * 1000) / plan.rate!
        const free = idle.shift()
        if (free) free(at)
        else overdue.push(at)
      }
      if (issued === plan.requests) clearInterval(timer)
    }, 1)
  }
  await done
  clearInterval(patience)
  const seconds = (performance.now() - started) / 1000
  const times = latencies.subarray(0, answered).sort()
  const at = (share: number) => times[Math.min(answered - 1, Math.floor(answered * share))] ?? Number.NaN
  const unanswered = sent - answered
  const shares = { p50: at(0.5), p99: at(0.99), max: at(1) }
  return { perSecond: answered / seconds, answered, unanswered, ...shares, failed, firstFailure }
}

if (import.meta.main) {
  console.log(JSON.stringify(await load(JSON.parse(await Bun.stdin.text()) as Plan)))
  process.exit(0)
}
