/** The lanes for tasks that a new trial begins with. */
import { insert } from '#db/rows'
import { taskLanes } from '#db/tables/index'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'

export const TO_DO = { name: 'To do', isCompleteLane: false }

const START = [TO_DO, { name: 'In progress', isCompleteLane: false }, { name: 'Done', isCompleteLane: true }]

/** Creates the lanes of a new trial. */
export function startBoard({ db, now, id }: Pick<RequestContext, 'db' | 'now' | 'id'>, trial: Id): void {
  for (const [index, lane] of START.entries())
    insert(db, taskLanes, { _id: id(), createdAt: now, trial, index, ...lane })
}
