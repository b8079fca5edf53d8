/**
 * Answers that a submission sends under keys that are no field of its form: the form may have been edited while somebody filled
 * it in. They are named in the response and in the audit entry, and kept in the history (docs/forms.md, "Submissions").
 */
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { isBlank } from '#design/dataTypes/values'
import type { SentAnswer } from '#design/forms/form'
import type { Id } from '#kernel/id'
import { isSame } from '#kernel/json'
import { cut } from '#kernel/text'
import type { Instant } from '#kernel/time'
import { type Author, appendEvent, type EventReference, eventsOf } from './events'
import { layoutOf } from './layout'
import type { ResponseRow } from './store'

/** `dataType` is the data type that the key names, by its `_id` or its code; null if it names none of the trial. */
export type IgnoredAnswer = { key: string; dataType: Id | null; value: unknown }

/** The answers under keys that are no field of the stage. */
export function ignoredAnswersIn(
  { dataTypes, fieldsOf }: Configuration,
  stage: Id,
  sent: Readonly<Record<string, SentAnswer>>,
): IgnoredAnswer[] {
  const { positions } = layoutOf(stage, fieldsOf(stage))
  const keys: string[] = []
  for (const key in sent) if (!positions.has(key)) keys.push(key)
  if (!keys.length) return []
  const byCode = new Map([...dataTypes.values()].map(({ _id, code }) => [code.toLowerCase(), _id]))
  return keys.map((key) => {
    const dataType = dataTypes.has(key) ? key : (byCode.get(key.toLowerCase()) ?? null)
    return { key, dataType, value: sent[key]!.value ?? null }
  })
}

/**
 * What the response to a submission says about ignored answers; nothing if there are none.
 * @param by participants get no hints about data types that are not fields of the form
 */
export function ignoredFields(
  { dataTypes, fieldsOf }: Configuration,
  stage: Id,
  ignored: readonly IgnoredAnswer[],
  by: Author['type'],
) {
  if (!ignored.length) return {}
  const fields = new Set(fieldsOf(stage))
  const hints = ignored.flatMap(({ key, dataType }): [string, string][] => {
    if (dataType === null || (by === 'participant' && !fields.has(dataType))) return []
    if (dataType === key) return [[key, `“${dataTypes.get(dataType)!.name}” is no field of this form.`]]
    const where = fields.has(dataType) ? '' : ', which is no field of this form'
    return [
      [key, `This is the code of a data type${where}. Answers are keyed by the _id of the data type: ${dataType}.`],
    ]
  })
  return {
    ignored: ignored.map(({ key }) => key),
    ...(hints.length ? { ignoredHints: Object.fromEntries(hints) } : {}),
  }
}

/** Of many or long keys, which only a faulty client sends, the audit entry names the beginning. */
const [MOST, LONGEST] = [100, 100]

/** What the audit entry of the submission says about ignored answers: their keys. */
export const ignoredAuditFields = (ignored: readonly IgnoredAnswer[]) =>
  ignored.length ? { ignored: ignored.slice(0, MOST).map(({ key }) => cut(key, LONGEST)) } : {}

/**
 * Keeps the ignored answers that are not blank in the history of the response. Returns the reference for the audit entry;
 * undefined if there are none, or if the last stored ones are the same.
 * @param submission its number; undefined if it changed nothing else
 */
export function recordIgnoredAnswers(
  db: Db,
  response: ResponseRow,
  ignored: readonly IgnoredAnswer[],
  by: Author,
  at: Instant,
  submission: number | undefined,
): EventReference | undefined {
  if (!ignored.length) return undefined
  const answered = ignored.filter(({ value }) => !isBlank(value))
  if (!answered.length) return undefined
  const last = eventsOf(db, response._id).findLast(({ type }) => type === 'ignored')
  if (last && isSame((JSON.parse(last.content) as { ignored: unknown }).ignored, answered)) return undefined
  return appendEvent(db, response, 'ignored', by, at, { ...(submission ? { submission } : {}), ignored: answered })
}
