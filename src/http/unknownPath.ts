/** The refusal of a request that no operation takes. */
import { once } from '#kernel/once'
import { type Problem, refuse } from '#kernel/problem'
import type { AnyOperation } from './operation'

/** Returns the function that refuses (404) a request: it names the methods that the path takes, if it takes any. */
export function unknownPath(
  operations: readonly Pick<AnyOperation, 'method' | 'path'>[],
): (request: Request) => Problem {
  // Compiled at the first such request.
  const methodsAt = once(() => {
    const patterns = operations.map(({ method, path }) => ({
      method,
      fits: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
    }))
    return (pathname: string) => [
      ...new Set(patterns.flatMap(({ method, fits }) => (fits.test(pathname) ? [method] : []))),
    ]
  })
  return ({ method, url }) => refuse.unknownOperation(method, methodsAt(new URL(url).pathname))
}
