/**
 * Options that say why there is no answer, such as “Not done” or “Refused” (docs/data-types.md, "Why there is no answer"): chosen, they
 * count as answered, but not as a value.
 */
import type { DataTypeSettings, FieldSettings } from './model'

type Options = NonNullable<DataTypeSettings['options']>

/** Whether an option can only be chosen by itself: an answer cannot also say why there is no answer. */
export const isExclusiveOption = ({ isExclusive, missing }: Options[number]): boolean =>
  isExclusive === true || missing === true

/** The labels of the options that say why there is no answer. */
export const reasonsOf = ({ options }: Pick<FieldSettings, 'options'>): ReadonlySet<unknown> =>
  new Set((options ?? []).flatMap(({ label, missing }) => (missing ? [label] : [])))

/** Returns a function that returns whether the answer to a choice only says why there is none. Build it once per data type. */
export function reasonTest(settings: Pick<FieldSettings, 'options'>): (value: unknown) => boolean {
  const reasons = reasonsOf(settings)
  return reasons.size === 0 ? () => false : (value) => Array.isArray(value) && value.some((label) => reasons.has(label))
}
