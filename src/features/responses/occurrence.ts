import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'
import { found, refuse } from '../../kernel/problem'
import type { Configuration } from '../stages/configuration'
import { isRepeated, occurrencesOf } from '../timeline/occurrences'
import { parseOccurrence } from '../timeline/rules'
import { nextRecurrence, type ResponseRow, responseAt } from './queries'

/** One occurrence of a stage for one participant, and what was submitted to it. */
export type Occurrence = { stage: Id; stageRecurrence: number; existing: ResponseRow | undefined }

/**
 * The occurrence that a path's `<stageId>` or `<stageId>::<n>` names. A plain ad hoc stage is its next, new one; any other
 * n of it must be there already (decisions 6).
 */
export function occurrenceAt(db: Db, configuration: Configuration, participant: Id, path: string): Occurrence {
  const named = found(parseOccurrence(path), 'stage')
  const stage = found(configuration.stages.get(named.stageId), 'stage')
  if (stage.adHoc) {
    if (named.n === undefined) {
      return { stage: stage._id, stageRecurrence: nextRecurrence(db, participant, stage._id), existing: undefined }
    }
    const existing = found(responseAt(db, participant, stage._id, named.n), 'response')
    return { stage: stage._id, stageRecurrence: named.n, existing }
  }
  if (named.n === undefined && isRepeated(stage)) {
    throw refuse.bad(`“${stage.name}” has several occurrences: say which, as ${stage._id}::0.`)
  }
  const n = named.n ?? 0
  if (n >= occurrencesOf(stage)) throw refuse.missing('occurrence of the stage')
  return { stage: stage._id, stageRecurrence: n, existing: responseAt(db, participant, stage._id, n) }
}
