import { holds, holdsAnywhere, nowhere } from '#access/caller'
import { requireStill } from '#access/packed'
import { changes } from '#audit/changes'
import { keepLockedData } from '#conduct/participants/lockedData'
import { hiddenFrom } from '#conduct/responses/read'
import { place } from '#db/positions'
import { stages as stageTable } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { type Copy, copyAcross, copyWithin } from '#design/configuration/copy'
import { applyPlan } from '#design/configuration/plan'
import { refuseFaults, refuseInUse, refuseUnscoring } from '#design/configuration/stageRefusals'
import { stage, stageSeenBy, stagesNamed } from '#design/configuration/stageScope'
import { insertDataType } from '#design/dataTypes/store'
import type { Questionnaire } from '#design/questionnaires/model'
import { stageFrom } from '#design/questionnaires/rules'
import { pruneStageGroups } from '#design/stageGroups/prune'
import type { ImportPlan } from '#design/stages/importPlan'
import { created, merged } from '#design/stages/merge'
import { CreatedStage, creationTypes, NewStage, Stage, StageInput, StageQuery, Stages } from '#design/stages/model'
import { deleteStages, insertStage, updateStage } from '#design/stages/store'
import { trial } from '#design/trials/scope'
import { isFormFormat, sharedForm, writtenForm } from '#exchange/crf/writing'
import { JobStarted } from '#exchange/generation/model'
import { startGenerating } from '#exchange/generation/start'
import { sharedStructure, writtenStructure } from '#exchange/imports/exporting'
import { StructureFile } from '#exchange/imports/model'
import { type Note, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { described, either, maybe, oneOf, partial, shape, text } from '#wire/words'
import { sourceOf } from './source'

const LARGEST = 16 << 20

const listStages = operation({
  method: 'GET',
  path: '/trials/:trialId/stages',
  summary: 'List the stages of a trial in order',
  scope: trial,
  returns: Stages,
  run: ({ db, trial }) => ({ stages: configuration(db, trial).stageOrder }),
})

const createStage = operation({
  method: 'POST',
  path: '/trials/:trialId/stages',
  summary: 'Create a stage, copy one, or make one from a questionnaire or an instrument of another tool',
  description:
    'A name is required unless copyFrom names the stage to copy, or importData what to make it from; other fields sent ' +
    'with it replace its own. `creationType=generateFromAI` takes a prompt alone and starts a job, whose result holds ' +
    '`stages` (their _ids), `dataTypes` (how many) and `notes` (what was not understood).',
  scope: trial,
  needs: 'trial.write',
  changes: 'configuration',
  logs: 'createStage',
  body: NewStage,
  query: shape({ creationType: maybe(oneOf(...creationTypes)) }),
  largest: LARGEST,
  returns: either(CreatedStage, JobStarted),
  prepare: sourceOf,
  run: (context) => {
    const { db, trial, body, prepared, id, now, record } = context
    if (prepared.prompt !== undefined) return startGenerating(context, prepared.prompt)
    if (prepared.plan) return createImported(context, prepared.plan)
    const { copyFrom, index, importData, prompt: _, ...sent } = body
    const current = configuration(db, trial)
    const copy = origin({ ...context, into: current }, copyFrom, prepared.questionnaire)
    const name = sent.name ?? copy?.fields.name
    if (name === undefined) throw refuse.invalid({ name: ['Missing data for required field.'] })
    const key = { _id: id(), createdAt: now, trial: trial._id, index: current.stageOrder.length }
    const after = created(key, { ...copy?.fields, ...sent, name })
    const asked = new Set(after.components.map(({ dataType }) => dataType))
    const dataTypes = (copy?.dataTypes ?? []).filter(({ _id }) => asked.has(_id))
    const known = new Map(current.dataTypes)
    for (const dataType of dataTypes) known.set(dataType._id, dataType)
    refuseFaults({ db, configuration: current, dataTypes: known }, after)
    for (const dataType of dataTypes) insertDataType(db, dataType)
    insertStage(db, after)
    after.index = place(db, stageTable, trial._id, after._id, index)
    record({ event: { after, ...(copy ? { copyFrom, ...importData, dataTypes } : {}) } })
    return after
  },
})

type Importing = Parameters<typeof applyPlan>[0] & { body: NewStage; record(note: Note): void }

/** Adds all stages of an instrument; answers the first, with what could not be carried over (docs/imports.md). */
function createImported(context: Importing, plan: ImportPlan) {
  const { copyFrom, importData, prompt: _, components, index, ...sent } = context.body
  const { stages, dataTypes, warnings } = applyPlan(context, plan, sent, index)
  context.record({ event: { source: importData?.source, after: stages, dataTypes } })
  return { ...stages[0]!, stages: stages.map(({ _id }) => _id), warnings: [...plan.warnings, ...warnings] }
}

type Target = Parameters<typeof copyAcross>[0] & Parameters<typeof stageSeenBy>[0]

/** What a stage is made from; undefined for one that starts empty. */
function origin(target: Target, copyFrom: string | undefined, questionnaire: Questionnaire | undefined) {
  if (questionnaire) return stageFrom(target, questionnaire)
  return copyFrom === undefined ? undefined : copied(target, copyFrom)
}

/** The copy of a stage that the caller sees; of another trial only with trial.read there, as its data types come along. */
function copied(target: Target, copyFrom: string): Copy {
  const { db, trial } = target
  const seen = stageSeenBy(target, copyFrom)
  if (seen.trial._id === trial._id) return copyWithin(seen.stage)
  if (!seen.access || !holds(seen.access, 'read')) throw refuse.lacking(['trial.read'])
  return copyAcross(target, seen.stage, configuration(db, seen.trial))
}

const showStage = operation({
  method: 'GET',
  path: '/stages/:stageId',
  summary: 'Read a stage, print it as a case report form, or export what it asks for other tools',
  description:
    'pdf and docx are a blank case report form; with a response, which needs trial.readParticipantStudyData on its ' +
    'participant, the Word version has its answers. The formats of other tools need trial.read. Answers a link to the file.',
  scope: stage,
  logs: ({ format, response }) =>
    format === undefined ? undefined : response === undefined ? 'exportStructure' : 'exportResponse',
  query: StageQuery,
  returns: either(Stage, StructureFile),
  prepare: async (context) => {
    const { query, stage, access } = context
    const { format, response } = query
    if (response !== undefined && format !== 'docx') {
      throw refuse.invalid({ response: ['Is filled in with format=docx only.'] }, 'query')
    }
    if (format === undefined) return undefined
    if (isFormFormat(format)) return { form: await writtenForm(context, format, response) }
    if (!access || !holdsAnywhere(access, 'read')) throw refuse.lacking(['trial.read'])
    return { structure: await writtenStructure(context, format, stage._id) }
  },
  run: (context) => {
    const { stage, access, query, prepared, record } = context
    if (!prepared) return stage
    record({ event: { format: query.format } })
    if (prepared.structure) return sharedStructure(context, prepared.structure, stage.name)
    const { response } = prepared.form
    if (response) requireStill(access!, response.access)
    record({ event: { stage: stage._id, ...(response ? { response: response._id } : {}) } })
    if (response?.participant) record({ participant: response.participant })
    return sharedForm(context, prepared.form, stage.name)
  },
})

const editStage = operation({
  method: 'PUT',
  path: '/stages/:stageId',
  summary: 'Change a stage',
  description: 'A new index moves it; those between move up or down.',
  scope: stage,
  needs: 'trial.write',
  changes: 'configuration',
  logs: 'updateStage',
  body: partial(StageInput),
  largest: LARGEST,
  returns: Stage,
  run: ({ db, trial, access, stage, body, record }) => {
    const current = configuration(db, trial)
    const after = merged(stage, body)
    refuseUnscoring(hiddenFrom(current, access!, nowhere), stage, after)
    refuseFaults({ db, configuration: current, dataTypes: current.dataTypes }, after, stage)
    updateStage(db, after)
    if (body.index !== undefined) after.index = place(db, stageTable, trial._id, stage._id, body.index)
    const stages = current.stageOrder.map((each) => (each._id === after._id ? after : each))
    record({ event: { ...changes(stage, after), ...pruneStageGroups(db, trial._id, stages) } })
    return after
  },
})

const removeStage = operation({
  method: 'DELETE',
  path: '/stages/:stageId',
  summary: 'Delete a stage',
  description: 'Refused while others depend on it, and once it has responses. Stage groups lose it.',
  scope: stage,
  needs: 'trial.write',
  changes: 'configuration',
  logs: 'deleteStage',
  returns: shape({}),
  run: ({ db, trial, stage, record }) => {
    keepLockedData(db, trial, 'stage', [stage._id])
    const current = configuration(db, trial)
    refuseInUse(db, current, [stage])
    deleteStages(db, [stage._id])
    place(db, stageTable, trial._id)
    const staying = current.stageOrder.filter((each) => each !== stage)
    record({ event: { before: stage, ...pruneStageGroups(db, trial._id, staying) } })
    return {}
  },
})

const removeStages = operation({
  method: 'DELETE',
  path: '/stages',
  summary: 'Delete several stages of a trial',
  description: 'All of them or none. They may depend on each other.',
  scope: stagesNamed,
  needs: 'trial.write',
  changes: 'configuration',
  limit: 50,
  logs: 'deleteStages',
  query: shape({ ids: described('Their _ids, with commas between them.', text(1, 50_000)) }),
  returns: shape({}),
  run: ({ db, trial, stages, record }) => {
    if (stages.some((stage) => stage.trial !== trial._id)) throw refuse.bad('Delete the stages of one trial at a time.')
    const going = stages.map(({ _id }) => _id)
    keepLockedData(db, trial, 'stage', going)
    const current = configuration(db, trial)
    refuseInUse(db, current, stages)
    deleteStages(db, going)
    place(db, stageTable, trial._id)
    const staying = current.stageOrder.filter(({ _id }) => !going.includes(_id))
    record({ event: { before: stages, ...pruneStageGroups(db, trial._id, staying) } })
    return {}
  },
})

export const stageOperations = [listStages, createStage, showStage, editStage, removeStage, removeStages]
