/** What must not give away an answer that is hidden: what is computed from it is hidden with it. */

import type { DataTypeRow } from '#design/dataTypes/store'
import { referencesOf } from '#design/stages/checks'
import type { Id } from '#kernel/id'

type Flags = Pick<DataTypeRow, 'isRestricted' | 'isPii'>

/**
 * The data types as they are hidden: a calculation is as restricted and as personal as everything it is computed from, by
 * however many steps. One that names what is gone can no longer be said to be open to anyone.
 */
export function guarded(dataTypes: ReadonlyMap<Id, DataTypeRow>): ReadonlyMap<Id, DataTypeRow> {
  const named = Map.groupBy(dataTypes.values(), ({ code }) => code.toLowerCase())
  const found = new Map<Id, DataTypeRow>()
  const under = new Set<Id>()
  const sourcesOf = (dataType: DataTypeRow): Flags[] =>
    referencesOf(dataType).flatMap(
      (code): Flags[] => named.get(code)?.map(guard) ?? [{ isRestricted: true, isPii: true }],
    )

  function guard(dataType: DataTypeRow): DataTypeRow {
    const known = found.get(dataType._id)
    if (known) return known
    // A circle is refused when it is saved; were there one, it would end here.
    if (under.has(dataType._id)) return dataType
    under.add(dataType._id)
    const all = [dataType, ...sourcesOf(dataType)]
    under.delete(dataType._id)
    const isRestricted = all.some((each) => each.isRestricted)
    const isPii = all.some((each) => each.isPii)
    const isSame = isRestricted === dataType.isRestricted && isPii === dataType.isPii
    const guarded = isSame ? dataType : { ...dataType, isRestricted, isPii }
    found.set(dataType._id, guarded)
    return guarded
  }
  return new Map([...dataTypes].map(([_id, dataType]) => [_id, guard(dataType)]))
}
