/** Orders things by their dependencies. */

/** Names, each after its dependencies; or the names of a cycle, with the first repeated at its end. */
export type Order = { order: string[]; cycle?: undefined } | { order?: undefined; cycle: string[] }

/** Topological order. @param needs the dependencies of each name; dependencies that are not keys are ignored */
export function topologicalOrder(needs: ReadonlyMap<string, readonly string[]>): Order {
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
 * The order in which to compute calculations, as lower-case codes; or a cycle among them (docs/calculations.md, "Limits").
 */
export const calculationOrder = (calculations: readonly { code: string; references: readonly string[] }[]): Order =>
  topologicalOrder(new Map(calculations.map(({ code, references }) => [code.toLowerCase(), references])))
