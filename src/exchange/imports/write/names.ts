/** The names of fields in a file: one for each field, and one for each row of a Likert. */
import type { ImportPlan, PlannedType } from '#design/stages/importPlan'
import { typeOf } from './answers'

export type NamesInFile = {
  /** The name of a component, then those of its rows. */
  of(stage: number, component: number): readonly string[]
  /** The names in the expressions of a stage, see `nameIn`. */
  within(stage: number): Names
}

/** Names of fields by their codes in lower case, and of rows by `code.statement`. */
export type Names = ReadonlyMap<string, string>

/** The name of a field or of a row; undefined if the stage has no such field. */
export const nameIn = (names: Names, code: string, statement?: string): string | undefined =>
  names.get(statement === undefined ? code : `${code}.${statement}`)

/**
 * Names all fields before anything is written, because a condition may refer to a later field.
 * @param name makes a name valid and unique
 */
export function namesOf(
  plan: ImportPlan,
  types: ReadonlyMap<string, PlannedType>,
  name: (wanted: string) => string,
): NamesInFile {
  const names = plan.stages.map(({ components }) =>
    components.map((component) => {
      const type = typeOf(types, component)
      if (!type) return [name(`section_${component.id}`)]
      const rows = type.format === 'likert' ? (type.statements ?? []) : []
      return [
        name(type.code),
        ...rows.map(({ key }) => name(/^[a-z]\w*$/i.test(key) ? key : `${type.code}_${key.replace(/\W+/g, '_')}`)),
      ]
    }),
  )
  return {
    of: (stage, component) => names[stage]![component]!,
    within(stage) {
      const found = new Map<string, string>()
      plan.stages[stage]!.components.forEach((component, place) => {
        const type = typeOf(types, component)
        const [own, ...rows] = names[stage]![place]!
        if (!type) return
        found.set(component.dataType!, own!)
        rows.forEach((row, at) => void found.set(`${component.dataType}.${type.statements![at]!.key}`, row))
      })
      return found
    },
  }
}
