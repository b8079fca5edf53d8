/** Stages and data types of a trial as those of an import plan, which name data types by code (pure). */
import { isDeepStrictEqual } from 'node:util'
import type { DataTypeRow } from '#design/dataTypes/store'
import type { PlannedComponent, PlannedStage, PlannedType } from './importPlan'
import { type StageRow, stageDefaults } from './store'

/** Settings that refer to sites, groups, anchors, stages and consent forms of the trial: they have no meaning elsewhere. */
const localSettings = [
  ...(['availableToSites', 'availableToGroups', 'enableAfter', 'isAnchored', 'anchorSchedule'] as const),
  'requiresConsent',
] as const

/** The settings of a stage that are not the default ones, without its components. @param onLocalSetting called for each that refers to its trial only */
export function plannedSettings(
  stage: StageRow,
  onLocalSetting?: (field: string) => void,
): Omit<PlannedStage, 'components'> {
  const { _id, createdAt, trial, index, components, translatedFrom: _from, ...settings } = stage
  const settingsOfPlan: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(settings)) {
    if (value === null || isDeepStrictEqual(value, stageDefaults[field as keyof typeof stageDefaults])) continue
    if (!localSettings.includes(field as (typeof localSettings)[number])) settingsOfPlan[field] = value
    else onLocalSetting?.(field)
  }
  return settingsOfPlan as Omit<PlannedStage, 'components'>
}

/** A component without its video. @param key the code of a data type in lower case */
export function plannedComponent(
  { dataType, condition, video: _, ...rest }: StageRow['components'][number],
  key: (dataType: string) => string,
): PlannedComponent {
  return {
    ...(withoutNulls(rest) as PlannedComponent),
    ...(dataType ? { dataType: key(dataType) } : {}),
    ...(condition
      ? { condition: { ...(withoutNulls(condition) as typeof condition), dataType: key(condition.dataType) } }
      : {}),
  }
}

/** The object without fields that are null, and without isRequired: false; both mean the same as an absent field. */
const withoutNulls = (object: object) =>
  Object.fromEntries(
    Object.entries(object).filter(([field, value]) => value != null && !(field === 'isRequired' && !value)),
  )

/** A data type. */
export function plannedType({
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
