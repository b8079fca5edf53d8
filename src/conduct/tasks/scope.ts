import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { taskLanes, tasks } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { type InTrial, trialSeenBy } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { isSeen, type LaneRow, seenBy, type TaskRow } from './store'

/** The task that `:taskId` names, with its trial; 404 unless visible to the caller. */
export const task: Scope<InTrial & { task: TaskRow }, 'taskId'> = (asked) => {
  const task = found(rowById(asked.db, tasks, asked.params.taskId), 'task')
  const inTrial = trialSeenBy(asked, task.trial, 'task')
  const isVisible = task.participant === null || isSeen(asked.db, task._id, visibleTasks(asked.db, inTrial))
  if (!isVisible) throw refuse.missing('task')
  return { ...inTrial, task }
}

const visibleTasks = (db: Db, { trial, access }: InTrial) => seenBy(access, configuration(db, trial))

/** The lane that `:laneId` names, with its trial. */
export const lane: Scope<InTrial & { lane: LaneRow }, 'laneId'> = (asked) => {
  const lane = found(rowById(asked.db, taskLanes, asked.params.laneId), 'lane')
  return { ...trialSeenBy(asked, lane.trial, 'lane'), lane }
}
