import { fault } from '#kernel/fault'

/** Compares results of the service with expected values, and counts the comparisons. */
export type Witness = {
  /** @throws a fault if the two differ */
  agree(what: string, said: unknown, told: unknown): void
  readonly comparisons: number
}

export function witness(): Witness {
  let comparisons = 0
  return {
    agree(what, said, told) {
      comparisons++
      if (!Bun.deepEquals(said, told))
        throw fault(`${what}: it should be ${JSON.stringify(told)}, and the service says ${JSON.stringify(said)}.`)
    },
    get comparisons() {
      return comparisons
    },
  }
}
