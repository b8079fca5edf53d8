/** Hides with an answer everything that is computed from it. */

import { type FieldType, referencesOf } from '#design/stages/references'

type Flags = { isRestricted?: boolean; isPii?: boolean }
/** What decides who sees a data type, and what it is computed from. */
export type FlaggedType = FieldType & { _id: string } & Flags

/**
 * The data types with the flags that decide who sees them: a calculation is restricted or PII if anything that it is
 * computed from is, directly or through others. A calculation that names a missing field is both.
 */
export function inheritFlags<T extends FlaggedType>(dataTypes: ReadonlyMap<T['_id'], T>): ReadonlyMap<T['_id'], T> {
  const byCode = Map.groupBy(dataTypes.values(), ({ code = '' }) => code.toLowerCase())
  const results = new Map<string, T>()
  const inProgress = new Set<string>()
  const sourcesOf = (dataType: T): Flags[] =>
    referencesOf(dataType).flatMap(
      (code): Flags[] => byCode.get(code)?.map(addInheritedFlags) ?? [{ isRestricted: true, isPii: true }],
    )

  function addInheritedFlags(dataType: T): T {
    const earlier = results.get(dataType._id)
    if (earlier) return earlier
    // Circles are refused on saving. If there were one, this would end the recursion.
    if (inProgress.has(dataType._id)) return dataType
    inProgress.add(dataType._id)
    const all = [dataType, ...sourcesOf(dataType)]
    inProgress.delete(dataType._id)
    const isRestricted = all.some((each) => each.isRestricted)
    const isPii = all.some((each) => each.isPii)
    const isSame = isRestricted === dataType.isRestricted && isPii === dataType.isPii
    const result = isSame ? dataType : { ...dataType, isRestricted, isPii }
    results.set(dataType._id, result)
    return result
  }
  return new Map([...dataTypes].map(([_id, dataType]) => [_id, addInheritedFlags(dataType)]))
}
