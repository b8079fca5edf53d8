/** The names that fields have in a file: one for each, and one for each row of a Likert. */
import type { ImportPlan, PlannedType } from '#design/stages/importPlan'
import { typeOf } from './answers'

export type NamesInFile = {
  /** A component's own name, then those of its rows. */
  of(stage: number, component: number): readonly string[]
  /** What a stage's expressions call the fields by: by code in lower case, or `code.statement`. */
  within(stage: number): ReadonlyMap<string, string>
}

/** Names every field before anything is written: a condition may look ahead. @param name gives each name once */
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
