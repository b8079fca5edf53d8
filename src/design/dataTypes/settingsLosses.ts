/**
 * Finds what existing answers would lose by a change of settings (docs/data-types.md, "Changes once there are answers").
 */
import { type Reason, reason } from '#kernel/refusals/reason'
import type { FieldSettings, TableColumn } from './model'
import { isBlank } from './values'

/** A part of the settings that a change removes. `what` names it; `uses` says whether an answer uses it. */
type SettingsLoss = { what: Reason; uses: (value: unknown) => boolean }

type AnswerObject = Record<string, unknown>
const entryOf = (value: unknown): AnswerObject =>
  typeof value === 'object' && value !== null ? (value as AnswerObject) : {}
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The entries of `before` whose key `after` no longer has. */
function removedEntries<T>(
  before: readonly T[] | null | undefined,
  after: readonly T[] | null | undefined,
  key: (entry: T) => unknown,
) {
  const keysAfter = new Set((after ?? []).map(key))
  return (before ?? []).filter((entry) => !keysAfter.has(key(entry)))
}

/**
 * The parts that a change of a data type removes: its format, options, scale points, statements or columns, including the
 * same parts of columns. The caller refuses (400) if answers use one. Empty if the change removes nothing.
 */
export function settingsLosses(before: FieldSettings, after: FieldSettings): SettingsLoss[] {
  if (before.format !== after.format) {
    return [{ what: reason('theFormat', { format: before.format }), uses: (value) => !isBlank(value) }]
  }
  const losses: SettingsLoss[] = []
  for (const { label } of removedEntries(before.options, after.options, (option) => option.label)) {
    losses.push({ what: reason('theOption', { label }), uses: (value) => listOf(value).includes(label) })
  }
  for (const { value: point } of removedEntries(before.scale, after.scale, (each) => each.value)) {
    const uses = (value: unknown) => Object.values(entryOf(value)).includes(point)
    losses.push({ what: reason('thePoint', { point }), uses })
  }
  for (const { key, label } of removedEntries(before.statements, after.statements, (statement) => statement.key)) {
    losses.push({ what: reason('theStatement', { label }), uses: (value) => Object.hasOwn(entryOf(value), key) })
  }
  for (const { id, label } of removedEntries(before.columns, after.columns, (column) => column.id)) {
    losses.push({
      what: reason('theColumn', { label }),
      uses: (value) => listOf(value).some((row) => !isBlank(entryOf(row)[id])),
    })
  }
  for (const column of before.columns ?? []) {
    const next = after.columns?.find((other) => other.id === column.id)
    if (next) losses.push(...columnLosses(column, next))
  }
  return losses
}

const columnLosses = (before: TableColumn, after: TableColumn): SettingsLoss[] =>
  settingsLosses(before, after).map(({ what, uses }) => ({
    what: reason('ofColumn', { what, column: before.label }),
    uses: (value) => listOf(value).some((row) => uses(entryOf(row)[before.id])),
  }))
