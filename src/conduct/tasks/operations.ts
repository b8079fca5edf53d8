/** Tasks of staff. Neither lock refuses changes of tasks (docs/review.md, "Tasks"). */
import type { Db } from '#db/open'
import { rowById, updateById } from '#db/rows'
import { taskLanes, tasks } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { partial, shape } from '#wire/schema'
import { mailAssignees, requireReaders } from './assignees'
import { openLane } from './board'
import { PAGE, Task, TaskFilter, TaskInput, type TaskStatus, Tasks } from './model'
import { auditView, statusIn } from './rules'
import { task } from './scope'
import { deleteTask, insertTask, type LaneRow, moveTask, tasksIn, tasksVisibleTo } from './store'

/** The lane with this `_id`. @throws 400 if it is not in the trial */
function laneIn(db: Db, trial: Id, _id: Id): LaneRow {
  const lane = rowById(db, taskLanes, _id)
  if (lane?.trial !== trial) throw refuse.bad('laneElsewhere')
  return lane
}

/** The status of a task in a lane. @throws 400 for a pending task in a complete lane */
function statusFor(lane: LaneRow, requested?: TaskStatus, before?: Parameters<typeof statusIn>[2]): TaskStatus {
  const status = statusIn(lane.isCompleteLane, requested, before)
  if (!status) throw refuse.bad('completeLane', { lane: lane.name })
  return status
}

const listTasks = operation({
  id: 'listTasks',
  method: 'GET',
  path: '/trials/:trialId/tasks',
  summary: 'List the tasks of a trial',
  description:
    'In the order of the board. Omits tasks that a submission created if the caller may not see the answers that counted for its score.',
  scope: trial,
  needs: 'trial.readTasks',
  reads: ({ tasks }) => tasks.map(({ participant }) => participant),
  query: TaskFilter,
  returns: Tasks,
  run: ({ db, trial, access, query: { taskLane, page = 1, perPage = PAGE } }) => {
    const visible = tasksVisibleTo(access, configuration(db, trial))
    const rows = tasksIn(db, trial._id, taskLane, visible, perPage + 1, (page - 1) * perPage)
    return { tasks: rows.slice(0, perPage), page, nextPageAvailable: rows.length > perPage }
  },
})

const createTask = operation({
  id: 'createTask',
  method: 'POST',
  path: '/trials/:trialId/tasks',
  summary: 'Create a task',
  description: 'Assignees get an e-mail.',
  scope: trial,
  needs: 'trial.writeTasks',
  of: 'task',
  logs: 'createTask',
  body: TaskInput,
  returns: Task,
  run: (context) => {
    const { db, now, id, caller, trial, body } = context
    const { title, description = null, taskLane, index, dueDate = null } = body
    const assignees = [...new Set(body.assignees)]
    requireReaders(db, trial, assignees)
    const lane = taskLane === undefined ? openLane(context, trial._id) : laneIn(db, trial._id, taskLane)
    const status = statusFor(lane, body.status)
    const about = { title, description, status, assignees, dueDate, participant: null, scored: [] }
    const creation = { createdAt: now, createdBy: caller.user._id, completedAt: status === 'completed' ? now : null }
    const after = insertTask(db, { _id: id(), trial: trial._id, taskLane: lane._id, ...creation, ...about }, index)
    mailAssignees(context, after, assignees)
    return after
  },
})

const editTask = operation({
  id: 'updateTask',
  method: 'PUT',
  path: '/tasks/:taskId',
  summary: 'Change or move a task',
  description:
    'A task that is moved to a lane with `isCompleteLane` becomes completed; one that leaves such a lane becomes pending. ' +
    'Without `index`, it goes to the end of its new lane. New assignees get an e-mail.',
  scope: task,
  needs: 'trial.writeTasks',
  of: 'task',
  logs: 'updateTask',
  body: partial(TaskInput),
  returns: Task,
  run: (context) => {
    const { db, now, trial, task, body, record } = context
    const { taskLane = task.taskLane, index, ...fields } = body
    const assignees = fields.assignees && [...new Set(fields.assignees)]
    const added = (assignees ?? []).filter((user) => !task.assignees.includes(user))
    requireReaders(db, trial, added, task)
    const lane = laneIn(db, trial._id, taskLane)
    const { isCompleteLane } = laneIn(db, trial._id, task.taskLane)
    const status = statusFor(lane, fields.status, { status: task.status, isCompleteLane })
    const completedAt = status === 'completed' ? (task.completedAt ?? now) : null
    const moves = taskLane !== task.taskLane || (index !== undefined && index !== task.index)
    if (moves) moveTask(db, task, taskLane, index)
    const after = updateById(db, tasks, task._id, { ...fields, assignees, status, completedAt })
    mailAssignees(context, after, added)
    record({ participant: task.participant })
    return after
  },
})

const removeTask = operation({
  id: 'deleteTask',
  method: 'DELETE',
  path: '/tasks/:taskId',
  summary: 'Delete a task',
  scope: task,
  needs: 'trial.writeTasks',
  logs: 'deleteTask',
  returns: shape({}),
  run: ({ db, task, record }) => {
    deleteTask(db, task)
    record({ participant: task.participant, event: { before: auditView(task) } })
    return {}
  },
})

export const taskOperations = [listTasks, createTask, editTask, removeTask] as const
