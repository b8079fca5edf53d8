/** What each submission changed, as a dataset: one row for each changed answer, with what it replaced. */

import { type SubmissionRow, submissionsOf } from '#conduct/responses/store'
import { changesOf, visibleNote } from '#conduct/responses/views'
import { occurrenceName } from '#design/schedule/occurrences'
import { type ExportContext, visibleFields } from '#exchange/exports/context'
import { narrowPages } from '#exchange/exports/pages'
import type { Id } from '#kernel/id'
import type { Cell } from '#writers/cell'
import type { Dataset, Variable } from '#writers/dataset'
import { columnsOf } from './columns'
import type { ColumnForm } from './form'
import {
  cellMakers,
  exportFieldsOf,
  momentVariable,
  numberVariable,
  oncePerKey,
  placeTexts,
  responseVariables,
  textVariable,
  yesNoVariable,
} from './identity'
import type { Count } from './tables'

const variables = (form: ColumnForm): readonly Variable[] => [
  ...responseVariables,
  numberVariable('submission', 'Number of the submission, in the order of the study'),
  momentVariable('recordedAt', 'Recorded'),
  momentVariable('enteredAt', 'Answer given, if its sender said so'),
  yesNoVariable('sentLate', 'Answered before the form closed, and sent after that', form),
  textVariable('createdByType', 'Who sent it', [
    { value: 'user', label: 'A member of staff' },
    { value: 'participant', label: 'The participant' },
  ]),
  textVariable('createdBy', 'The _id of who sent it'),
  textVariable('field', 'Code of the question'),
  textVariable('question', 'Question'),
  textVariable('before', 'Answer before'),
  textVariable('after', 'Answer after'),
  textVariable('updateNote', 'Note about the change'),
]

/** The changes of all answers that the reader may see, response by response, oldest first. */
export const historyTable = (from: ExportContext, form: ColumnForm, count: Count): Dataset => ({
  name: 'Changes',
  label: 'What was changed',
  variables: variables(form),
  rows: rows(from, form, count),
})

function* rows(from: ExportContext, form: ColumnForm, count: Count): Generator<Cell[]> {
  const { db } = from
  const places = placeTexts(from.placeNames)
  const make = cellMakers(form)
  for (const stage of from.stages) {
    const stageName = oncePerKey((n: number) => occurrenceName(stage, n))
    const textOf = answerTexts(from, stage._id, form)
    for (const page of narrowPages(from, stage._id, ['stageRecurrence'])) {
      for (const row of page) {
        const { hidden } = from.visibility(row)
        const first = [row._id, row.participantId, places(row.sites), places(row.groups)]
        const at = [stageName(row.stageRecurrence), row.stageRecurrence]
        const submissions = submissionsUntil(from, row._id)
        for (const [place, changes] of changesOf(db, submissions, hidden).entries()) {
          const submission = submissions[place]
          if (!submission || !from.isSelectedMoment(submission.at)) continue
          const note = visibleNote(db, submission, hidden)
          const late = make.yesNo(submission.sentLate)
          const sent = [submission._id, make.moment(submission.at)]
          const by = [submission.createdByType, submission.createdBy]
          for (const { dataType, value, replaced, enteredAt } of changes) {
            const [field, question, before, after] = textOf(dataType, replaced, value)
            const givenCell = enteredAt === undefined ? null : make.moment(enteredAt)
            count.rows++
            yield [...first, ...at, ...sent, givenCell, late, ...by, field, question, before, after, note]
          }
        }
      }
    }
  }
}

/** The submissions of a response until the moment of the export. */
const submissionsUntil = ({ db, moment }: ExportContext, response: Id): SubmissionRow[] =>
  submissionsOf(db, response).filter(({ _id }) => !moment || _id <= moment.submission)

/** Returns a function that returns the code and name of a data type, and two of its values as text. */
function answerTexts(from: ExportContext, stage: Id, form: ColumnForm) {
  const single = {
    ...form,
    columns: 'single',
    cells: 'text',
    values: form.values === 'codes' ? 'codes' : 'labels',
  } as const
  const fields = exportFieldsOf(from.configuration, visibleFields(from, stage))
  const columns = new Map(columnsOf(fields, single, (name) => name).map((column) => [column.dataType, column]))
  return (dataType: Id, ...values: unknown[]): Cell[] => {
    const column = columns.get(dataType)
    const texts = values.map((value) => (value === null || !column ? null : column.cell(value)))
    return [column?.variable.name ?? dataType, column?.variable.label, ...texts]
  }
}
