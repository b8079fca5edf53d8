/** Adds the result of an import to a trial: its data types, and its stages in order. */
import { placeRow } from '#db/positions'
import { stages as stageTable } from '#db/tables/index'
import { renameCodes } from '#design/dataTypes/expressions'
import { dataTypeFromInput } from '#design/dataTypes/merge'
import { DataTypeInput } from '#design/dataTypes/model'
import { codeFrom, codeProblem, settingsProblems } from '#design/dataTypes/rules'
import { type DataTypeRow, insertDataType } from '#design/dataTypes/store'
import { calculationCircle } from '#design/stages/componentChecks'
import { withRenamedCodes } from '#design/stages/components'
import {
  type ImportPlan,
  type PlannedStage,
  type PlannedType,
  unknownLanguageWarning,
  type Warning,
} from '#design/stages/importPlan'
import { stageFromInput } from '#design/stages/merge'
import { StageInput } from '#design/stages/model'
import { insertStage, type StageRow } from '#design/stages/store'
import { keepLanguages, languagesIn } from '#design/translations/rules'
import { dataTypeTexts, stageTexts } from '#design/translations/textKinds'
import { languagesOf } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { type FieldProblems, refuse } from '#kernel/problem'
import { isReason, reason } from '#kernel/refusals/reason'
import { checker } from '#wire/check'
import { type Configuration, configuration } from './configuration'
import { requireSizeLimits } from './sizeLimits'
import { refuseInvalidStage } from './stageRefusals'

type PlanTarget = Pick<RequestContext, 'db' | 'id' | 'now'> & { trial: { _id: Id; revision: number } }

const checkType = checker(DataTypeInput)
const checkStage = checker(StageInput)

/** Refuses (422) an imported data type or stage that has problems. */
function refuseInvalid(name: string, problems: FieldProblems): void {
  const faults = Object.entries(problems).map(([field, [problem]]) => {
    const place = isReason(problem) && problem.at !== undefined ? `${field}.${problem.at}` : field
    return reason('importedFault', { name, field: place, problem: problem! })
  })
  if (faults.length) throw refuse.invalid({ importData: faults })
}

/** The plan's data types as rows with codes that are free in the trial, by their codes in the plan in lower case. */
function rowsOf(target: PlanTarget, current: Configuration, planned: readonly PlannedType[]) {
  const takenCodes = new Set([...current.dataTypes.values()].map(({ code }) => code.toLowerCase()))
  const plannedCodes = new Set(planned.map(({ code }) => code.toLowerCase()))
  const codes = new Map<string, string>()
  const warnings: Warning[] = []
  for (const { code } of planned) {
    const isTaken = takenCodes.has(code.toLowerCase())
    const newCode = isTaken ? codeFrom(code, (other) => takenCodes.has(other) || plannedCodes.has(other)) : code
    if (isTaken) warnings.push({ field: code, problem: `The trial has this code already; here it is ${newCode}.` })
    takenCodes.add(newCode.toLowerCase())
    codes.set(code.toLowerCase(), newCode)
  }
  const rows = new Map<string, DataTypeRow>()
  for (const type of planned) {
    const key = type.code.toLowerCase()
    const code = codes.get(key)!
    const input = { ...type, code, ...(type.expression ? { expression: renameCodes(type.expression, codes) } : {}) }
    refuseInvalid(type.code, checkType(input).problems ?? {})
    refuseInvalid(type.code, codeProblem(code) ? { code: [codeProblem(code)!] } : settingsProblems(input))
    rows.set(key, dataTypeFromInput({ _id: target.id(), createdAt: target.now, trial: target.trial._id, code }, input))
  }
  return { rows, codes, warnings }
}

/**
 * Adds the plan to the trial and returns the new rows. Refuses (422) invalid data types or stages, and calculations that are
 * computed from each other in a circle.
 * @param fields replace those of every new stage
 * @param index the place of the first new stage; without it, the new stages follow the existing ones
 */
export function applyPlan(
  target: PlanTarget,
  plan: Pick<ImportPlan, 'stages' | 'dataTypes'>,
  fields: Partial<Omit<StageInput, 'components' | 'index'>> = {},
  index?: number,
): { stages: StageRow[]; dataTypes: DataTypeRow[]; warnings: Warning[] } {
  const { db, trial } = target
  const { stages, dataTypes, unknown } = inLanguagesOf(plan, languagesOf(db, trial._id).slice(1))
  const current = configuration(db, trial)
  requireSizeLimits(current, { dataTypes: dataTypes.length, stages: stages.length })
  const { rows, codes, warnings } = rowsOf(target, current, dataTypes)
  const allTypes = new Map(current.dataTypes)
  for (const row of rows.values()) allTypes.set(row._id, row)
  const circle = calculationCircle([...rows.values(), ...current.dataTypes.values()])
  if (circle) throw refuse.invalid({ importData: [circle] })
  for (const row of rows.values()) insertDataType(db, row)
  const stageRows = stages.map((stage, n) => {
    const input = { ...withIds(stage, rows, codes), ...fields }
    refuseInvalid(stage.name, checkStage(input).problems ?? {})
    const key = { _id: target.id(), createdAt: target.now, trial: trial._id, index: current.stageOrder.length + n }
    const row = stageFromInput(key, input)
    refuseInvalidStage({ db, configuration: current, dataTypes: allTypes }, row)
    insertStage(db, row)
    if (index !== undefined) row.index = placeRow(db, stageTable, trial._id, row._id, index + n)
    return row
  })
  return { stages: stageRows, dataTypes: [...rows.values()], warnings: [...unknown, ...warnings] }
}

/** The plan with translations into the languages of the trial only, and a warning for each other language. */
function inLanguagesOf({ stages, dataTypes }: Pick<ImportPlan, 'stages' | 'dataTypes'>, languages: readonly string[]) {
  const used = new Set<string>()
  for (const stage of stages) for (const language of languagesIn(stage, stageTexts)) used.add(language)
  for (const type of dataTypes) for (const language of languagesIn(type, dataTypeTexts)) used.add(language)
  const lacking = [...used].filter((language) => !languages.includes(language))
  if (!lacking.length) return { stages, dataTypes, unknown: [] }
  return {
    stages: stages.map((stage) => keepLanguages(stage, stageTexts, languages)),
    dataTypes: dataTypes.map((type) => keepLanguages(type, dataTypeTexts, languages)),
    unknown: lacking.map(unknownLanguageWarning),
  }
}

/** The stage with the `_id`s of its data types instead of their codes, and the new codes in constraints. */
function withIds(
  stage: PlannedStage,
  rows: ReadonlyMap<string, DataTypeRow>,
  codes: ReadonlyMap<string, string>,
): PlannedStage {
  const idOf = (code: string) => rows.get(String(code).toLowerCase())?._id ?? code
  return {
    ...stage,
    components: stage.components.map(({ dataType, condition, ...component }) => ({
      ...withRenamedCodes(component, codes),
      ...(dataType ? { dataType: idOf(dataType) } : {}),
      ...(condition ? { condition: { ...condition, dataType: idOf(condition.dataType) } } : {}),
    })),
  }
}
