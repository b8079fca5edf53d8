/** The board of lanes with a trial's tasks. */
import { placeRow } from '#db/positions'
import { taskLanes } from '#db/tables/index'
import { TO_DO } from '#design/trials/board'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { insertLane, insertTask, type LaneRow, lanesOf, type TaskRow } from './store'

type BoardContext = Pick<RequestContext, 'db' | 'now' | 'id'>

/** The first lane that is not complete; creates one at the start of the board if there is none. */
export function openLane({ db, now, id }: BoardContext, trial: Id): LaneRow {
  const lanes = lanesOf(db, trial)
  const open = lanes.find(({ isCompleteLane }) => !isCompleteLane)
  if (open) return open
  const lane = insertLane(db, { _id: id(), createdAt: now, trial, index: lanes.length, ...TO_DO })
  return { ...lane, index: placeRow(db, taskLanes, trial, lane._id, 0) }
}

type NewTask = Pick<TaskRow, 'title' | 'description' | 'assignees' | 'participant' | 'scored'>

/** Adds a pending task that no person created, at the end of the first lane that is not complete. */
export function addTask(context: BoardContext, trial: Id, task: NewTask): TaskRow {
  const { db, now, id } = context
  const { _id: taskLane } = openLane(context, trial)
  const creation = { createdAt: now, createdBy: null, completedAt: null, status: 'pending' as const, dueDate: null }
  return insertTask(db, { _id: id(), trial, taskLane, ...creation, ...task })
}
