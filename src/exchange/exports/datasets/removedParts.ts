/** Parts of earlier answers that their question no longer has: statements of a Likert, and columns of a table (pure). */
import type { Cell } from '#writers/cell'
import type { FieldWithSettings } from './form'
import { plainCell } from './parts'

export type RemovedPart = { key: string; row: number | null; value: Cell }

/**
 * Returns a function that returns what an answer has besides the parts of now: a statement or a column can be removed when no response
 * has an answer to it any more, and the history still has.
 */
export function removedPartsOf(field: FieldWithSettings): (value: unknown) => RemovedPart[] {
  if (field.format === 'likert') {
    const known = new Set((field.statements ?? []).map(({ key }) => key))
    return (value) => partsBeside(known, value, null, 'NA')
  }
  if (field.format !== 'table') return () => []
  const known = new Set((field.columns ?? []).map(({ id }) => id))
  return (value) =>
    Array.isArray(value) ? value.flatMap((row, place) => partsBeside(known, row, place + 1, null)) : []
}

/** @param notApplicable what a null says; null if it is a blank */
function partsBeside(
  known: ReadonlySet<string>,
  value: unknown,
  row: number | null,
  notApplicable: Cell,
): RemovedPart[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]): RemovedPart[] => {
    if (known.has(key) || part === '') return []
    const cell = part === null || part === undefined ? notApplicable : plainCell(part)
    return cell === null ? [] : [{ key, row, value: cell }]
  })
}
