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
import type { AuthoritySource } from '#web/trust/certificateFile'
import { corsFor } from './cors'
import { addressOf, forwardedOrigin, requestPath } from './requests'
import { ROOMS_PATH, websocket } from './roomSockets'
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
  replaceCertificate(next: ShownCertificate): boolean
}

/** A certificate that a server shows, as PEM texts. */
type ShownCertificate = { cert: string; key: string; isSigned?: boolean }

/** Whether two listeners of this process can share a port, so that one takes over from the other (SO_REUSEPORT). */
const CAN_SHARE = process.platform === 'linux'

/** Bun's maximum, in seconds. A streamed response or an upload counts as active with every chunk. */
const IDLE_SECONDS = 255

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
 * @param where.hasMetrics false if the metrics have a listener of their own (`listenForMetrics`)
 * @param where.metricsToken gives access to the metrics from other machines; this machine needs no token
 * @throws a fault if the address is not available
 */
export function listen(
  service: Service,
  where: {
    host: string
    port: number
    certificate?: ShownCertificate | undefined
    forwarded?: boolean
    publicUrl?: string | undefined
    metricsToken?: string | undefined
    hasMetrics?: boolean
    corsOrigins?: 'any' | readonly string[]
    trust?: AuthoritySource | undefined
  },
): HttpServer {
  const {
    host,
    port,
    certificate,
    forwarded = false,
    publicUrl,
    metricsToken,
    hasMetrics = true,
    corsOrigins = [],
    trust,
  } = where
  const cors = corsFor(corsOrigins)
  const page = pageAt(service, trust)
  const missing = missingAt(service)
  const isMonitor = monitorCheck({ forwarded, token: metricsToken })
  const metrics = metricsFor(service, isMonitor)

  /** Waits for the response to a request that is not for an operation, and logs the request. */
  async function logRequest(
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
      return logRequest(from, '/storage/:kind/:name', service.storage(request, server, address))
    }
    if (path.startsWith('/calendar/')) {
      return logRequest(from, '/calendar/:token', service.calendar(request, address))
    }
    if (hasMetrics && path === '/metrics' && request.method === 'GET') {
      return logRequest(from, path, metrics(request, address))
    }
    const found = page(request, path)
    if (found) {
      // A poll is anonymous (docs/polls.md).
      const of = found.pattern.startsWith('/poll/') ? { request, address: null } : from
      return logRequest(of, found.pattern, found.answer())
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
    if (found instanceof Response) return logRequest({ request, address }, pattern, found)
    if (!server.upgrade(request, { data: found })) return new Response(null, { status: 400 })
    const line = { method: 'GET', pattern, status: 101, milliseconds: 0, requestId: newRequestId(), address }
    service.onRequest(line)
    return undefined
  }

  /** Lets browsers use only HTTPS from now on. Not with a certificate that browsers may not trust: users could not open the page any more. */
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
  const open = (at: number, shown: ShownCertificate | undefined) =>
    Bun.serve({
      hostname: host,
      port: at,
      ...(shown ? { tls: { cert: shown.cert, key: shown.key } } : {}),
      maxRequestBodySize: storageServerOptions.maxRequestBodySize,
      idleTimeout: IDLE_SECONDS,
      development: false,
      reusePort: isShared, // explicit: `development: false` alone lets two servers share a port without an error
      fetch: (request, server) =>
        requestPath(request.url).startsWith(ROOMS_PATH)
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
    /** Earlier servers answer the requests that they have received, and end with their last connection. */
    const earlier: Server<Connection>[] = []
    return {
      port: server.port!,
      stop: async () => {
        // They would hold up the stop, and their pages should say that it is not their connection.
        await service.closeRooms()
        await Promise.all([server, ...earlier].map(stopServer))
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
    throw listenFault(error, { host, port }, '--port or --host')
  }
}

/** The fault of an address that cannot be listened on; another error as it is. @param by the flags that choose another */
function listenFault(error: unknown, { host, port }: { host: string; port: number }, by: string): unknown {
  const { code } = error as { code?: string }
  if (code === undefined) return error
  const why = code === 'EADDRINUSE' ? 'another program uses it' : code
  return fault(`Port ${port} on ${host} cannot be listened on (${why}): choose another with ${by}.`)
}

/** Answers `GET /metrics`, and nothing else, over plain HTTP. Returns what stops it. @throws a fault if the address is not available */
export function listenForMetrics(
  service: Service,
  { host, port, token }: { host: string; port: number; token: string | undefined },
): { port: number; stop(): Promise<void> } {
  const answer = metricsFor(service, monitorCheck({ forwarded: false, token }))
  try {
    const server = Bun.serve({
      hostname: host,
      port,
      development: false,
      reusePort: false,
      fetch: (request, server) => {
        const isMetrics = requestPath(request.url) === '/metrics' && request.method === 'GET'
        return isMetrics ? answer(request, addressOf(request, server, false)) : new Response(null, { status: 404 })
      },
    })
    return { port: server.port!, stop: () => server.stop(true) }
  } catch (error) {
    throw listenFault(error, { host, port }, '--metrics-listen')
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
async function stopServer(server: Server<Connection>): Promise<void> {
  const closed = server.stop()
  while (server.pendingRequests) await Promise.race([closed, Bun.sleep(5)])
  await Promise.race([closed, Bun.sleep(FLUSH_MS)])
  await server.stop(true)
}
