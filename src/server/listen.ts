/** Serves a service on a socket: operations, files, pages and metrics. */
import type { Server } from 'bun'
import type { Connection } from '#conduct/meetingRooms/connection'
import { toResponse } from '#http/answer'
import { newRequestId } from '#http/mount'
import { fault } from '#kernel/fault'
import { refusalOf } from '#kernel/machine'
import { metricsFor, monitorCheck } from '#server/metrics/route'
import { storageServerOptions } from '#storage/routes'
import { missingAt, pageAt } from '#web/pages'
import type { Trust } from '#web/trust/answer'
import { corsFor } from './cors'
import type { Service } from './service'

type HttpServer = {
  /** The port that it listens on; a free one if 0 was configured. */
  port: number
  /** Accepts no more requests and closes idle connections. Resolves when requests in progress are answered. */
  stop(): Promise<void>
  /**
   * Shows another certificate to new connections from now on; those that are open keep theirs until they close. Returns false
   * where the system cannot do that without a restart.
   */
  replaceCertificate(next: Shown): boolean
}

/** A certificate that a server shows, as PEM texts. */
type Shown = { cert: string; key: string; isSigned?: boolean }

/** Whether two listeners of this process can share a port, so that one takes over from the other (SO_REUSEPORT). */
const CAN_SHARE = process.platform === 'linux'

/** Bun's maximum, in seconds. A streamed response or an upload counts as active with every chunk. */
const IDLE_SECONDS = 255

/** The WebSockets of the rooms of meetings. */
const ROOMS = '/meeting-rooms/'
/**
 * What they may send at once is what the longest description of a browser needs. One whose connection is silent is found by a ping
 * within half a minute.
 */
const websocket: Bun.WebSocketHandler<Connection> = {
  maxPayloadLength: 64 * 1024,
  backpressureLimit: 1024 * 1024,
  closeOnBackpressureLimit: true,
  idleTimeout: 30,
  sendPings: true,
  perMessageDeflate: false,
  open: (socket) => socket.data.opened(socket),
  message: (socket, content) => socket.data.received(socket, content),
  close: (socket) => socket.data.closed(),
}

/** How long a stop waits until the last responses are sent, in milliseconds. */
const FLUSH_MS = 500

/**
 * Serves a service on a socket (docs/contract.md, "Files"): files and pages have routes of their own, everything
 * else goes to the operations, each of which limits the size of its body.
 * @param where.forwarded whether a proxy in front reports the address of the client
 * @param where.corsOrigins other origins whose pages may use the API; none by default
 * @param where.publicUrl the address that was configured; without one, links that are answered begin with the address that the
 * proxy reports
 * @param where.trust the server's own authority, for the page `/trust`
 * @param where.metricsToken gives access to the metrics from other machines; this machine needs no token
 * @throws a fault if the address is not available
 */
