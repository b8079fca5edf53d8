/**
 * Sends HTTP requests over persistent connections, from a process of its own, so that it does not use the event loop of the
 * server. Reads its plan as JSON from standard input and prints the results as JSON.
 *
 * Closed loop (without `rate`): each connection sends its next request when the last one is answered. Open loop: requests are
 * due at a fixed rate, and the latency of a request is measured from the time when it was due.
 */
export type Plan = {
  host: string
  port: number
  concurrency: number
  /** The number of requests that are measured; `warm` more are sent before. */
  requests: number
  warm: number
  /** Requests a second, for an open loop. */
  rate?: number
  headers: Record<string, string>
  /** The method; and the paths and bodies, which are used in turn. */
  method: string
  paths: string[]
  bodies: string[]
}

/** Latencies in milliseconds. */
export type LoadFigures = {
  perSecond: number
  p50: number
  p99: number
  max: number
  failed: number
  firstFailure?: string
}

async function load(plan: Plan): Promise<LoadFigures> {
  const head = Object.entries(plan.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const encoded = (at: number) => {
    const body = plan.bodies.length ? plan.bodies[at % plan.bodies.length]! : ''
    const length = body ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` : ''
    return `${plan.method} ${plan.paths[at % plan.paths.length]} HTTP/1.1\r\nHost: localhost\r\n${head}${length}\r\n${body}`
  }
  const total = plan.warm + plan.requests
  const latencies = new Float64Array(plan.requests)
  let sent = 0
  let answered = 0
  let failed = 0
  let firstFailure: string | undefined
  let started = 0
  let finish: () => void
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const idle: ((due: number) => void)[] = []
  const overdue: number[] = []

  async function connection(): Promise<void> {
    let due = 0
    let received = ''
    const send = (socket: { write(data: string): number }, at: number) => {
      due = at
      received = ''
      if (sent === plan.warm) started = performance.now()
      const text = encoded(sent++)
      pending = text
      flush(socket)
    }
    let pending = ''
    const flush = (socket: { write(data: string): number }) => {
      const written = socket.write(pending)
      pending = written < pending.length ? pending.slice(written) : ''
    }
    const next = (socket: { write(data: string): number }) => {
      if (plan.rate === undefined) {
        if (sent < total) send(socket, performance.now())
      } else if (overdue.length) send(socket, overdue.shift()!)
      else idle.push((at) => send(socket, at))
    }
    await Bun.connect({
      hostname: plan.host,
      port: plan.port,
      socket: {
        open: (socket) => next(socket),
        drain: (socket) => {
          if (pending) flush(socket)
        },
        data(socket, chunk) {
          received += chunk.toString('latin1')
          const end = received.indexOf('\r\n\r\n')
          if (end < 0) return
          const length = /content-length: (\d+)/i.exec(received.slice(0, end))
          if (!length || received.length < end + 4 + Number(length[1])) return
          const at = answered++ - plan.warm
          if (at >= 0) latencies[at] = performance.now() - due
          if (!received.startsWith('HTTP/1.1 200')) {
            failed++
            firstFailure ??= received.slice(0, 600)
          }
          if (answered === total) finish()
          else next(socket)
        },
      },
    })
  }
  await Promise.all(Array.from({ length: plan.concurrency }, connection))
  if (plan.rate !== undefined) {
    const begin = performance.now()
    let issued = 0
    const timer = setInterval(() => {
      const now = performance.now()
      while (issued < total && begin + (issued * 1000) / plan.rate! <= now) {
        const at = begin + (issued++ * 1000) / plan.rate!
        const free = idle.shift()
        if (free) free(at)
        else overdue.push(at)
      }
      if (issued === total) clearInterval(timer)
    }, 1)
  }
  await done
  const seconds = (performance.now() - started) / 1000
  latencies.sort()
  const at = (share: number) => latencies[Math.min(plan.requests - 1, Math.floor(plan.requests * share))]!
  return { perSecond: plan.requests / seconds, p50: at(0.5), p99: at(0.99), max: at(1), failed, firstFailure }
}

if (import.meta.main) {
  const measured = await load(JSON.parse(await Bun.stdin.text()) as Plan)
  console.log(JSON.stringify(measured))
  process.exit(0)
}
