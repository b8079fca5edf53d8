/** Makes a request that fails simpler, as long as it still fails. */
import type { FuzzRequest, Outcome } from './fuzz.requests'

/** The most requests that are sent to find a simpler one. */
const TRIES = 300

/** Every value that is one step simpler: without one of its parts, or with a part that is simpler. */
function* simpler(value: unknown): Generator<unknown> {
  if (typeof value === 'string') {
    const half = Math.floor(value.length / 2)
    if (value) yield* [value.slice(0, half), value.slice(half), value.slice(1), value.slice(0, -1)]
  } else if (Array.isArray(value)) {
    for (const at of value.keys()) yield value.toSpliced(at, 1)
    for (const [at, item] of value.entries()) for (const less of simpler(item)) yield value.with(at, less)
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name))
    for (const [at, [name, item]] of entries.entries())
      for (const less of simpler(item)) yield Object.fromEntries(entries.with(at, [name, less]))
  }
}

function* simplerRequests(request: FuzzRequest): Generator<FuzzRequest> {
  const { headers: _, ...plain } = request
  if (Object.keys(request.headers).length) yield { ...plain, headers: {} }
  for (const query of simpler(request.query)) yield { ...request, query: query as Record<string, string> }
  if (request.raw !== undefined) for (const raw of simpler(request.raw)) yield { ...request, raw: raw as string }
  else for (const body of simpler(request.body)) yield { ...request, body }
}

/** What a fault is about, without the values of one request. */
const kindOf = (wrong: string | undefined) => wrong?.split('\n', 1).join().replace(/\d+/g, '0').slice(0, 80)

/** The simplest request found that is wrong in the same way; the request itself if it is not wrong when sent again. */
export async function shrink(
  request: FuzzRequest,
  wrong: string,
  send: (request: FuzzRequest) => Promise<Outcome>,
): Promise<FuzzRequest> {
  let tries = 0
  let found = request
  search: while (tries < TRIES) {
    for (const candidate of simplerRequests(found)) {
      if (++tries > TRIES) break search
      if (kindOf((await send(candidate)).wrong) !== kindOf(wrong)) continue
      found = candidate
      continue search
    }
    break
  }
  return found
}

/** A request on one line, as a person reads it and types it again. */
export function lineOf({ caller, method, path, query, body, raw, headers }: FuzzRequest): string {
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const content = raw ?? (body === undefined ? '' : JSON.stringify(body))
  const sent = content.length > 2_000 ? `${content.slice(0, 2_000)}… (${content.length} characters)` : content
  const key = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${text ? `${path}?${text}` : path}`, `as ${caller}`, ...key, sent].filter(Boolean).join(' | ')
}
