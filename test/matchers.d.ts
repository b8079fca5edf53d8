/**
 * The matchers of tests compare any values. Those of Bun have a type of their own for each type of `actual`, with some 80 methods each
 * time.
 */
import type { Matchers } from 'bun:test'

declare module 'bun:test' {
  interface Expect {
    // biome-ignore lint/suspicious/noExplicitAny: the values are compared at run time
    (actual?: unknown, message?: string): Matchers<any>
  }
}
