import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { taskLanes, tasks } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { isTaskVisible, type LaneRow, type TaskRow, tasksVisibleTo } from './store'

/** The task that `:taskId` names, with its trial; 404 unless visible to the caller. */
export const task: Scope<TrialScope & { task: TaskRow }, 'taskId'> = (context) => {
  const task = found(rowById(context.db, tasks, context.params.taskId), 'task')
  const inTrial = trialVisibleTo(context, task.trial, 'task')
  const isVisible = task.participant === null || isTaskVisible(context.db, task._id, visibleTasks(context.db, inTrial))
  if (!isVisible) throw refuse.missing('task')
  return { ...inTrial, task }
}

const visibleTasks = (db: Db, { trial, access }: TrialScope) => tasksVisibleTo(access, configuration(db, trial))

/** The lane that `:laneId` names, with its trial. */
export const lane: Scope<TrialScope & { lane: LaneRow }, 'laneId'> = (context) => {
  const lane = found(rowById(context.db, taskLanes, context.params.laneId), 'lane')
  return { ...trialVisibleTo(context, lane.trial, 'lane'), lane }
}
