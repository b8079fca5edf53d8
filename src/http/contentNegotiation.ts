/**
 * Answers that a client can have as a file, which it asks for by `Accept`: the csv of a body `{csv}` itself, and for a link `{request}` a
 * redirect to the file, so that other programs read an export in one line (docs/exports.md, "In one line").
 */
import type { AnswerForms, ByQuery, TSchema } from '#wire/schema'
import { type Call, isSafe } from './call'

export const CSV = 'text/csv'

/** The media types of files behind links, by the extension of the file. */
export const FILE_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
  parquet: 'application/vnd.apache.parquet',
} as const

/** What a header such as `Accept` names, with the weight (`q`) of each, from 0 to 1. */
function weightsIn(header: string | null): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const each of (header ?? '').split(',')) {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.map((parameter) => /^q\s*=\s*([01](?:\.\d*)?)$/.exec(parameter)?.[1]).find(Boolean)
    if (name) weights.set(name, Math.min(1, Number(quality ?? 1)))
  }
  return weights
}

const namesAbove = (weights: ReadonlyMap<string, number>, least: number) =>
  new Set([...weights].flatMap(([name, weight]) => (weight > 0 && weight >= least ? [name] : [])))

/** What a header such as `Accept-Encoding` names; types that stand for several, such as `text/*`, name none. */
export const acceptedNames = (header: string | null): ReadonlySet<string> => namesAbove(weightsIn(header), 0)

/** The media types that a header `Accept` names, without those that the client likes less than JSON. */
export function acceptedTypes(accept: string | null): ReadonlySet<string> {
  const weights = weightsIn(accept)
  return namesAbove(weights, weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0)
}

/** The model of the answer to a call with this query. */
function modelFor(returns: TSchema, query: unknown): TSchema {
  const byQuery: ByQuery<string, TSchema, AnswerForms>['byQuery'] | undefined = returns.byQuery
  if (!byQuery) return returns
  const value = (query as Record<string, unknown>)[byQuery.name]
  return modelFor(byQuery.others[String(value)] ?? byQuery.usual, query)
}

const isOnly = (model: TSchema, field: string) => Object.keys(model.properties ?? {}).join() === field

/** The media types that an answer of this model can have besides JSON. */
export const fileTypesOf = (model: TSchema): readonly string[] =>
  isOnly(model, 'csv') ? [CSV] : isOnly(model, 'request') ? Object.values(FILE_TYPES) : []

/** The answer to a read as the client asked for it: as it is, unless `Accept` names what it can be besides JSON, and likes it no less. */
export function negotiateContent(
  { plan: { op }, query, result, context: { accept } }: Call,
  response: Response,
): Response {
  if (accept === null || !isSafe(op)) return response
  const model = modelFor(op.returns, query)
  const possible = fileTypesOf(model)
  const accepted = acceptedTypes(accept)
  if (!possible.some((type) => accepted.has(type))) return response
  const headers = new Headers(response.headers)
  headers.append('Vary', 'Accept')
  headers.delete('Content-Length')
  if (isOnly(model, 'csv')) {
    headers.delete('Content-Encoding')
    headers.set('Content-Type', `${CSV}; charset=utf-8`)
    const body =
      result instanceof Response ? response.body && textOfJson(response.body) : (result as { csv: string }).csv
    return new Response(body, { headers })
  }
  const { request } = result as { request: string }
  const extension = /\.(\w+)(?:[?#]|$)/.exec(new URL(request).pathname)?.[1] ?? ''
  if (!accepted.has(FILE_TYPES[extension as keyof typeof FILE_TYPES])) return response
  headers.set('Location', request)
  return new Response(response.body, { status: 303, headers })
}

const BEGINNING = '{"csv":"'
/** Whole characters and escapes of a text in JSON, up to its end. */
const WHOLE = /(?:[^\\"]+|\\u[\da-f]{4}|\\[^u])*/iy

/** The text in a body `{"csv":"…"}`, read and written in pieces. Fails as the body does, and if the body has no end. */
function textOfJson(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const encoder = new TextEncoder()
  let rest = ''
  let isBegun = false
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        rest += decoder.decode(chunk, { stream: true })
        if (!isBegun) {
          if (rest.length < BEGINNING.length) return
          if (!rest.startsWith(BEGINNING)) throw new Error('This is no body {csv}.')
          rest = rest.slice(BEGINNING.length)
          isBegun = true
        }
        WHOLE.lastIndex = 0
        const [whole = ''] = WHOLE.exec(rest) ?? []
        rest = rest.slice(whole.length)
        if (whole) controller.enqueue(encoder.encode(JSON.parse(`"${whole}"`)))
      },
      flush() {
        if (!isBegun || rest !== '"}') throw new Error('The body has no end.')
      },
    }),
  )
}
