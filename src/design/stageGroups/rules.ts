/** Checks the entries of stage groups. */

import { occurrencesOf, type TimelineStage } from '#design/schedule/rules'
import type { Id } from '#kernel/id'
import { type Reason, reason } from '#kernel/refusals/reason'

export type StageGroupEntry = { stage: Id; recurrence: number | null }

/** Why an entry names no occurrence of the trial's stages; undefined if it names one. */
export function entryProblem(
  { stage: id, recurrence }: StageGroupEntry,
  stages: ReadonlyMap<Id, TimelineStage>,
): Reason | undefined {
  const stage = stages.get(id)
  if (!stage) return reason('noStageOfTrial', { id })
  if (recurrence === null || stage.adHoc || recurrence < occurrencesOf(stage)) return undefined
  return reason('occurrenceUnknown', { name: stage.name, n: recurrence, last: occurrencesOf(stage) - 1 })
}

/** All problems of the entries of a stage group; empty if there are none. Callers refuse with 422. */
export function entriesProblems(entries: readonly StageGroupEntry[], stages: ReadonlyMap<Id, TimelineStage>): Reason[] {
  const keys = new Set<string>()
  return entries.flatMap((entry, place) => {
    const key = `${entry.stage}::${entry.recurrence}`
    const problem = keys.has(key) ? reason('inGroupAlready') : entryProblem(entry, stages)
    keys.add(key)
    return problem ? [reason('entryOfGroup', { n: place, problem })] : []
  })
}
