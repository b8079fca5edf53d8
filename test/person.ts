/** A caller of a service over HTTP. Every successful response is checked against the `returns` of its operation. */
import { expect } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { operations } from '#app'
import type { AnyOperation } from '#http/operation'
import { lazily } from '#kernel/lazily'
import type { Service } from '#server/service'
import { client, sender } from '#web/client'

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
  // Compiled at its first use: compiling all would take each test file 200 ms, and no file calls all operations.
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

/** Throws if a successful response does not match the operation's `returns`. Personal and optional fields may be absent. */
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

/** The origin of the service in tests. */
const ORIGIN = 'http://localhost'

/** A caller with these credentials, at this address. */
export function person(service: Service, credentials: Record<string, string>, address = '192.0.2.1') {
  /** Sends a request to the service, and checks its response. */
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
  /** The body of a successful response; throws an error with any other response. */
  const ok = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    credentials,
    /** The typed client: the types of bodies, queries and responses are those of the operations. */
    api: client(connection),
    call,
    get: (url: string) => ok(call('GET', url)),
    post: (url: string, body: unknown = {}, options?: Options) => ok(call('POST', url, body, options)),
    put: (url: string, body: unknown = {}, options?: Options) => ok(call('PUT', url, body, options)),
    patch: (url: string, body: unknown = {}) => ok(call('PATCH', url, body)),
    delete: (url: string, body?: unknown) => ok(call('DELETE', url, body)),
  }
}
