/** New stages: empty ones, copies, and those made from a questionnaire or an instrument of another tool. */
import { type Access, holds } from '#access/caller'
import { placeRow } from '#db/positions'
import { stages as stageTable } from '#db/tables/index'
import { applyPlan } from '#design/configuration/applyPlan'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { requireSizeLimits } from '#design/configuration/sizeLimits'
import { copyAcross, copyWithin, type StageCopy } from '#design/configuration/stageCopy'
import { refuseInvalidStage } from '#design/configuration/stageRefusals'
import { stageVisibleTo } from '#design/configuration/stageScope'
import { type DataTypeRow, insertDataType } from '#design/dataTypes/store'
import type { Questionnaire } from '#design/questionnaires/model'
import { stageFromQuestionnaire } from '#design/questionnaires/rules'
import type { ImportPlan } from '#design/stages/importPlan'
import { stageFromInput } from '#design/stages/merge'
import { insertStage, type StageRow } from '#design/stages/store'
import type { Note } from '#http/operation'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { linkStages } from './links'
import type { NewStage } from './model'

type CreationContext = Parameters<typeof applyPlan>[0] &
  Parameters<typeof stageVisibleTo>[0] & { access: Access; body: NewStage; record(note: Note): void }

/**
 * Adds one stage, with the data types that a copy or a questionnaire needs. 422 without a name, or for a stage
 * that is not valid.
 */
export function addStage(context: CreationContext, questionnaire: Questionnaire | undefined): StageRow {
  const { db, trial, body, id, now, record } = context
  const { copyFrom, index, importData, prompt: _, ...sent } = body
  const current = configuration(db, trial)
  const copy = copySource({ ...context, targetConfiguration: current }, copyFrom, questionnaire)
  const name = sent.name ?? copy?.fields.name
  if (name === undefined) throw refuse.invalid({ name: [reason('missing')] })
  const key = { _id: id(), createdAt: now, trial: trial._id, index: current.stageOrder.length }
  const after = stageFromInput(key, { ...copy?.fields, ...sent, name })
  const dataTypes = dataTypesOf(after, copy?.dataTypes ?? [])
  requireSizeLimits(current, { dataTypes: dataTypes.length, stages: 1 })
  refuseInvalidStage({ db, configuration: current, dataTypes: dataTypesWith(current, dataTypes) }, after)
  for (const dataType of dataTypes) insertDataType(db, dataType)
  insertStage(db, after)
  after.index = placeRow(db, stageTable, trial._id, after._id, index)
  record({ event: { after, ...(copy && { copyFrom, ...importData, dataTypes }) } })
  return after
}

/** The data types that the stage asks for. */
function dataTypesOf({ components }: StageRow, dataTypes: readonly DataTypeRow[]): DataTypeRow[] {
  const ids = new Set(components.map(({ dataType }) => dataType))
  return dataTypes.filter(({ _id }) => ids.has(_id))
}

/** The data types of the trial together with others, by `_id`. */
const dataTypesWith = ({ dataTypes }: Configuration, others: readonly DataTypeRow[]): Map<string, DataTypeRow> =>
  new Map([...dataTypes, ...others.map((dataType) => [dataType._id, dataType] as const)])

/** Adds all stages of an instrument. Returns the first, with warnings about what could not be imported (docs/imports.md). */
export function addStages(context: CreationContext, plan: ImportPlan) {
  const { copyFrom, importData, prompt: _, components, index, ...sent } = context.body
  const bare = plan.stages.map(({ waits: _, groups: __, ...stage }) => stage)
  const { stages: added, dataTypes, warnings } = applyPlan(context, { ...plan, stages: bare }, sent, index)
  const linked = linkStages(context, added, plan.stages, holds(context.access, 'admin'))
  const { stages, anchors, groups } = linked
  const links = { ...(anchors.length ? { anchors } : {}), ...(groups.length ? { groups } : {}) }
  context.record({ event: { source: importData?.source, after: stages, dataTypes, ...links } })
  // A language that is left out of the file may also be in the notes of one of our exports.
  const knownWarnings = new Set(plan.warnings.map(({ field, problem }) => `${field} ${problem}`))
  const further = warnings.filter(({ field, problem }) => !knownWarnings.has(`${field} ${problem}`))
  const all = [...plan.warnings, ...further, ...linked.warnings]
  return { ...stages[0]!, stages: stages.map(({ _id }) => _id), warnings: all }
}

type Target = Parameters<typeof copyAcross>[0] & Parameters<typeof stageVisibleTo>[0]

/** The source of a new stage; undefined for an empty stage. */
function copySource(target: Target, copyFrom: string | undefined, questionnaire: Questionnaire | undefined) {
  if (questionnaire) return stageFromQuestionnaire(target, questionnaire)
  return copyFrom === undefined ? undefined : copyOf(target, copyFrom)
}

/** Copies a stage that the caller sees; from another trial only with trial.read there, because its data types are copied too. */
function copyOf(target: Target, copyFrom: string): StageCopy {
  const { db, trial } = target
  const source = stageVisibleTo(target, copyFrom)
  if (source.trial._id === trial._id) return copyWithin(source.stage)
  if (!holds(source.access, 'read')) throw refuse.missingPermission(['trial.read'])
  return copyAcross(target, source.stage, configuration(db, source.trial))
}
