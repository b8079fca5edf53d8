/** Drafts. Only their author sees them; only the type of each value is checked (docs/forms.md, "Submissions"). */

import type { Configuration } from '#design/configuration/configuration'
import type { Asked } from '#design/dataTypes/model'
import { isBlankFor } from '#design/dataTypes/values'
import type { Form, Sent } from '#design/forms/form'
import type { LocalNow } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Occurrence } from './occurrence'
import type { Draft } from './store'

/** A date or time that is only half typed is text, as a complete one is. */
const isHalfTyped = ({ format }: Asked, value: unknown) =>
  typeof value === 'string' && (format === 'date' || format === 'datetime' || format === 'time')

/** The JSON text of the answers typed so far, by data type. @throws 422 under `response` if a value has the wrong type */
export function draftAnswersText(form: Form, sent: Readonly<Record<Id, Sent>>, at: LocalNow): string {
  const kept: Record<Id, Sent> = {}
  const problems: string[] = []
  for (const { dataType, title, asked, check, calculation } of form.fields) {
    const entry = sent[dataType]
    if (entry?.value === undefined || calculation !== undefined) continue
    const fault = isBlankFor(asked, entry.value) || isHalfTyped(asked, entry.value) ? undefined : check(entry.value, at)
    if (fault?.kind === 'wrong') problems.push(`“${title}” ${fault.problem}.`)
    kept[dataType] = { value: entry.value, ...(entry.createdAt == null ? {} : { createdAt: entry.createdAt }) }
  }
  if (problems.length) throw refuse.invalid({ response: problems })
  return JSON.stringify(kept)
}

/** The occurrence number of the draft of a new ad hoc entry, which gets its real number only when it is submitted. */
const NEW = -1

/** The occurrence number under which the draft is stored. */
export const draftNumberOf = ({ stages }: Configuration, { stage, stageRecurrence, existing }: Occurrence): number =>
  stages.get(stage)!.adHoc && !existing ? NEW : stageRecurrence

/** The occurrence that a draft belongs to; null if it belongs to none yet. @param kept the stored occurrence number */
export const draftRecurrenceOf = (kept: number): number | null => (kept === NEW ? null : kept)

/** A draft as the API returns it. */
export const readDraft = ({ response, ...draft }: Draft) => ({
  ...draft,
  stageRecurrence: draftRecurrenceOf(draft.stageRecurrence),
  response: JSON.parse(response) as Record<Id, { value: unknown; createdAt?: number }>,
})
