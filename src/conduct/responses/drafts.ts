/** Drafts. Only their author sees them; only the type of each value is checked (docs/forms.md, "Submissions"). */

import type { Configuration } from '#design/configuration/configuration'
import type { FieldSettings } from '#design/dataTypes/model'
import { isBlankFor } from '#design/dataTypes/values'
import type { Form, SentAnswer } from '#design/forms/form'
import type { LocalNow } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Reason } from '#kernel/refusals/reason'
import type { Draft } from './draftStore'
import type { Occurrence } from './occurrence'
import { answerReason } from './refusals'

/** An incomplete date or time is accepted if it is text, as a complete one is. */
const isIncompleteTime = ({ format }: FieldSettings, value: unknown) =>
  typeof value === 'string' && (format === 'date' || format === 'datetime' || format === 'time')

const draftAnswer = ({ value, createdAt }: SentAnswer): SentAnswer => ({
  value,
  ...(createdAt == null ? {} : { createdAt }),
})

/**
 * The JSON text of the answers typed so far, by data type. Answers that are no field of the form, which may have been edited
 * meanwhile, stay in the draft too.
 * @throws 422 under `response` if a value has the wrong type
 */
export function draftAnswersText(form: Form, sent: Readonly<Record<Id, SentAnswer>>, at: LocalNow): string {
  const answers: Record<string, SentAnswer> = Object.create(null) // a key may be `__proto__`
  const problems: Record<Id, Reason> = {}
  for (const { dataType, title, settings, check, calculation } of form.fields) {
    const entry = sent[dataType]
    if (entry?.value === undefined || calculation !== undefined) continue
    const fault =
      isBlankFor(settings, entry.value) || isIncompleteTime(settings, entry.value) ? undefined : check(entry.value, at)
    if (fault?.kind === 'wrong') problems[dataType] = answerReason(title, fault)
    answers[dataType] = draftAnswer(entry)
  }
  const wrong = Object.values(problems)
  if (wrong.length) throw refuse.invalid({ response: wrong }, 'json', problems)
  for (const key in sent) {
    if (!form.dataTypes.has(key) && sent[key]!.value !== undefined) answers[key] = draftAnswer(sent[key]!)
  }
  return JSON.stringify(answers)
}

/** The occurrence number of the draft of a new ad hoc entry, which gets its real number only when it is submitted. */
const NEW = -1

/** The occurrence number under which the draft is stored. */
export const draftNumberOf = ({ stages }: Configuration, { stage, stageRecurrence, existing }: Occurrence): number =>
  stages.get(stage)!.adHoc && !existing ? NEW : stageRecurrence

/** The occurrence that a draft belongs to; null if it belongs to none yet. @param stored the stored occurrence number */
export const draftRecurrenceOf = (stored: number): number | null => (stored === NEW ? null : stored)

/** A draft as the API returns it. */
export const readDraft = ({ response, ...draft }: Draft) => ({
  ...draft,
  stageRecurrence: draftRecurrenceOf(draft.stageRecurrence),
  response: JSON.parse(response) as Record<Id, { value: unknown; createdAt?: number }>,
})
