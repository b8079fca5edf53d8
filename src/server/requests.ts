/** What the server reads of a request before it knows which operation or page it is for. */
import type { Server } from 'bun'

/** The path of a request's URL, without its query. */
export function requestPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end)
}

/** The client's address. Of a forwarded header only the last hop counts, which the proxy wrote itself. */
export function addressOf(request: Request, server: Server<unknown>, forwarded: boolean): string | null {
  const hop = forwarded ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  const address = hop || server.requestIP(request)?.address
  return address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null
}

/** The beginning of the URL that the client used, as the proxy reports it; undefined if it reports none or an impossible one. */
export function forwardedOrigin(headers: Headers): string | undefined {
  const last = (name: string) => headers.get(name)?.split(',').at(-1)?.trim().toLowerCase()
  const [scheme, host] = [last('x-forwarded-proto'), last('x-forwarded-host')]
  if ((scheme !== 'https' && scheme !== 'http') || !host) return undefined
  return /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:]{2,39}\])(:\d{1,5})?$/.test(host)
    ? `${scheme}://${host}`
    : undefined
}
