/**
 * Returns a function that is built when it is first called. Modules define hundreds of checks and projections; to build them
 * all at the start would take longer than the rest of the start.
 */
export function once<In extends unknown[], Out>(make: () => (...values: In) => Out): (...values: In) => Out {
  let built: ((...values: In) => Out) | undefined
  return (...values) => {
    built ??= make()
    return built(...values)
  }
}

/**
 * Returns a function that loads a value when it is first called, and later returns the value itself. Calls during the load wait
 * for the same one. If it fails, the next call begins another.
 */
export function onceAsync<T extends object>(load: () => Promise<T>): () => T | Promise<T> {
  let value: T | undefined
  let loading: Promise<T> | undefined
  return () => {
    if (value) return value
    loading ??= load()
      .then((loaded) => (value = loaded))
      .finally(() => {
        loading = undefined
      })
    return loading
  }
}

/** Returns an object that is made when it is first used. The proxy cannot be distinguished from the object: it also has the object's prototype. */
export function onceObject<T extends object>(make: () => T): T {
  let made: T | undefined
  const value = (): T => (made ??= make())
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(value(), name),
    set: (_, name, to) => Reflect.set(value(), name, to),
    has: (_, name) => Reflect.has(value(), name),
    ownKeys: () => Reflect.ownKeys(value()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(value(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(value()),
  })
}
