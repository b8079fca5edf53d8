/** A caller of a service over HTTP. Every successful response is checked against the `returns` of its operation. */
import { expect } from 'bun:test'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { AnyOperation } from '#http/operation'
import type { Service } from '#server/service'
import { operations } from '#start/app'
import type { AnswerOf, FormOf, OperationId, QueryOf } from '#web/kit/api/operations'
import type { Operations } from '#web/kit/api/types'
import type { AnswerForms, ByBody, ByQuery, TSchema } from '#wire/schema'
import { byUrl } from './byUrl'
import { purgeDue } from './purge'
import { makeSender } from './sender'

export type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by name
  body: any
  headers: Headers
}

export type Options = { headers?: Record<string, string>; raw?: string }

/** What `do` takes after the id: the path's parameters in order, then the body of a write, then the query. */
type Given = {
  [I in OperationId]: Operations[I]['method'] extends 'GET'
    ? readonly [...params: Params<I>, query?: SentQuery<I>]
    : readonly [...params: Params<I>, body?: unknown, query?: SentQuery<I>]
}

type Params<I extends OperationId> = Values<Operations[I]['params']>
type Values<T extends readonly unknown[]> = { [K in keyof T]: string | number | null | undefined }
/** Names are checked; values are what a test sends. */
type SentQuery<I extends OperationId> = { [K in keyof QueryOf<I>]?: string | number | boolean | null | undefined }

/** An operation whose answer has several forms, of which the query or the body chooses one. */
type FormedId = { [I in OperationId]: Operations[I] extends { forms: unknown } ? I : never }[OperationId]
type PlainId = Exclude<OperationId, FormedId>

type Perform = {
  <I extends PlainId>(id: I, ...given: Given[I]): Promise<AnswerOf<I>>
  <I extends FormedId, const A extends Given[I]>(id: I, ...given: A): Promise<Done<I, A>>
}

/** The answer to what was given, in the form that it chooses. */
type Done<I extends OperationId, A extends readonly unknown[]> = A extends readonly [...Params<I>, ...infer More]
  ? Operations[I]['method'] extends 'GET'
    ? FormOf<I, More[0]>
    : FormOf<I, More[1], More[0]>
  : never

/** A caller with one credential. */
export type Person = ReturnType<typeof person>

const patterns = operations.map((op) => ({
  op,
  fits: new RegExp(`^${op.path.replace(/:[^/]+/g, '[^/]+')}$`),
}))

const byId = new Map<string, AnyOperation>(operations.map((op) => [op.id, op]))
const hasBody = (method: string) => method === 'POST' || method === 'PUT'

/** The path with its query, without the parameters that are undefined. */
function urlWith(path: string, query: Record<string, unknown>): string {
  const values = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]))
  return values.length ? `${path}?${new URLSearchParams(values)}` : path
}

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>()

/** How a value differs from a model. Compiled at its first use: compiling all would take each test file 200 ms. */
function differences(model: TSchema, value: unknown) {
  const check = compiled.get(model) ?? TypeCompiler.Compile(model)
  compiled.set(model, check)
  return check.Check(value) ? [] : [...check.Errors(value)] // the list takes ten times as long as the check
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
  /** The body of a successful response. Throws an error with any other response. */
  async function bodyOf(method: string, url: string, body?: unknown, options?: Options) {
    const { status, body: answer } = await call(method, url, body, options)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(answer)}`)
    return answer
  }
  /**
   * Performs an operation by its id, and returns the body of its success: `nurse.do('createGroup', trial, { name: 'Arm A' })`. After the
   * path's parameters come the body of a write, and the query. Throws an error if it is refused.
   */
  async function perform(id: OperationId, ...given: readonly unknown[]): Promise<unknown> {
    const { method, path } = byId.get(id)!
    const names = path.match(/:\w+/g) ?? []
    const [values, rest] = [given.slice(0, names.length), given.slice(names.length)]
    const [body, query] =
      method === 'GET' ? [undefined, rest[0]] : [rest[0] === undefined && hasBody(method) ? {} : rest[0], rest[1]]
    if (values.length < names.length || values.some((each) => each === undefined || each === null))
      throw new Error(`A parameter of ${path} is missing.`)
    const filled = names.reduce<string>((url, name, at) => url.replace(name, encodeURIComponent(`${values[at]}`)), path)
    return bodyOf(method, urlWith(filled, Object(query)), body)
  }
  return {
    credentials,
    call,
    do: perform as Perform,
    ...byUrl(bodyOf),
  }
}
