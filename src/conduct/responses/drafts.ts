/**
 * Drafts: kept for their author only, whatever was typed, checked for nothing but the kind of value (docs/forms.md,
 * "Submissions").
 */

import type { Configuration } from '#design/configuration/configuration'
import type { Asked } from '#design/dataTypes/model'
import { isBlankFor } from '#design/dataTypes/values'
import type { Form, Sent } from '#design/forms/form'
import type { At } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Occurrence } from './occurrence'
import type { Draft } from './store'

/** A moment half typed is of the type of a whole one: text. */
const isTyping = ({ format }: Asked, value: unknown) =>
  typeof value === 'string' && (format === 'date' || format === 'datetime' || format === 'time')

/** What is kept of the answers typed so far. @throws 422 under `response` where a value is of the wrong kind */
export function draftedAnswers(form: Form, sent: Readonly<Record<Id, Sent>>, at: At): string {
  const kept: Record<Id, Sent> = {}
  const problems: string[] = []
  for (const { dataType, title, asked, check, calculation } of form.fields) {
    const entry = sent[dataType]
    if (entry?.value === undefined || calculation !== undefined) continue
    const fault = isBlankFor(asked, entry.value) || isTyping(asked, entry.value) ? undefined : check(entry.value, at)
    if (fault?.kind === 'wrong') problems.push(`“${title}” ${fault.problem}.`)
    kept[dataType] = { value: entry.value, ...(entry.createdAt == null ? {} : { createdAt: entry.createdAt }) }
  }
  if (problems.length) throw refuse.invalid({ response: problems })
  return JSON.stringify(kept)
}

/**
 * What a draft of a new entry of an ad hoc stage is kept under: which entry it becomes is not known before it is
 * submitted.
 */
const NEW = -1

/** What the draft of an occurrence is kept under. */
export const draftedAt = ({ stages }: Configuration, { stage, stageRecurrence, existing }: Occurrence): number =>
  stages.get(stage)!.adHoc && !existing ? NEW : stageRecurrence

/** The occurrence that a draft is of; null where it is of none yet. */
export const recurrenceOf = (kept: number): number | null => (kept === NEW ? null : kept)

/** A draft as it is answered. */
export const readDraft = ({ response, ...draft }: Draft) => ({
  ...draft,
  stageRecurrence: recurrenceOf(draft.stageRecurrence),
  response: JSON.parse(response) as Record<Id, { value: unknown; createdAt?: number }>,
})
