/** Somebody who speaks HTTP to a service. Every answer that succeeds is checked against what its operation says it returns. */
import { expect } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { operations } from '#app'
import type { AnyOperation, Method } from '#http/operation'
import { lazily } from '#kernel/lazily'
import type { Service } from '#server/service'
import { client, sender } from '#web/client'
import type { AnswerOf, At } from '#web/clientTypes'

/** The URL if an operation has it. A `string` may be any URL. */
type Known<M extends Method, U extends string> = string extends U
  ? U
  : U extends unknown
    ? [At<M, U>] extends [never]
      ? never
      : U
    : never

/** What the operation at this URL answers; unknown if the type does not say which it is. */
type Success<M extends Method, U extends string, B> = string extends U
  ? unknown
  : U extends unknown
    ? AnswerOf<At<M, U>, U, B>
    : never

export type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by name
  body: any
  headers: Headers
}

type Options = { headers?: Record<string, string>; raw?: string }

/** Somebody who speaks to the service with one credential. */
export type Person = ReturnType<typeof person>

const patterns = operations.map((op) => ({
  op,
  fits: new RegExp(`^${op.path.replace(/:[^/]+/g, '[^/]+')}$`),
  // Compiled when it is first needed: no file asks all operations, and compiling all would take each of them 200 ms.
  wrong: lazily(() => {
    const returns = TypeCompiler.Compile(op.returns)
    return (body: unknown) => [...returns.Errors(body)]
  }),
}))

const patternAt = (method: string, path: string) => {
  const found = patterns.filter(({ op, fits }) => op.method === method && fits.test(path))
  return found.find(({ op }) => !op.path.includes(':')) ?? found[0]
}

/** The operation that a request of this method and path reaches: a literal path wins over one with parameters. */
export const operationAt = (method: string, path: string): AnyOperation | undefined => patternAt(method, path)?.op

/** A success must be what the operation's `returns` says. Personal and optional fields may be absent. */
function checkAnswer(method: string, path: string, body: unknown): void {
  const pattern = patternAt(method, path)
  if (!pattern) throw new Error(`No operation answers ${method} ${path}`)
  const missingPersonal = (path: string) => path.length > 0
  const errors = pattern
    .wrong(body)
    .filter(
      (error) =>
        !(
          error.value === undefined &&
          (error.schema as { personal?: boolean }).personal &&
          missingPersonal(error.path)
        ),
    )
  if (errors.length) {
    const [first] = errors
    throw new Error(
      `${method} ${path} answered what its model does not say: ${first!.path} ${first!.message} ${JSON.stringify(first!.value)?.slice(0, 300)}`,
    )
  }
}

/** Where requests of tests go. */
const ORIGIN = 'http://localhost'

/** Somebody with these credentials, at this address. */
export function person(service: Service, credentials: Record<string, string>, address = '192.0.2.1') {
  /** Hands a request to the service, and checks its response. */
  async function fetched(url: string, init: RequestInit): Promise<Response> {
    const length = typeof init.body === 'string' ? { 'Content-Length': `${Buffer.byteLength(init.body)}` } : {}
    const request = new Request(url, { ...init, headers: { ...length, ...Object(init.headers) } })
    const response = await service.handle(request, address)
    expect(response.headers.get('x-service-version')).toMatch(/^\d+\.\d+\.\d+\+\w+$/)
    const text = await response.clone().text()
    const body = text ? JSON.parse(text) : undefined
    if (response.status === 200) checkAnswer(request.method, url.slice(ORIGIN.length).split('?')[0]!, body)
    else expect(typeof body.message).toBe('string')
    return response
  }
  const connection = { fetch: fetched, origin: ORIGIN, headers: credentials }
  const send = sender(connection)
  const call = (method: string, url: string, body?: unknown, options: Options = {}): Promise<Answer> =>
    send(method, url, { ...options, body })
  /** The body of a success, as its operation says; anything else fails the test with what was answered. */
  const ok =
    <M extends Method>(method: M) =>
    async <const U extends string, B = undefined>(
      url: Known<M, U>,
      body?: B,
      options?: Options,
    ): Promise<Success<M, U, B>> => {
      const { status, body: answer } = await call(method, url, body, options)
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(answer)}`)
      return answer
    }
  return {
    credentials,
    api: client(connection),
    call,
    get: ok('GET'),
    post: ok('POST'),
    put: ok('PUT'),
    patch: ok('PATCH'),
    delete: ok('DELETE'),
  }
}