export function listen(
  service: Service,
  where: {
    host: string
    port: number
    certificate?: Shown | undefined
    forwarded?: boolean
    publicUrl?: string | undefined
    metricsToken?: string | undefined
    corsOrigins?: 'any' | readonly string[]
    trust?: Trust | undefined
  },
): HttpServer {
  const { host, port, certificate, forwarded = false, publicUrl, metricsToken, corsOrigins = [], trust } = where
  const cors = corsFor(corsOrigins)
  const page = pageAt(service, trust)
  const missing = missingAt(service)
  const isMonitor = monitorCheck({ forwarded, token: metricsToken })
  const metrics = metricsFor(service, isMonitor)

  /** Waits for the response to a request that is not for an operation, and logs the request. */
  async function logged(
    { request, address }: { request: Request; address: string | null },
    pattern: string,
    pending: Promise<Response> | Response,
  ) {
    const started = performance.now()
    const response = await pending
    const { method } = request
    const milliseconds = performance.now() - started
    const { status } = response
    service.onRequest({ method, pattern, status, milliseconds, requestId: newRequestId(), address })
    return response
  }

  async function respond(request: Request, server: Server<Connection>): Promise<Response> {
    const path = requestPath(request.url)
    const address = addressOf(request, server, forwarded)
    const from = { request, address }
    if (path.startsWith('/storage/')) {
      return logged(from, '/storage/:kind/:name', service.storage(request, server, address))
    }
    if (path.startsWith('/calendar/')) {
      return logged(from, '/calendar/:token', service.calendar(request, address))
    }
    if (path === '/metrics' && request.method === 'GET') {
      return logged(from, path, metrics(request, address))
    }
    const found = page(request, path)
    if (found) {
      // A poll is anonymous (docs/polls.md).
      const of = found.pattern.startsWith('/poll/') ? { request, address: null } : from
      return logged(of, found.pattern, found.answer())
    }
    const origin = forwarded && publicUrl === undefined ? forwardedOrigin(request.headers) : undefined
    return missing(request, await service.handle(request, address, origin, isMonitor(request, address)))
  }

  /** Opens a WebSocket of the room of a meeting. Nothing is returned then. */
  async function openRoom(request: Request, server: Server<Connection>): Promise<Response | undefined> {
    const { headers } = request
    const hosts = [
      headers.get('host'),
      forwarded ? headers.get('x-forwarded-host') : null,
      publicUrl && new URL(publicUrl).host,
    ]
    const address = addressOf(request, server, forwarded)
    const found = await service.meetingRoom(request, address, hosts)
    const pattern = '/meeting-rooms/:token'
    if (found instanceof Response) return logged({ request, address }, pattern, found)
    if (!server.upgrade(request, { data: found })) return new Response(null, { status: 400 })
    const line = { method: 'GET', pattern, status: 101, milliseconds: 0, requestId: newRequestId(), address }
    service.onRequest(line)
    return undefined
  }

  /** Lets browsers use only HTTPS from now on. Not with a certificate that they may not trust: they would let nobody in. */
  async function respondStrictly(request: Request, server: Server<Connection>): Promise<Response> {
    const response = await answer(request, server)
    response.headers.set('Strict-Transport-Security', `max-age=${365 * 24 * 60 * 60}`)
    return response
  }

  const { copyOf } = service.services
  const answer = copyOf ? respondAsCopy : respond

  /** Every answer of a restored copy says so, for programs; the pages say it to people. */
  async function respondAsCopy(request: Request, server: Server<Connection>): Promise<Response> {
    const response = await respond(request, server)
    response.headers.set('X-Service-Copy', copyOf?.madeAt ?? 'unknown')
    return response
  }

  const isShared = certificate !== undefined && CAN_SHARE
  const open = (at: number, shown: Shown | undefined) =>
    Bun.serve({
      hostname: host,
      port: at,
      ...(shown ? { tls: { cert: shown.cert, key: shown.key } } : {}),
      maxRequestBodySize: storageServerOptions.maxRequestBodySize,
      idleTimeout: IDLE_SECONDS,
      development: false,
      reusePort: isShared, // explicit: `development: false` alone lets two servers share a port without an error
      fetch: (request, server) =>
        requestPath(request.url).startsWith(ROOMS)
          ? openRoom(request, server)
          : cors(request, () => (shown?.isSigned ? respondStrictly : answer)(request, server)),
      websocket,
      error(reason) {
        service.services.fault(reason, 'serving')
        const { status, body } = refusalOf(reason)
        return toResponse(service.services, status, body)
      },
    })

  try {
    if (isShared && port) requireFree(host, port)
    let server = open(port, certificate)
    /** They answer what was sent to them, and end with the last connection. */
    const earlier: Server<Connection>[] = []
    return {
      port: server.port!,
      stop: async () => {
        // They would hold up the stop, and their pages should say that it is not their connection.
        await service.closeRooms()
        await Promise.all([server, ...earlier].map(stopped))
      },
      replaceCertificate(next) {
        if (!isShared) return false
        const replaced = server
        server = open(server.port!, next)
        earlier.push(replaced)
        void replaced.stop().then(() => void earlier.splice(earlier.indexOf(replaced), 1))
        return true
      },
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined) throw error
    const why = code === 'EADDRINUSE' ? 'another program uses it' : code
    throw fault(`Port ${port} on ${host} cannot be listened on (${why}): choose another with --port or --host.`)
  }
}

/** A port that can be shared would be shared with every other server of this user: this one listens alone for a moment. */
function requireFree(hostname: string, port: number): void {
  Bun.listen({ hostname, port, socket: { data() {} } }).stop(true)
}

/**
 * Stops a server when every request is answered. At the end it closes all connections: one whose request body was too long, and
 * was not read to its end, would stay open.
 */
async function stopped(server: Server<Connection>): Promise<void> {
  const closed = server.stop()
  while (server.pendingRequests) await Promise.race([closed, Bun.sleep(5)])
  await Promise.race([closed, Bun.sleep(FLUSH_MS)])
  await server.stop(true)
}

/** The path of a request's URL, without its query. */
function requestPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end)
}

/** The client's address. Of a forwarded header only the last hop counts, which the proxy wrote itself. */
function addressOf(request: Request, server: Server<Connection>, forwarded: boolean): string | null {
  const hop = forwarded ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  const address = hop || server.requestIP(request)?.address
  return address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null
}

/** The beginning of the URL that the client used, as the proxy reports it; undefined if it reports none or an impossible one. */
function forwardedOrigin(headers: Headers): string | undefined {
  const last = (name: string) => headers.get(name)?.split(',').at(-1)?.trim().toLowerCase()
  const [scheme, host] = [last('x-forwarded-proto'), last('x-forwarded-host')]
  if ((scheme !== 'https' && scheme !== 'http') || !host) return undefined
  return /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:]{2,39}\])(:\d{1,5})?$/.test(host)
    ? `${scheme}://${host}`
    : undefined
}
