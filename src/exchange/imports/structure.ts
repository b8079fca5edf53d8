/** Makes a plan of the stages and data types of a trial: the plan that an import of the exported file returns. */
import { isDeepStrictEqual } from 'node:util'
import type { DataTypeRow } from '#design/dataTypes/store'
import type { ImportPlan, PlannedComponent, PlannedStage, PlannedType, Warning } from '#design/stages/importPlan'
import { type StageRow, stageDefaults } from '#design/stages/store'
import { cut } from '#kernel/text'

/** Settings that refer to sites, groups, anchors and stages of the trial: they have no meaning elsewhere. */
const local = ['availableToSites', 'availableToGroups', 'enableAfter', 'isAnchored', 'anchorSchedule'] as const

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

  function plannedComponent({ dataType, condition, video, ...rest }: StageRow['components'][number]): PlannedComponent {
    if (video) warnings.push({ field: cut(rest.title, 200), problem: 'Its video is not exported.' })
    return {
      ...(withoutNulls(rest) as PlannedComponent),
      ...(dataType ? { dataType: key(dataType) } : {}),
      ...(condition
        ? { condition: { ...(withoutNulls(condition) as typeof condition), dataType: key(condition.dataType) } }
        : {}),
    }
  }

  const planned = stages.map((stage): PlannedStage => {
    const { _id, createdAt, trial, index, components, translatedFrom: _from, ...settings } = stage
    const given: Record<string, unknown> = {}
    for (const [field, value] of Object.entries(settings)) {
      if (value === null || isDeepStrictEqual(value, stageDefaults[field as keyof typeof stageDefaults])) continue
      if (!local.includes(field as (typeof local)[number])) given[field] = value
      else warnings.push({ field: stage.name, problem: `${field} refers to this trial only and is not exported.` })
    }
    return { ...(given as Omit<PlannedStage, 'components'>), components: components.map(plannedComponent) }
  })
  if (isWhole) {
    for (const { code } of dataTypes.values()) {
      if (!asked.has(code.toLowerCase()))
        warnings.push({ field: code, problem: 'No stage asks it; it is not exported.' })
    }
  }
  return { stages: planned, dataTypes: [...asked.values()], warnings, ...(language === undefined ? {} : { language }) }
}

/** The object without fields that are null, and without isRequired: false; both mean the same as an absent field. */
const withoutNulls = (object: object) =>
  Object.fromEntries(
    Object.entries(object).filter(([field, value]) => value != null && !(field === 'isRequired' && !value)),
  )

function plannedType({
  _id,
  createdAt,
  trial,
  isPii,
  isRestricted,
  translatedFrom,
  ...rest
}: DataTypeRow): PlannedType {
  return {
    ...(withoutNulls(rest) as PlannedType),
    ...(isPii ? { isPii } : {}),
    ...(isRestricted ? { isRestricted } : {}),
  }
}
