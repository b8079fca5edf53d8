/**
 * The matchers of tests compare any values. Those of Bun have a type of their own for each type of `actual`, some 80 methods each time:
 * a third of the time of the type-check.
 */
import type { Matchers } from 'bun:test'

declare module 'bun:test' {
  type Expect = (actual?: unknown, message?: string) => Matchers<any>
}
