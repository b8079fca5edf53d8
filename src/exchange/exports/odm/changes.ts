/** The history of a response in ODM: each submission is an entry with what it inserted, updated and removed. */

import { type SubmissionRow, submissionsOf } from '#conduct/responses/store'
import { changesOf, visibleNote } from '#conduct/responses/views'
import type { Db } from '#db/open'
import type { HiddenFieldTest } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { eventElement } from './event'
import type { Form } from './forms'
import type { Question, Values } from './items'
import { type ElementContext, itemElement, type Source, type TransactionType } from './values'

/** Something that happened to a response, as an element. `number` is that of the submission, for those of one moment. */
export type HistoryEntry = { at: Instant; number: number; element: string }

/** The order of what happened. A signature follows the submissions of its moment. */
export const compareEntries = (a: HistoryEntry, b: HistoryEntry): number => a.at - b.at || a.number - b.number

type Change = ReturnType<typeof changesOf>[number][number]

/** The entries of all submissions of a response, oldest first, as far as the reader may see what they changed. */
export function submissionEntries(
  db: Db,
  context: ElementContext,
  form: Form,
  { _id, stageRecurrence }: { _id: Id; stageRecurrence: number },
  hidden: HiddenFieldTest,
): HistoryEntry[] {
  const submissions = submissionsOf(db, _id)
  const seen = new Set<string>()
  return changesOf(db, submissions, hidden).flatMap((changes, place): HistoryEntry[] => {
    const submission = submissions[place]
    // That there was a first submission is known; later ones are known by what they changed.
    if (!submission || (place > 0 && !changes.length)) return []
    const updateNote = visibleNote(db, submission, hidden) ?? undefined
    const sourceOf = ({ enteredAt }: Change): Source => ({ ...senderOf(submission), updateNote, enteredAt })
    const content = changedGroups(context, form, changes, sourceOf, seen)
    const transaction = place === 0 ? 'Insert' : 'Update'
    const element = eventElement(context.edition, form, stageRecurrence, { content }, transaction)
    return [{ at: submission.at, number: submission._id, element }]
  })
}

const senderOf = ({ createdBy, createdByType, at }: SubmissionRow) => ({ createdBy, createdByType, createdAt: at })

/** The item groups with what was changed. @param seen the groups of the response that earlier entries have */
function changedGroups(
  context: ElementContext,
  form: Form,
  changes: readonly Change[],
  sourceOf: (change: Change) => Source,
  seen: Set<string>,
): string[] {
  const byField = new Map(changes.map((change) => [change.dataType, change]))
  return form.groups.flatMap(({ oid, questions }) => {
    const rows = new Map<number, Row>()
    for (const question of questions) {
      const change = byField.get(question.field._id)
      if (change) addRows(rows, context, question, change, sourceOf(change))
    }
    return [...rows].map(([at, { isRemoved, items }]) => {
      const ItemGroupRepeatKey = questions[0]?.isRepeating ? at + 1 : undefined
      const key = `${oid}|${at}`
      const transaction: TransactionType = isRemoved ? 'Remove' : seen.has(key) ? 'Update' : 'Insert'
      if (isRemoved) seen.delete(key)
      else seen.add(key)
      const attributes = { ItemGroupOID: oid, ItemGroupRepeatKey, TransactionType: transaction }
      return context.edition.data('ItemGroupData', attributes, { content: items })
    })
  })
}

type Row = { isRemoved: boolean; items: string[] }

/** Adds the items of a question that differ, row by row; all if none does, since something in the answer was changed. */
function addRows(
  rows: Map<number, Row>,
  context: ElementContext,
  question: Question,
  change: Change,
  source: Source,
): void {
  const before = valuesOf(question, change.replaced)
  const after = valuesOf(question, change.value)
  const cells = Array.from({ length: Math.max(before.length, after.length) }, (_, at) =>
    question.items.map((item, place) => ({
      item,
      old: before[at]?.[place] ?? null,
      value: after[at]?.[place] ?? null,
    })),
  )
  const isTouched = cells.flat().some(({ old, value }) => old !== value)
  for (const [at, row] of cells.entries()) {
    const items = row.flatMap(({ item, old, value }) => {
      if ((isTouched && old === value) || (old === null && value === null)) return []
      const transaction = old === null ? 'Insert' : value === null ? 'Remove' : 'Update'
      return [itemElement(context, item, question, value ?? undefined, { source, transaction })]
    })
    if (!items.length) continue
    const found = rows.get(at) ?? { isRemoved: question.isRepeating && at >= after.length, items: [] }
    found.items.push(...items)
    rows.set(at, found)
  }
}

const valuesOf = (question: Question, value: unknown): readonly Values[] =>
  value === null || value === undefined ? [] : question.rowsOf(value)
