/**
 * Returns a function that is built when it is first called. Modules define hundreds of checks and projections; to build them
 * all at the start would take longer than the rest of the start.
 */
export function lazily<In extends unknown[], Out>(make: () => (...values: In) => Out): (...values: In) => Out {
  let built: ((...values: In) => Out) | undefined
  return (...values) => {
    built ??= make()
    return built(...values)
  }
}
