import { placeRow } from '#db/positions'
import { deleteById, updateById } from '#db/rows'
import { taskLanes } from '#db/tables/index'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { partial, shape } from '#wire/schema'
import { Lane, LaneInput, Lanes } from './model'
import { lane } from './scope'
import { insertLane, lanesOf, setLaneStatus, taskCountOf } from './store'

const listLanes = operation({
  id: 'listTaskLanes',
  method: 'GET',
  path: '/trials/:trialId/task-lanes',
  summary: 'List the task lanes of a trial in order',
  scope: trial,
  needs: 'trial.readTasks',
  returns: Lanes,
  run: ({ db, trial }) => ({ lanes: lanesOf(db, trial._id) }),
})

const createLane = operation({
  id: 'createTaskLane',
  method: 'POST',
  path: '/trials/:trialId/task-lanes',
  summary: 'Create a task lane',
  scope: trial,
  needs: 'trial.writeTasks',
  of: 'lane',
  logs: 'createTaskLane',
  body: LaneInput,
  returns: Lane,
  run: ({ db, trial, body, id, now }) => {
    const { index, isCompleteLane = false, ...fields } = body
    const end = lanesOf(db, trial._id).length
    const row = { ...fields, isCompleteLane, _id: id(), createdAt: now, trial: trial._id, index: end }
    return { ...insertLane(db, row), index: placeRow(db, taskLanes, trial._id, row._id, index) }
  },
})

const editLane = operation({
  id: 'updateTaskLane',
  method: 'PUT',
  path: '/task-lanes/:laneId',
  summary: 'Rename, reorder or change a task lane',
  description:
    'A change of `isCompleteLane` changes the status of all tasks in the lane: to completed if it is set, to pending if it is cleared.',
  scope: lane,
  needs: 'trial.writeTasks',
  of: 'lane',
  logs: 'updateTaskLane',
  body: partial(LaneInput),
  returns: Lane,
  run: ({ db, now, trial, lane, body, record }) => {
    const { index, ...fields } = body
    const after = updateById(db, taskLanes, lane._id, fields)
    if (index !== undefined) after.index = placeRow(db, taskLanes, trial._id, lane._id, index)
    const isChanged = after.isCompleteLane !== lane.isCompleteLane
    if (isChanged) record({ event: { tasks: setLaneStatus(db, lane._id, after.isCompleteLane, now) } })
    return after
  },
})

const removeLane = operation({
  id: 'deleteTaskLane',
  method: 'DELETE',
  path: '/task-lanes/:laneId',
  summary: 'Delete a task lane',
  description: 'Refused (400) while the lane holds tasks.',
  scope: lane,
  needs: 'trial.writeTasks',
  of: 'lane',
  logs: 'deleteTaskLane',
  returns: shape({}),
  run: ({ db, trial, lane }) => {
    const count = taskCountOf(db, lane._id)
    if (count) throw refuse.bad('laneHoldsTasks', { lane: lane.name, count }, { tasks: count })
    deleteById(db, taskLanes, lane._id)
    placeRow(db, taskLanes, trial._id)
    return {}
  },
})

export const laneOperations = [listLanes, createLane, editLane, removeLane] as const
