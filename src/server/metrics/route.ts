/** `GET /metrics` (docs/running.md, "Monitoring"): for this machine, and for clients that have the token. */

import { toResponse } from '#http/answer'
import type { Services } from '#http/services'
import { isLoopback } from '#kernel/address'
import { sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Metrics } from './metrics'

/** Headers by which a request shows that it came through a proxy. */
const PROXIED = ['x-forwarded-for', 'forwarded', 'via']

type MonitorOptions = { forwarded: boolean; token: string | undefined }

/**
 * Makes the function that tells whether a request comes from those who run the server: from this machine, or with the token.
 * @param forwarded whether a proxy in front is trusted; then only requests that it forwards from this machine need no token
 */
export function monitorCheck({
  forwarded,
  token,
}: MonitorOptions): (request: Request, address: string | null) => boolean {
  return ({ headers }, address) => {
    const bearer = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1]
    if (token !== undefined && bearer !== undefined && sha256(bearer) === sha256(token)) return true
    // A proxy on this machine forwards for anyone, unless it reports the client's address and is trusted.
    return forwarded === PROXIED.some((name) => headers.has(name)) && isLoopback(address ?? '')
  }
}

/**
 * Makes the function that responds. The metrics are only numbers, but they show how busy a study is: not everybody may read them.
 * @param isMonitor see `monitorCheck`
 */
export function metricsFor(
  service: { services: Services; metrics: Metrics },
  isMonitor: (request: Request, address: string | null) => boolean,
): (request: Request, address: string | null) => Response {
  return (request, address) => {
    if (!isMonitor(request, address)) {
      const { status, body } = refuse.unauthenticated('metricsClosed')
      return toResponse(service.services, status, body, { 'WWW-Authenticate': 'Bearer' })
    }
    const type = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }
    return toResponse(
      service.services,
      200,
      new Response(service.metrics.text(service.services.health()), { headers: type }),
    )
  }
}
