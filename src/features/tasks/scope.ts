import { sightOf, within } from '../../access/caller'
import { rowById } from '../../db/rows'
import { taskLanes, tasks } from '../../db/tables'
import type { Scope } from '../../http/operation'
import { found, refuse } from '../../kernel/problem'
import { placesOf } from '../participants/memberships'
import { type InTrial, trialSeenBy } from '../trials/scope'
import type { LaneRow, TaskRow } from './queries'

/** The task that `:taskId` names, with its trial. One about a participant exists for those who see the participant. */
export const task: Scope<InTrial & { task: TaskRow }> = (asked) => {
  const task = found(rowById(asked.db, tasks, asked.params.taskId!), 'task')
  const seen = trialSeenBy(asked, task.trial, 'task')
  const isSeen = task.participant === null || within(sightOf(seen.access!), placesOf(asked.db, task.participant))
  if (!isSeen) throw refuse.missing('task')
  return { ...seen, task }
}

/** The lane that `:laneId` names, with its trial. */
export const lane: Scope<InTrial & { lane: LaneRow }> = (asked) => {
  const lane = found(rowById(asked.db, taskLanes, asked.params.laneId!), 'lane')
  return { ...trialSeenBy(asked, lane.trial, 'lane'), lane }
}
