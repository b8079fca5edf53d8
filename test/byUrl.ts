/**
 * Requests of a person in tests by method and URL: for a URL that is chosen at run time, or is wrong on purpose. `do` is for all others.
 * `owner.get<'listGroups'>(url)` names the operation for the type of the
 * answer, in its usual form.
 */
import type { FormOf, OperationId } from '#web/kit/api/operations'
import type { Options } from './person'

// biome-ignore lint/suspicious/noExplicitAny: a URL that is chosen at run time has no type
type Body<I> = I extends OperationId ? FormOf<I, Record<never, never>, Record<never, never>> : any

/** The methods of a person: each returns the body of a success. @param send throws if a request is refused */
export function byUrl(
  send: (method: string, url: string, body?: unknown, options?: Options) => Promise<Body<undefined>>,
) {
  /** `unsaid` is sent where no body is given. */
  const ok =
    (method: string, unsaid?: object) =>
    <I extends OperationId | undefined = undefined>(url: string, body?: unknown, options?: Options): Promise<Body<I>> =>
      send(method, url, body === undefined ? unsaid : body, options)
  return {
    get: ok('GET'),
    post: ok('POST', {}),
    put: ok('PUT', {}),
    patch: ok('PATCH'),
    delete: ok('DELETE'),
  }
}
