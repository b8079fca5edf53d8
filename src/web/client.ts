/**
 * The typed client of the API, for the web pages and the tests. It knows the operations by their types only: nothing of
 * the server comes into a bundle.
 */
import type { Method } from '#http/operation'
import type { ProblemBody } from '#kernel/problem'
import type { AnswerOf, At, CallOptions, PathOf, Rest } from './clientTypes'

/** How to reach the service, and as whom. A browser sends the session's cookie by itself. */
export type Connection = {
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Such as `https://trials.example.org`; a page of the service itself needs none. */
  origin?: string
  /** An API key or a participant's token. */
  key?: string
  /** The CSRF token of the session, as it is when a request is sent. */
  csrfToken?: () => string | undefined
  headers?: Record<string, string>
}

/** What the service refused: the error with which a call is rejected (docs/contract.md, "Errors"). */
export type Refusal = Error & ProblemBody & { status: number }

/** Whether this is a refusal of the service, and not, for one, that it could not be reached. */
export const isRefusal = (error: unknown): error is Refusal => error instanceof Error && 'status' in error

/** A success or a refusal, as `call` returns it. */
export type Outcome<T> =
  | { ok: true; status: number; headers: Headers; body: T }
  | { ok: false; status: number; headers: Headers; body: ProblemBody }

/** A request in the types of no operation. `raw` is a body that is sent as it is. */
export type Sent = CallOptions & {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
  raw?: string
}

/** The path with its parameters and query written out. */
function written(path: string, { params = {}, query = {} }: Sent): string {
  const filled = path.replace(/\/:(\w+)/g, (segment, name) =>
    Object.hasOwn(params, name) ? `/${encodeURIComponent(params[name]!)}` : segment,
  )
  const asked = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return asked.length ? `${filled}${filled.includes('?') ? '&' : '?'}${new URLSearchParams(asked)}` : filled
}

/** Sends any request, and returns what was answered, whatever the status. A body that is not JSON is returned as text. */
export function sender({ fetch = globalThis.fetch, origin = '', key, csrfToken, headers = {} }: Connection) {
  return async (method: string, path: string, sent: Sent = {}) => {
    const content = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
    const token = method === 'GET' ? undefined : csrfToken?.()
    const response = await fetch(origin + written(path, sent), {
      method,
      headers: {
        Accept: 'application/json',
        ...(key ? { Authorization: `Bearer ${key}` } : {}),
        ...(token ? { 'X-CSRF-Token': token } : {}),
        ...(sent.idempotencyKey ? { 'Idempotency-Key': sent.idempotencyKey } : {}),
        ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
        ...sent.headers,
      },
      ...(content === undefined ? {} : { body: content }),
      ...(sent.signal ? { signal: sent.signal } : {}),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const body = isJson && text ? JSON.parse(text) : text
    return { ok: response.ok, status: response.status, headers: response.headers, body }
  }
}

/**
 * The operations as functions of method and path. A path is an operation's own, with `params`, or a URL with the values in
 * it, as a template: `api.get('/stages/:stageId', { params: { stageId } })`, `` api.get(`/stages/${stage}`) ``. A parameter
 * of the query that chooses the form of the answer stands in the path: `api.get('/stages/:stageId?format=pdf', …)`.
 */
export function client(connection: Connection = {}) {
  const send = sender(connection)

  /** The answer, success or refusal, with its status and headers. */
  const call = <M extends Method, const U extends string>(
    method: M,
    path: U | PathOf<M>,
    ...[options]: Rest<M, U>
  ): Promise<Outcome<AnswerOf<At<M, U>, U>>> => send(method, path, Object(options))

  /** The body of a success; rejected with a `Refusal` otherwise. */
  const by =
    <M extends Method>(method: M) =>
    async <const U extends string>(path: U | PathOf<M>, ...[options]: Rest<M, U>): Promise<AnswerOf<At<M, U>, U>> => {
      const { ok, status, body } = await send(method, path, Object(options))
      if (ok) return body
      throw Object.assign(new Error(body.message ?? `The service answered ${status}.`), body, { status })
    }

  return { call, get: by('GET'), post: by('POST'), put: by('PUT'), patch: by('PATCH'), delete: by('DELETE') }
}

export type Client = ReturnType<typeof client>
