/** What must come first, where things build on one another. */

/** Names in an order in which each comes after those it builds on, or a cycle: the names on it, the first again at its end. */
export type Order = { order: string[]; cycle?: undefined } | { order?: undefined; cycle: string[] }

/** @param needs what each name builds on; names that are not keys are taken as given */
export function orderOf(needs: ReadonlyMap<string, readonly string[]>): Order {
  const order: string[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (name: string): string[] | undefined => {
    if (done.has(name)) return undefined
    const at = path.indexOf(name)
    if (at >= 0) return [...path.slice(at), name]
    path.push(name)
    for (const other of needs.get(name) ?? []) {
      const cycle = needs.has(other) ? visit(other) : undefined
      if (cycle) return cycle
    }
    path.pop()
    done.add(name)
    order.push(name)
    return undefined
  }
  for (const name of needs.keys()) {
    const cycle = visit(name)
    if (cycle) return { cycle }
  }
  return { order }
}

/**
 * The order in which calculations are made, by lower-case code; or the cycle they are in (docs/calculations.md,
 * "Limits").
 */
export const calculationOrder = (calculations: readonly { code: string; references: readonly string[] }[]): Order =>
  orderOf(new Map(calculations.map(({ code, references }) => [code.toLowerCase(), references])))
