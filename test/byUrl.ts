/** The operations by method and URL, for a person in tests. */
import type { Method } from '#http/operation'
import type { AnswerOf, OperationAt } from '#web/clientTypes'
import type { Options } from './person'

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

/** The methods of a person: each returns the body of a success. @param send throws if a request is refused */
export function byUrl(send: (method: string, url: string, body?: unknown, options?: Options) => Promise<unknown>) {
  /** `unsaid` is sent where no body is given. */
  const ok =
    <M extends Method>(method: M, unsaid?: object) =>
    <const U extends string, B = undefined>(url: KnownUrl<M, U>, body?: B, options?: Options) =>
      send(method, url, body === undefined ? unsaid : body, options) as Promise<Success<M, U, B>>
  return {
    get: ok('GET'),
    post: ok('POST', {}),
    put: ok('PUT', {}),
    patch: ok('PATCH', {}),
    delete: ok('DELETE'),
  }
}
