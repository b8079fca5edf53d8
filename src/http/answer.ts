import type { Services } from './services'

/** The headers every answer carries (docs/contract.md, "Versioning"). */
export const commonHeaders = (version: string): Record<string, string> => ({
  'X-Service-Version': version,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
})

const made = new Map<string, Headers>()

/** Made once: copying them into every answer costs more than the answer of a small request. */
function sharedHeaders(version: string): Headers {
  let headers = made.get(version)
  if (!headers) {
    headers = new Headers({ ...commonHeaders(version), 'Content-Type': 'application/json' })
    made.set(version, headers)
  }
  return headers
}

/** The answer to a request: JSON, or a `Response` made by the operation, with the headers every answer carries. */
export function answer(
  { version }: Pick<Services, 'version'>,
  status: number,
  body: unknown,
  own: Readonly<Record<string, string>> = {},
): Response {
  const shared = sharedHeaders(version)
  if (body instanceof Response) {
    for (const [name, value] of shared) if (!body.headers.has(name)) body.headers.set(name, value)
    return body
  }
  let headers = shared
  for (const name in own) {
    if (headers === shared) headers = new Headers(shared)
    headers.set(name, own[name]!)
  }
  return new Response(JSON.stringify(body ?? {}), { status, headers })
}
