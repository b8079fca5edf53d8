/** Parts of answers that a test needs: where they are absent, the test fails and says so. */

/** A value that must be there. */
export function present<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`A value that the test needs is ${value}.`)
  return value
}

type Tuple<T, N extends number, Items extends T[] = []> = Items['length'] extends N ? Items : Tuple<T, N, [...Items, T]>

/** The first `count` items of a list, which must have as many. */
export function take<N extends number, T>(count: N, list: readonly T[] | undefined): Tuple<T, N> {
  const items = list?.slice(0, count)
  if (!has(items, count))
    throw new Error(`The test needs ${count} items of a list, which has ${list?.length ?? 'none'}.`)
  return items
}

const has = <N extends number, T>(items: T[] | undefined, count: N): items is T[] & Tuple<T, N> =>
  items?.length === count

/** The first item of a list, which must have one. */
export const firstOf = <T>(list: readonly T[] | undefined): T => take(1, list)[0]

/** The last item of a list, which must have one. */
export const lastOf = <T>(list: readonly T[] | undefined): T => take(1, list?.slice(-1))[0]

/** A list that has items. */
export const atLeastOne = <T>(list: readonly T[]): [T, ...T[]] => [firstOf(list), ...list.slice(1)]
