import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { isRepeated, occurrencesOf } from '#design/schedule/occurrences'
import { parseOccurrence } from '#design/schedule/rules'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { nextRecurrence, type ResponseRow, responseAt } from './store'

/** One occurrence of a stage for one participant, with the existing response if there is one. */
export type Occurrence = { stage: Id; stageRecurrence: number; existing: ResponseRow | undefined }

/** The stage and n that a path's `<stageId>` or `<stageId>::<n>` names. @throws 404 */
export function stageAt({ stages }: Configuration, path: string) {
  const { stageId, n } = found(parseOccurrence(path), 'stage')
  return { stage: found(stages.get(stageId), 'stage'), n }
}

/**
 * The occurrence that a path's `<stageId>` or `<stageId>::<n>` names. An ad hoc stage without n means its next, new
 * occurrence; with n, the occurrence must exist (docs/forms.md, "Submissions").
 * @throws 404 if there is no such stage or occurrence, 400 if n is missing
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
    throw refuse.bad('occurrenceMissing', { stage: stage.name, first: `${stage._id}::0` })
  }
  const stageRecurrence = n ?? 0
  if (stageRecurrence >= occurrencesOf(stage)) throw refuse.missing('occurrence of the stage')
  return { stage: stage._id, stageRecurrence, existing: responseAt(db, participant, stage._id, stageRecurrence) }
}
