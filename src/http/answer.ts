import type { Services } from './services'

/** The headers of every response (docs/contract.md, "Versioning"). */
export const commonHeaders = (version: string): Record<string, string> => ({
  'X-Service-Version': version,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
})

const headersByVersion = new Map<string, Headers>()

/** The common headers, built once: to build them for every response costs more than the rest of a small response. */
function sharedHeaders(version: string): Headers {
  let headers = headersByVersion.get(version)
  if (!headers) {
    headers = new Headers({ ...commonHeaders(version), 'Content-Type': 'application/json' })
    headersByVersion.set(version, headers)
  }
  return headers
}

/** Builds the response to a request: JSON, or the `Response` that the operation returned; both with the common headers. */
export function toResponse(
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
  return jsonResponse({ version }, status, JSON.stringify(body ?? {}), own)
}

/** The response with JSON that is written already, as text or compressed; null for none. */
export function jsonResponse(
  { version }: Pick<Services, 'version'>,
  status: number,
  body: string | Uint8Array<ArrayBuffer> | null,
  own: Readonly<Record<string, string>> = {},
): Response {
  const shared = sharedHeaders(version)
  let headers = shared
  for (const name in own) {
    if (headers === shared) headers = new Headers(shared)
    headers.set(name, own[name]!)
  }
  return new Response(body, { status, headers })
}
