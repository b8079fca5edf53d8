import { fault } from '#kernel/fault'

/** Compares what the service says with what it was told, and counts how often. */
export type Witness = {
  /** @throws a fault where the two are not the same */
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
