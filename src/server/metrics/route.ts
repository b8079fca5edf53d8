/** `GET /metrics` (docs/running.md, "Monitoring"): for this machine, and for whoever has the token. */

import { answer } from '#http/answer'
import type { Services } from '#http/services'
import { isLoopback } from '#kernel/address'
import { sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Metrics } from './metrics'

/** By which a proxy says that it is one. */
const PROXIED = ['x-forwarded-for', 'forwarded', 'via']

/**
 * Makes the function that answers. Numbers only, yet they tell how busy a study is.
 * @param believed whether a proxy in front is believed; then only what it forwards for this machine is this machine
 */
export function metricsFor(
  service: { services: Services; metrics: Metrics },
  { believed, token }: { believed: boolean; token: string | undefined },
): (request: Request, address: string | null) => Response {
  return (request, address) => {
    const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
    const hasToken = token !== undefined && bearer !== undefined && sha256(bearer) === sha256(token)
    // A proxy on this machine stands for anyone, unless it says for whom and is believed.
    const isProxied = PROXIED.some((name) => request.headers.has(name))
    if (!hasToken && !(believed === isProxied && isLoopback(address ?? ''))) {
      const { status, body } = refuse.unauthenticated(
        'The metrics are for this machine, or need TRIALBOX_METRICS_TOKEN.',
      )
      return answer(service.services, status, body, { 'WWW-Authenticate': 'Bearer' })
    }
    const type = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }
    return answer(service.services, 200, new Response(service.metrics.text(), { headers: type }))
  }
}
