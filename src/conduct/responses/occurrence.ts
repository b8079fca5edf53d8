import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { isRepeated, occurrencesOf } from '#design/schedule/occurrences'
import { parseOccurrence } from '#design/schedule/rules'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { nextRecurrence, type ResponseRow, responseAt } from './store'

/** One occurrence of a stage for one participant, and what was submitted to it. */
export type Occurrence = { stage: Id; stageRecurrence: number; existing: ResponseRow | undefined }

/** The stage that a path's `<stageId>` or `<stageId>::<n>` names, and its n. @throws 404 */
export function stageAt({ stages }: Configuration, path: string) {
  const { stageId, n } = found(parseOccurrence(path), 'stage')
  return { stage: found(stages.get(stageId), 'stage'), n }
}

/**
 * The occurrence that a path's `<stageId>` or `<stageId>::<n>` names. A plain ad hoc stage is its next, new one; any other
 * n of it must be there already (docs/forms.md, "Submissions").
 */
export function occurrenceAt(db: Db, configuration: Configuration, participant: Id, path: string): Occurrence {
  const { stage, n } = stageAt(configuration, path)
  if (stage.adHoc) {
    if (n === undefined) {
      return { stage: stage._id, stageRecurrence: nextRecurrence(db, participant, stage._id), existing: undefined }
    }
    const existing = found(responseAt(db, participant, stage._id, n), 'response')
    return { stage: stage._id, stageRecurrence: n, existing }
  }
  if (n === undefined && isRepeated(stage)) {
    throw refuse.bad(`“${stage.name}” has several occurrences: say which, as ${stage._id}::0.`)
  }
  const stageRecurrence = n ?? 0
  if (stageRecurrence >= occurrencesOf(stage)) throw refuse.missing('occurrence of the stage')
  return { stage: stage._id, stageRecurrence, existing: responseAt(db, participant, stage._id, stageRecurrence) }
}
