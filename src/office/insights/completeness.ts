/** How many forms and fields are filled in (pure). */

import { isBlank } from '#design/dataTypes/values'
import type { Form } from '#design/forms/form'
import type { HiddenFieldTest } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'
import { shareOf } from '#office/statistics/estimates'
import { sum } from '#office/statistics/samples'
import type { DueForm } from './due'

/** The answers of a response by data type, and the form that asked for them. */
export type AnsweredForm = { form: Form; answers: Readonly<Record<Id, unknown>> }

/**
 * The fields of a form that were asked: those whose condition holds, without calculations and without fields for staff only.
 */
export function askedFields({ form, answers }: AnsweredForm, zone: string): { dataType: Id; isAnswered: boolean }[] {
  return form.fields.flatMap(({ dataType, calculation, displayCondition }) => {
    if (calculation !== undefined || form.hidden.has(dataType)) return []
    if (displayCondition && !displayCondition.holds(answers[displayCondition.dataType], zone)) return []
    return [{ dataType, isAnswered: !isBlank(answers[dataType]) }]
  })
}

/** How many fields of a form were asked, and answered, of those that may be seen. */
export function countFields(answered: AnsweredForm, hidden: HiddenFieldTest, zone: string) {
  const fields = askedFields(answered, zone).filter(({ dataType }) => !hidden(dataType))
  return { asked: fields.length, answered: fields.filter(({ isAnswered }) => isAnswered).length }
}

/** The share of opened forms that are completed, and of asked fields that are answered. */
export function completenessOf(
  due: readonly DueForm[],
  responses: readonly AnsweredForm[],
  hidden: HiddenFieldTest,
  zone: string,
) {
  const completed = due.filter(({ completedAt }) => completedAt !== null).length
  const fields = responses.map((each) => countFields(each, hidden, zone))
  const answered = sum(fields.map((each) => each.answered))
  return {
    forms: shareOf(completed, due.length),
    fields: shareOf(answered, sum(fields.map((each) => each.asked))),
  }
}
