/** The socket that a service is served on: operations, files, pages and metrics. */
import type { Server } from 'bun'
import { answer } from '#http/answer'
import { newRequestId } from '#http/mount'
import { fault } from '#kernel/fault'
import { metricsFor } from '#server/metrics/route'
import { serving } from '#storage/routes'
import { pageAt } from '#web/pages'
import type { Service } from './service'

export type Listening = {
  /** The port it really listens on. */
  port: number
  /** Takes no more requests and closes idle connections. Resolves when what was in flight is answered. */
  stop(): Promise<void>
}

/** Bun's longest. An answer that is streamed and an upload count as alive with every piece. */
const IDLE_SECONDS = 255

/** How long the last answers may take to leave once they are given. */
const FLUSHED_MS = 500

/**
 * Serves a service on a socket (docs/contract.md, "Files"): files and pages are routes of their own, everything
 * else goes to the operations, whose bodies are bounded one by one.
 * @param where.forwarded whether a proxy in front says where requests come from
 * @param where.metricsToken reads the metrics from anywhere; this machine needs none
 * @throws a fault where the address cannot be listened on
 */
export function listen(
  service: Service,
  where: {
    host: string
    port: number
    certificate?: { cert: string; key: string }
    forwarded?: boolean
    metricsToken?: string | undefined
  },
): Listening {
  const { host, port, certificate, forwarded = false, metricsToken } = where
  const page = pageAt(service)
  const metrics = metricsFor(service, { believed: forwarded, token: metricsToken })

  /** Answers what is no operation, and tells the log of it. */
  async function observed(request: Request, pattern: string, answered: Promise<Response> | Response) {
    const started = performance.now()
    const response = await answered
    const { method } = request
    const milliseconds = performance.now() - started
    service.noticed({ method, pattern, status: response.status, milliseconds, requestId: newRequestId() })
    return response
  }

  function respond(request: Request, server: Server<undefined>): Promise<Response> {
    const path = requestPath(request.url)
    if (path.startsWith('/storage/')) {
      return observed(request, '/storage/:kind/:name', service.storage(request, server))
    }
    if (path === '/metrics' && request.method === 'GET') {
      return observed(request, path, metrics(request, addressOf(request, server, forwarded)))
    }
    const found = page(request, path)
    if (found) return observed(request, found.pattern, found.answer())
    return service.handle(request, addressOf(request, server, forwarded))
  }

  try {
    const server = Bun.serve({
      hostname: host,
      port,
      ...(certificate ? { tls: { cert: certificate.cert, key: certificate.key } } : {}),
      maxRequestBodySize: serving.maxRequestBodySize,
      idleTimeout: IDLE_SECONDS,
      development: false,
      reusePort: false, // said, because `development: false` alone lets two servers share a port in silence
      fetch: respond,
      error(reason) {
        service.services.fault(reason, 'serving')
        return answer(service.services, 500, { message: 'Something went wrong in the service; nothing was changed.' })
      },
    })
    return { port: server.port!, stop: () => stopped(server) }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined) throw error
    const why = code === 'EADDRINUSE' ? 'another program uses it' : code
    throw fault(`Port ${port} on ${host} cannot be listened on (${why}): choose another with --port or --host.`)
  }
}

/**
 * Ends a server when everything is answered. A body too long, that nobody read to its end, would keep its connection
 * open.
 */
async function stopped(server: Server<undefined>): Promise<void> {
  const closed = server.stop()
  while (server.pendingRequests) await Promise.race([closed, Bun.sleep(5)])
  await Promise.race([closed, Bun.sleep(FLUSHED_MS)])
  await server.stop(true)
}

/** The path of a request's URL, without its query. */
function requestPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end)
}

/** Where a request came from. Of what a proxy forwards only the last hop counts, which it wrote itself. */
function addressOf(request: Request, server: Server<undefined>, forwarded: boolean): string | null {
  const hop = forwarded ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  const address = hop || server.requestIP(request)?.address
  return address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null
}
