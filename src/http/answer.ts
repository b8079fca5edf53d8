import type { House } from '../house'

/** The headers every answer carries (specification, "Versioning"). */
export const commonHeaders = (version: string): Record<string, string> => ({
  'X-Service-Version': version,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
})

const made = new Map<string, Record<string, string>>()

/** The answer to a request: JSON, or a `Response` made by the operation, with the headers every answer carries. */
export function answer(
  house: Pick<House, 'version'>,
  status: number,
  body: unknown,
  headers?: Record<string, string>,
): Response {
  let common = made.get(house.version)
  if (!common) {
    common = { ...commonHeaders(house.version), 'Content-Type': 'application/json' }
    made.set(house.version, common)
  }
  if (body instanceof Response) {
    for (const [name, value] of Object.entries(common)) if (!body.headers.has(name)) body.headers.set(name, value)
    return body
  }
  return new Response(JSON.stringify(body ?? {}), { status, headers: headers ? { ...common, ...headers } : common })
}
