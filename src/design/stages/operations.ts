import { noPlaces } from '#access/caller'
import { placeRow } from '#db/positions'
import { stages as stageTable } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { changeWithoutHiddenUses } from '#design/configuration/hiddenUses'
import { refuseInUse, refuseInvalidStage, refuseRemovedScoring } from '#design/configuration/stageRefusals'
import { stage, stagesByQuery } from '#design/configuration/stageScope'
import { JobStarted } from '#design/generation/model'
import { startGeneration } from '#design/generation/start'
import { hiddenFrom } from '#design/hiddenFields/hiddenFields'
import { pruneStageGroups } from '#design/stageGroups/prune'
import { addStage, addStages } from '#design/stages/creation/creation'
import { CreatedStage, creationTypes, NewStage, StageQuery, stageFiles } from '#design/stages/creation/model'
import { sourceOf } from '#design/stages/creation/source'
import { fileNote, shareStageFile, writeStageFile } from '#design/stages/files/files'
import { refuseLockedDataLoss } from '#design/trials/lockedDataStore'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { byQuery, maybe, oneOf, partial, shape, text, withDescription } from '#wire/schema'
import { mergeStage } from './merge'
import { Stage, StageInput, Stages } from './model'
import { deleteStages, updateStage } from './store'

/** The maximum size of a body, in bytes: it may contain a file to import. */
const LARGEST = 16 << 20

const listStages = operation({
  id: 'listStages',
  method: 'GET',
  path: '/trials/:trialId/stages',
  summary: 'List the stages of a trial in order',
  scope: trial,
  needs: 'nothing',
  returns: Stages,
  run: ({ db, trial }) => ({ stages: configuration(db, trial).stageOrder }),
})

const createStage = operation({
  id: 'createStage',
  method: 'POST',
  path: '/trials/:trialId/stages',
  summary: 'Create a stage, copy one, or make one from a questionnaire or an instrument of another tool',
  description:
    'A name is required unless copyFrom or importData is sent; other fields sent with them replace those of the source.' +
    ' `creationType=generateFromAI` takes a prompt alone and starts a job, whose result holds ' +
    '`stages` (their _ids), `dataTypes` (their number) and `notes` (what was not understood).',
  scope: trial,
  needs: 'trial.write',
  changes: 'configuration',
  logs: 'createStage',
  body: NewStage,
  query: shape({ creationType: maybe(oneOf(...creationTypes)) }),
  maxBodyBytes: LARGEST,
  returns: byQuery('creationType', CreatedStage, { generateFromAI: JobStarted }),
  prepare: sourceOf,
  run: (context) => {
    const { prompt, plan, questionnaire } = context.prepared
    if (prompt !== undefined) return startGeneration(context, prompt)
    return changeWithoutHiddenUses(context, () => (plan ? addStages(context, plan) : addStage(context, questionnaire)))
  },
})

const showStage = operation({
  id: 'readStage',
  method: 'GET',
  path: '/stages/:stageId',
  summary: 'Read a stage, print it as a case report form, or export it for other tools',
  description:
    'pdf and docx are a blank case report form; with a response, which needs trial.readParticipantStudyData on its ' +
    'participant, the Word version contains its answers. The formats of other tools need trial.read. Returns a link to the file.',
  scope: stage,
  needs: 'nothing',
  logs: ({ format, response }) =>
    format === undefined ? undefined : response === undefined ? 'exportStructure' : 'exportResponse',
  reads: (_, { response }) => (response === undefined ? [] : 'filter'),
  query: StageQuery,
  returns: byQuery('format', Stage, stageFiles),
  prepare: (context) => writeStageFile(context, context.query),
  run: (context) => {
    const { stage, query, prepared: file, record } = context
    if (!file) return stage
    record(fileNote(file, query, stage))
    return shareStageFile(context, file)
  },
})

const editStage = operation({
  id: 'updateStage',
  method: 'PUT',
  path: '/stages/:stageId',
  summary: 'Change a stage',
  description: 'A new index moves it; the stages between the old and the new place move up or down.',
  scope: stage,
  needs: 'trial.write',
  changes: 'configuration',
  of: 'stage',
  logs: 'updateStage',
  body: partial(StageInput),
  maxBodyBytes: LARGEST,
  returns: Stage,
  run: ({ db, trial, access, stage, body, record }) => {
    const current = configuration(db, trial)
    const after = mergeStage(stage, body)
    refuseRemovedScoring(hiddenFrom(current, access, noPlaces), stage, after)
    refuseInvalidStage({ db, configuration: current, dataTypes: current.dataTypes }, after, stage)
    changeWithoutHiddenUses({ db, trial, access }, () => updateStage(db, after))
    if (body.index !== undefined) after.index = placeRow(db, stageTable, trial._id, stage._id, body.index)
    const stages = current.stageOrder.map((each) => (each._id === after._id ? after : each))
    record({ event: pruneStageGroups(db, trial._id, stages) })
    return after
  },
})

const removeStage = operation({
  id: 'deleteStage',
  method: 'DELETE',
  path: '/stages/:stageId',
  summary: 'Delete a stage',
  description: 'Refused while others depend on it, and if it has responses. It is removed from stage groups.',
  scope: stage,
  needs: 'trial.write',
  changes: 'configuration',
  of: 'stage',
  logs: 'deleteStage',
  returns: shape({}),
  run: ({ db, trial, stage, record }) => {
    refuseLockedDataLoss(db, trial, 'stage', [stage._id])
    const current = configuration(db, trial)
    refuseInUse(db, current, [stage])
    deleteStages(db, [stage._id])
    placeRow(db, stageTable, trial._id)
    const remaining = current.stageOrder.filter((each) => each !== stage)
    record({ event: pruneStageGroups(db, trial._id, remaining) })
    return {}
  },
})

const removeStages = operation({
  id: 'deleteStages',
  method: 'DELETE',
  path: '/stages',
  summary: 'Delete several stages of a trial',
  description: 'All of them or none. They may depend on each other.',
  scope: stagesByQuery,
  needs: 'trial.write',
  changes: 'configuration',
  limit: 50,
  logs: 'deleteStages',
  query: shape({ ids: withDescription('Their _ids, separated by commas.', text(1, 50_000)) }),
  returns: shape({}),
  run: ({ db, trial, stages, record }) => {
    if (stages.some((stage) => stage.trial !== trial._id)) throw refuse.bad('stagesOfSeveralTrials')
    const ids = stages.map(({ _id }) => _id)
    refuseLockedDataLoss(db, trial, 'stage', ids)
    const current = configuration(db, trial)
    refuseInUse(db, current, stages)
    deleteStages(db, ids)
    placeRow(db, stageTable, trial._id)
    const remaining = current.stageOrder.filter(({ _id }) => !ids.includes(_id))
    record({ event: { before: stages, ...pruneStageGroups(db, trial._id, remaining) } })
    return {}
  },
})

export const stageOperations = [listStages, createStage, showStage, editStage, removeStage, removeStages] as const
