/**
 * A function that is made when it is first called: hundreds of checks and projections stand in modules, and making them all
 * would take longer than everything else that a start does.
 */
export function lazily<In extends unknown[], Out>(make: () => (...values: In) => Out): (...values: In) => Out {
  let made: ((...values: In) => Out) | undefined
  return (...values) => {
    made ??= make()
    return made(...values)
  }
}
