/** Functions that all writers use: the data types of components, codes of options, unique names. */
import type { DataTypeSettings } from '#design/dataTypes/model'
import type { PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { codesOf, uniqueHeaders } from '#exchange/exports/datasets/columns'

/** The data type of a component; undefined for a heading. */
export const typeOf = (
  types: ReadonlyMap<string, PlannedType>,
  { dataType }: PlannedComponent,
): PlannedType | undefined => (dataType ? types.get(dataType) : undefined)

/** The code of the option with that label; of the first, if it is a list. undefined if there is no such option. */
export function codeOf(options: DataTypeSettings['options'], label: unknown): string | undefined {
  const wanted = Array.isArray(label) ? label[0] : label
  const place = (options ?? []).findIndex((each) => each.label === wanted)
  return place < 0 ? undefined : codesOf(options)[place]
}

/** The code of the option that has this value in calculations: its code, or its label if it has none. */
export function codeOfValue(options: DataTypeSettings['options'], value: string | number): string {
  const place = (options ?? []).findIndex(({ code, label }) => code == null && label === value)
  return place < 0 ? String(value) : codesOf(options)[place]!
}

/**
 * Makes the function that makes names unique, ignoring case: the second `a` becomes `a_2`.
 * @param valid makes a name that the format allows
 */
export function unique(valid: (name: string) => string): (name: string) => string {
  const free = uniqueHeaders()
  return (name) => free(valid(name))
}
