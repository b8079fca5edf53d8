type Row = Record<string, unknown>

/** The change of an update, for its audit entry: the values before and after of the fields that differ. */
export function changedFields(before: Row, after: Row): { before: Row; after: Row } {
  const differ = Object.keys({ ...before, ...after }).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  const only = (row: Row) => Object.fromEntries(differ.map((field) => [field, row[field] ?? null]))
  return { before: only(before), after: only(after) }
}
