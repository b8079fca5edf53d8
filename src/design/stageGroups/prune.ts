import { changedFields } from '#audit/changedFields'
import type { Db } from '#db/open'
import { updateById } from '#db/rows'
import { stageGroups } from '#db/tables/index'
import type { TimelineStage } from '#design/schedule/rules'
import type { Id } from '#kernel/id'
import { entryProblem } from './rules'
import { stageGroupsOf } from './store'

/**
 * Removes entries from the trial's stage groups whose occurrences no longer exist after a stage was changed or deleted.
 * Returns the changes for the audit entry: an empty object, or `stageGroups`.
 */
export function pruneStageGroups(db: Db, trial: Id, stages: readonly TimelineStage[]): { stageGroups?: unknown[] } {
  const byId = new Map(stages.map((stage) => [stage._id, stage]))
  const changes = stageGroupsOf(db, trial).flatMap((group) => {
    const entries = group.stages.filter((entry) => entryProblem(entry, byId) === undefined)
    if (entries.length === group.stages.length) return []
    return [{ _id: group._id, ...changedFields(group, updateById(db, stageGroups, group._id, { stages: entries })) }]
  })
  return changes.length ? { stageGroups: changes } : {}
}
