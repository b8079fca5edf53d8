/** Drafts: kept for their author only, whatever was typed, checked for nothing but the kind of value (decisions 7). */
import type { Id } from '../../kernel/id'
import { refuse } from '../../kernel/problem'
import type { At } from '../dataTypes/calendar'
import { isBlank } from '../dataTypes/values'
import type { Form, Sent } from './form'
import type { Draft } from './queries'

/** What is kept of the answers typed so far. @throws 422 under `response` where a value is of the wrong kind */
export function draftedAnswers(form: Form, sent: Readonly<Record<Id, Sent>>, at: At): string {
  const kept: Record<Id, Sent> = {}
  const problems: string[] = []
  for (const { dataType, title, check, calculation } of form.fields) {
    const entry = sent[dataType]
    if (entry?.value === undefined || calculation !== undefined) continue
    const fault = isBlank(entry.value) ? undefined : check(entry.value, at)
    if (fault?.kind === 'wrong') problems.push(`“${title}” ${fault.problem}.`)
    kept[dataType] = { value: entry.value, ...(entry.createdAt == null ? {} : { createdAt: entry.createdAt }) }
  }
  if (problems.length) throw refuse.invalid({ response: problems })
  return JSON.stringify(kept)
}

/** A draft as it is answered. */
export const readDraft = ({ response, ...draft }: Draft) => ({
  ...draft,
  response: JSON.parse(response) as Record<Id, { value: unknown; createdAt?: number }>,
})
