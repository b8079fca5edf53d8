import { fault } from '#kernel/fault'

/** Compares results of the service with expected values, and counts the comparisons. */
export type Checks = {
  /** @throws a fault if the two differ */
  equal(what: string, actual: unknown, expected: unknown): void
  readonly comparisons: number
}

export function startChecks(): Checks {
  let comparisons = 0
  return {
    equal(what, actual, expected) {
      comparisons++
      if (!Bun.deepEquals(actual, expected))
        throw fault(
          `${what}: expected ${JSON.stringify(expected)}, but the service returned ${JSON.stringify(actual)}.`,
        )
    },
    get comparisons() {
      return comparisons
    },
  }
}
