import type { JsonObject } from '#kernel/json'

/** The change of an update, for its audit entry: the values before and after of the fields that differ. */
export function changedFields(before: JsonObject, after: JsonObject): { before: JsonObject; after: JsonObject } {
  const differing = Object.keys({ ...before, ...after }).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  const only = (row: JsonObject) => Object.fromEntries(differing.map((field) => [field, row[field] ?? null]))
  return { before: only(before), after: only(after) }
}
