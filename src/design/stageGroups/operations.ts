import type { Db } from '#db/open'
import { placeRow } from '#db/positions'
import { deleteById, updateById } from '#db/rows'
import { stageGroups } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { trial } from '#design/trials/scope'
import type { Trial } from '#design/trials/store'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { partial, shape } from '#wire/schema'
import { StageGroup, StageGroupInput, StageGroups } from './model'
import { entriesProblems, type StageGroupEntry } from './rules'
import { stageGroup } from './scope'
import { insertStageGroup, stageGroupsOf } from './store'

/** The entries as they are stored. Refuses (422) entries that name no occurrence. */
function requireEntries(db: Db, trial: Trial, sent: StageGroupInput['stages']): StageGroupEntry[] | undefined {
  const stages = sent?.map(({ stage, recurrence = null }) => ({ stage, recurrence }))
  const problems = entriesProblems(stages ?? [], configuration(db, trial).stages)
  if (problems.length) throw refuse.invalid({ stages: problems })
  return stages
}

const listStageGroups = operation({
  id: 'listStageGroups',
  method: 'GET',
  path: '/trials/:trialId/stage-groups',
  summary: 'List the stage groups of a trial in order',
  scope: trial,
  needs: 'nothing',
  returns: StageGroups,
  run: ({ db, trial }) => ({ stageGroups: stageGroupsOf(db, trial._id) }),
})

const createStageGroup = operation({
  id: 'createStageGroup',
  method: 'POST',
  path: '/trials/:trialId/stage-groups',
  summary: 'Create a stage group',
  scope: trial,
  needs: 'trial.write',
  changes: 'configuration',
  of: 'stageGroup',
  logs: 'createStageGroup',
  body: StageGroupInput,
  returns: StageGroup,
  run: ({ db, trial, body, id, now }) => {
    const { index, ...fields } = body
    const stages = requireEntries(db, trial, body.stages)
    const end = stageGroupsOf(db, trial._id).length
    const row = insertStageGroup(db, { ...fields, _id: id(), createdAt: now, trial: trial._id, index: end, stages })
    return { ...row, index: placeRow(db, stageGroups, trial._id, row._id, index) }
  },
})

const editStageGroup = operation({
  id: 'updateStageGroup',
  method: 'PUT',
  path: '/stage-groups/:stageGroupId',
  summary: 'Change a stage group',
  scope: stageGroup,
  needs: 'trial.write',
  changes: 'configuration',
  of: 'stageGroup',
  logs: 'updateStageGroup',
  body: partial(StageGroupInput),
  returns: StageGroup,
  run: ({ db, trial, stageGroup, body }) => {
    const { index, ...fields } = body
    const after = updateById(db, stageGroups, stageGroup._id, {
      ...fields,
      stages: requireEntries(db, trial, body.stages),
    })
    if (index !== undefined) after.index = placeRow(db, stageGroups, trial._id, stageGroup._id, index)
    return after
  },
})

const removeStageGroup = operation({
  id: 'deleteStageGroup',
  method: 'DELETE',
  path: '/stage-groups/:stageGroupId',
  summary: 'Delete a stage group',
  description: 'Its stages stay.',
  scope: stageGroup,
  needs: 'trial.write',
  changes: 'configuration',
  of: 'stageGroup',
  logs: 'deleteStageGroup',
  returns: shape({}),
  run: ({ db, trial, stageGroup }) => {
    deleteById(db, stageGroups, stageGroup._id)
    placeRow(db, stageGroups, trial._id)
    return {}
  },
})

export const stageGroupOperations = [listStageGroups, createStageGroup, editStageGroup, removeStageGroup] as const
