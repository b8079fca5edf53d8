/** The changes of a response for its casebook: what each value replaced, when, by whom and why. */

import { submissionsOf } from '#conduct/responses/store'
import { changesOf, visibleNote } from '#conduct/responses/views'
import type { HiddenFieldTest } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'
import { type CasebookContext, moment, senderText, smallLine } from './lines'
import type { Line } from './model'

/** The longest value, in UTF-16 units, that is on one line with the one that replaced it. */
const SHORT = 60

/** A change on one line if both values are short, else on lines of their own, so that it is plain where the first one ends. */
function changeLines(question: string, before: string, after: string): Line[] {
  const isShort = [before, after].every((text) => text.length <= SHORT && !/[\n\r]/.test(text))
  if (isShort) return [smallLine(`${question}: ${before} → ${after}`)]
  return [smallLine(`${question}:`), smallLine(`Before: ${before}`), smallLine(`After: ${after}`)]
}

/** Every change after the first submission. The reader's hidden answers are left out, and notes that may quote them. */
export function historyOf(
  reader: CasebookContext,
  { _id, stage }: { _id: Id; stage: Id },
  hidden: HiddenFieldTest,
): Line[] {
  const { from, questions } = reader
  const known = new Map(questions(stage).map((question) => [question._id, question]))
  const submissions = submissionsOf(from.db, _id)
  const lines = changesOf(from.db, submissions, hidden).flatMap((changes, place): Line[] => {
    const submission = submissions[place]
    if (!submission || place === 0 || !changes.length) return []
    const note = visibleNote(from.db, submission, hidden)
    return [
      { as: 'answer', text: `${moment(submission.at)}, by ${senderText(reader, submission)}` },
      ...changes.flatMap(({ dataType, value, replaced }) => {
        const question = known.get(dataType)
        const text = (value: unknown) =>
          value === null ? 'Blank' : (question?.linesOf(value).join('; ') ?? JSON.stringify(value))
        return changeLines(`${question?.name ?? dataType} [${question?.code ?? ''}]`, text(replaced), text(value))
      }),
      smallLine(note === null ? 'No reason was given, or it may not be shown' : `Reason: ${note}`),
    ]
  })
  if (!lines.length)
    return [{ as: 'name', text: 'History' }, smallLine('Nothing was changed after the first submission.')]
  return [{ as: 'name', text: 'History' }, ...lines]
}
