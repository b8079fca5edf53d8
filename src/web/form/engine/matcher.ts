/**
 * The matcher of patterns in the browser, in place of `#kernel/matcher` ("imports" in package.json). It is larger than the
 * rest of a form, and few forms have patterns: it is loaded when a form needs it.
 */
import type { matcherOf as onServer } from '#kernel/matcher'

let loaded: typeof onServer | undefined

/** Loads the matcher. Wait for it before a form with patterns is compiled. */
export async function loadMatcher(): Promise<void> {
  const { RE2JS } = await import('./patterns')
  loaded = (pattern) => RE2JS.compile(pattern)
}

export const isMatcherLoaded = (): boolean => loaded !== undefined

/** Compiles a pattern in the syntax of RE2. @throws if it is not valid */
export const matcherOf: typeof onServer = (pattern) => {
  if (!loaded) throw new Error('A pattern is compiled before its matcher is loaded.')
  return loaded(pattern)
}
