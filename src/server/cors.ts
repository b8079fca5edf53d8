/** Lets pages of other web addresses use the API from a browser (docs/running.md, "Pages of other addresses"). */

/** Headers that such a page may read, besides those that every page may. */
const EXPOSED = 'X-Service-Version, X-Job, X-Request-Id, Retry-After, Allow, Content-Disposition, ETag'
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** How long a browser may remember the answer to a preflight, in seconds. */
const REMEMBERED = '600'

export type Cors = (request: Request, respond: () => Promise<Response>) => Promise<Response>

/** @param origins the addresses whose pages may; none by default, `any` on a test server */
export function corsFor(origins: 'any' | readonly string[]): Cors {
  const mayUse = (origin: string) => origins === 'any' || origins.includes(origin)
  if (!origins.length) return (_request, respond) => respond()
  return async (request, respond) => {
    const origin = request.headers.get('origin')
    const permitted = origin !== null && mayUse(origin) ? origin : undefined
    const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
    const response = isPreflight && permitted !== undefined ? new Response(null, { status: 204 }) : await respond()
    const { headers } = response
    headers.append('Vary', 'Origin')
    if (permitted === undefined) return response
    headers.set('Access-Control-Allow-Origin', permitted)
    headers.set('Access-Control-Allow-Credentials', 'true')
    headers.set('Access-Control-Expose-Headers', EXPOSED)
    if (isPreflight) {
      headers.set('Access-Control-Allow-Methods', METHODS)
      headers.set('Access-Control-Allow-Headers', request.headers.get('access-control-request-headers') ?? '')
      headers.set('Access-Control-Max-Age', REMEMBERED)
    }
    return response
  }
}
