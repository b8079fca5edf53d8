/**
 * The typed client of the API, for the web pages and the tests. It knows the operations by their types only: nothing of
 * the server comes into a bundle.
 */
import type { Method } from '#http/operation'
import type { ProblemBody } from '#kernel/problem'
import type { AnswerOf, CallOptions, OperationAt, PathOf, Rest } from './clientTypes'

/** The address of the service, and the credentials. A browser sends the session's cookie by itself. */
export type Connection = {
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Such as `https://trials.example.org`. The pages of the service itself need no origin. */
  origin?: string
  /** An API key or a participant's token. */
  key?: string
  /** Returns the CSRF token of the session. Called for each request that is not a GET. */
  csrfToken?: () => string | undefined
  headers?: Record<string, string>
}

/** A refusal by the service: the error with which a call is rejected (docs/contract.md, "Errors"). */
export type Refusal = Error & ProblemBody & { status: number }

/** Whether an error is a refusal by the service, and not another one, such as a failed connection. */
export const isRefusal = (error: unknown): error is Refusal => error instanceof Error && 'status' in error

/** A success or a refusal, as `call` returns it. */
export type Outcome<T> =
  | { ok: true; status: number; headers: Headers; body: T }
  | { ok: false; status: number; headers: Headers; body: ProblemBody }

/** A request that is not checked against an operation's types. `raw` is a body that is sent unchanged. */
type RequestParts = CallOptions & {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
  raw?: string
}

/** The path with the values of its parameters, and the query. */
function urlOf(path: string, { params = {}, query = {} }: RequestParts): string {
  const filled = path.replace(/\/:(\w+)/g, (segment, name) =>
    Object.hasOwn(params, name) ? `/${encodeURIComponent(params[name]!)}` : segment,
  )
  const values = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return values.length ? `${filled}${filled.includes('?') ? '&' : '?'}${new URLSearchParams(values)}` : filled
}

/** Returns a function that sends any request and returns its answer, whatever the status; a body that is not JSON as text. */
export function makeSender({ fetch = globalThis.fetch, origin = '', key, csrfToken, headers = {} }: Connection) {
  return async (method: string, path: string, request: RequestParts = {}) => {
    const content = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
    const token = method === 'GET' ? undefined : csrfToken?.()
    const response = await fetch(origin + urlOf(path, request), {
      method,
      headers: {
        Accept: 'application/json',
        ...(key ? { Authorization: `Bearer ${key}` } : {}),
        ...(token ? { 'X-CSRF-Token': token } : {}),
        ...(request.idempotencyKey ? { 'Idempotency-Key': request.idempotencyKey } : {}),
        ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
        ...request.headers,
      },
      ...(content === undefined ? {} : { body: content }),
      ...(request.signal ? { signal: request.signal } : {}),
    })
    const text = await response.text()
    const isJson = /^application\/(fhir\+)?json/.test(response.headers.get('content-type') ?? '')
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
  const send = makeSender(connection)

  /** Returns the answer, a success or a refusal, with its status and headers. */
  const call = <M extends Method, const U extends string>(
    method: M,
    path: U | PathOf<M>,
    ...[options]: Rest<M, U>
  ): Promise<Outcome<AnswerOf<OperationAt<M, U>, U>>> => send(method, path, Object(options))

  /** Makes the function of a method. It returns the body of a success, and rejects with a `Refusal` otherwise. */
  const callerFor =
    <M extends Method>(method: M) =>
    async <const U extends string>(
      path: U | PathOf<M>,
      ...[options]: Rest<M, U>
    ): Promise<AnswerOf<OperationAt<M, U>, U>> => {
      const { ok, status, body } = await send(method, path, Object(options))
      if (ok) return body
      throw Object.assign(new Error(body.message ?? `The service answered ${status}.`), body, { status })
    }

  return {
    call,
    get: callerFor('GET'),
    post: callerFor('POST'),
    put: callerFor('PUT'),
    patch: callerFor('PATCH'),
    delete: callerFor('DELETE'),
  }
}

export type Client = ReturnType<typeof client>
