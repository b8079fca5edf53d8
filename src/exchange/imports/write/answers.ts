/** What the writers share: who is asked by which name, and the values of conditions as a format's codes. */
import type { DataTypeSettings } from '#design/dataTypes/model'
import type { ImportPlan, PlannedComponent, PlannedType } from '#design/stages/importPlan'

export const typesOf = ({ dataTypes }: ImportPlan): Map<string, PlannedType> =>
  new Map(dataTypes.map((type) => [type.code.toLowerCase(), type]))

/** The type that a component asks. */
export const typeOf = (
  types: ReadonlyMap<string, PlannedType>,
  { dataType }: PlannedComponent,
): PlannedType | undefined => (dataType ? types.get(dataType) : undefined)

/** A code for each option, in order: its own, or its place. */
export const codesOf = (options: DataTypeSettings['options']): string[] =>
  (options ?? []).map(({ code }, place) =>
    code == null || String(code).trim() === '' ? String(place + 1) : String(code),
  )

/** The code of an option by its label. */
export function codeOf(options: DataTypeSettings['options'], label: unknown): string | undefined {
  const sought = Array.isArray(label) ? label[0] : label
  const place = (options ?? []).findIndex((each) => each.label === sought)
  return place < 0 ? undefined : codesOf(options)[place]
}

/** Names that occur once only: the second `a` becomes `a_2`. @param fits what a name is made to look like */
export function unique(fits: (name: string) => string): (name: string) => string {
  const given = new Set<string>()
  return (name) => {
    const stem = fits(name)
    let one = stem
    for (let n = 2; given.has(one.toLowerCase()); n++) one = `${stem}_${n}`
    given.add(one.toLowerCase())
    return one
  }
}
