/** A caller of a service over HTTP. Every successful response is checked against the `returns` of its operation. */
import { expect } from 'bun:test'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { AnyOperation, Method } from '#http/operation'
import type { Service } from '#server/service'
import { operations } from '#start/app'
import { client, makeSender } from '#web/client'
import type { AnswerOf, OperationAt } from '#web/clientTypes'
import type { AnswerForms, ByBody, ByQuery, TSchema } from '#wire/schema'
import { purgeDue } from './purge'

/** The URL if an operation has it. A `string` may be any URL. */
type KnownUrl<M extends Method, U extends string> = string extends U
  ? U
  : U extends unknown
    ? [OperationAt<M, U>] extends [never]
      ? 'No operation has this method and URL.'
      : U
    : never

/** What the operation at this URL answers; unknown if the type does not say which it is. */
type Success<M extends Method, U extends string, B> = string extends U
  ? unknown
  : U extends unknown
    ? AnswerOf<OperationAt<M, U>, U, B>
    : never

export type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by name
  body: any
  headers: Headers
}

type Options = { headers?: Record<string, string>; raw?: string }

/** A caller with one credential. */
export type Person = ReturnType<typeof person>

const patterns = operations.map((op) => ({
  op,
  fits: new RegExp(`^${op.path.replace(/:[^/]+/g, '[^/]+')}$`),
}))

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>()

/** How a value differs from a model. Compiled at its first use: compiling all would take each test file 200 ms. */
function differences(model: TSchema, value: unknown) {
  const check = compiled.get(model) ?? TypeCompiler.Compile(model)
  compiled.set(model, check)
  return [...check.Errors(value)]
}

/** The form of the answer that this request chooses. */
function formOf({ returns }: { returns: TSchema }, query: URLSearchParams, sent: RequestInit['body']): TSchema {
  const byQuery: ByQuery<string, TSchema, AnswerForms>['byQuery'] | undefined = returns.byQuery
  const byBody: ByBody<TSchema, AnswerForms>['byBody'] | undefined = returns.byBody
  if (byQuery) {
    const returns = byQuery.others[query.get(byQuery.name) ?? ''] ?? byQuery.usual
    return formOf({ returns }, query, sent)
  }
  if (!byBody) return returns
  const [form] = Object.entries(byBody.others).flatMap(([name, form]) => (name in JSON.parse(`${sent}`) ? form : []))
  return form ?? byBody.usual
}

const patternAt = (method: string, url: string) => {
  const path = url.replace(/(?<=.)\/$/, '') // a slash at the end changes nothing, as after `/participants/..`
  const found = patterns.filter(({ op, fits }) => op.method === method && fits.test(path))
  return found.find(({ op }) => !op.path.includes(':')) ?? found[0]
}

/** The operation that a request of this method and path reaches: a literal path wins over one with parameters. */
export const operationAt = (method: string, path: string): AnyOperation | undefined => patternAt(method, path)?.op

/** Throws if a successful response does not match the operation's `returns`. Personal and optional fields may be absent. */
function checkAnswer(method: string, { pathname: path, searchParams }: URL, sent: RequestInit['body'], body: unknown) {
  const pattern = patternAt(method, path)
  if (!pattern) throw new Error(`No operation answers ${method} ${path}`)
  const errors = differences(formOf(pattern.op, searchParams, sent), body).filter(
    ({ value, schema, path }) => !(value === undefined && schema.personal && path.length > 0),
  )
  if (errors.length) {
    const [first] = errors
    throw new Error(
      `${method} ${path} answered what its model does not say: ${first!.path} ${first!.message} ${JSON.stringify(first!.value)?.slice(0, 300)}`,
    )
  }
}

/** The origin of the service in tests. */
const ORIGIN = 'http://localhost'

/** A caller with these credentials, at this address. */
export function person(service: Service, credentials: Record<string, string>, address = '192.0.2.1') {
  /** Sends a request to the service, and checks its response. */
  async function fetched(url: string, init: RequestInit): Promise<Response> {
    const length = typeof init.body === 'string' ? { 'Content-Length': `${Buffer.byteLength(init.body)}` } : {}
    const request = new Request(url, { ...init, headers: { ...length, ...Object(init.headers) } })
    const response = await service.handle(request, address)
    if (request.method === 'DELETE' && response.status === 200 && /^\/trials\/[^/]+$/.test(new URL(url).pathname))
      await purgeDue(service)
    expect(response.headers.get('x-service-version')).toMatch(/^\d+\.\d+\.\d+\+\w+$/)
    const text = await response.clone().text()
    const body = text ? JSON.parse(text) : undefined
    if (response.status === 200) checkAnswer(request.method, new URL(url), init.body, body)
    else if (response.headers.get('content-type') === 'application/fhir+json')
      expect(body.issue[0]).toEqual({ severity: 'error', code: expect.any(String), diagnostics: expect.any(String) })
    else expect(typeof body.message).toBe('string')
    if (response.status === 422 && body.details) {
      const problems: unknown[] = Object.values(body.details.fields)
      expect(problems.length).toBeGreaterThan(0)
      for (const problem of problems) expect(problem).toBeString()
    }
    return response
  }
  const connection = { fetch: fetched, origin: ORIGIN, headers: credentials }
  const send = makeSender(connection)
  const call = (method: string, url: string, body?: unknown, options: Options = {}): Promise<Answer> =>
    send(method, url, { ...options, body })
  /** The body of a successful response; `unsaid` is sent where no body is given. Throws an error with any other response. */
  const ok =
    <M extends Method>(method: M, unsaid?: object) =>
    async <const U extends string, B = undefined>(
      url: KnownUrl<M, U>,
      body?: B,
      options?: Options,
    ): Promise<Success<M, U, B>> => {
      const { status, body: answer } = await call(method, url, body === undefined ? unsaid : body, options)
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(answer)}`)
      return answer
    }
  return {
    credentials,
    /** The typed client: the types of bodies, queries and responses are those of the operations. */
    api: client(connection),
    call,
    get: ok('GET'),
    post: ok('POST', {}),
    put: ok('PUT', {}),
    patch: ok('PATCH', {}),
    delete: ok('DELETE'),
  }
}
