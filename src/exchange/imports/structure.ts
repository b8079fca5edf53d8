/** Makes a plan of the stages and data types of a trial: the plan that an import of the exported file returns. */
import type { DataTypeRow } from '#design/dataTypes/store'
import type { ImportPlan, PlannedStage, PlannedType, Warning } from '#design/stages/importPlan'
import { plannedComponent, plannedSettings, plannedType } from '#design/stages/plannedStages'
import type { StageRow } from '#design/stages/store'
import { cut } from '#kernel/text'

/**
 * @param dataTypes by `_id`; those that no stage asks are left out
 * @param language of the texts themselves, if the trial says it
 * @param isWhole whether these are all stages of the trial: then a warning names each data type that is left out
 */
export function structureOf(
  stages: readonly StageRow[],
  dataTypes: ReadonlyMap<string, DataTypeRow>,
  isWhole: boolean,
  language?: string,
): ImportPlan {
  const warnings: Warning[] = []
  const asked = new Map<string, PlannedType>()
  const key = (id: string) => {
    const row = dataTypes.get(id)!
    const code = row.code.toLowerCase()
    if (!asked.has(code)) asked.set(code, plannedType(row))
    return code
  }

  const planned = stages.map((stage): PlannedStage => {
    const left = (field: string) =>
      void warnings.push({ field: stage.name, problem: `${field} refers to this trial only and is not exported.` })
    const settings = plannedSettings(stage, left)
    return {
      ...settings,
      components: stage.components.map((component) => {
        if (component.video) warnings.push({ field: cut(component.title, 200), problem: 'Its video is not exported.' })
        return plannedComponent(component, key)
      }),
    }
  })
  if (isWhole) {
    for (const { code } of dataTypes.values()) {
      if (!asked.has(code.toLowerCase()))
        warnings.push({ field: code, problem: 'No stage asks it; it is not exported.' })
    }
  }
  return { stages: planned, dataTypes: [...asked.values()], warnings, ...(language === undefined ? {} : { language }) }
}
