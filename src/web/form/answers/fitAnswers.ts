/** Answers of a draft in the form as it is now (pure). */

import { isQuestion, type Settings, type StageDetail } from '#web/form/stage'
import type { KeptAnswer } from './model'

type Parts = Readonly<Record<string, unknown>>
type Answers = Readonly<Record<string, KeptAnswer>>

const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The parts with these names: the same object if there are no others. */
function pickParts(parts: Parts, names: ReadonlySet<string>): Parts {
  const all = Object.entries(parts)
  const left = all.filter(([name]) => names.has(name))
  return left.length === all.length ? parts : Object.fromEntries(left)
}

/** The value without statements and columns that the question does not have: they could neither be seen nor removed. */
function shownParts({ format, statements, columns }: Settings, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (format === 'likert') {
    const left = isParts(value) ? pickParts(value, new Set(statements?.map(({ key }) => key))) : {}
    return Object.keys(left).length ? left : null
  }
  if (format !== 'table') return value
  if (!Array.isArray(value) || !value.every(isParts)) return null
  const names = new Set(columns?.map(({ id }) => id))
  const rows = value.map((row) => pickParts(row, names))
  return rows.every((row, at) => row === value[at]) ? value : rows
}

/**
 * The study team may have removed statements and columns since. An answer that has them is shown without them, and goes along whole
 * under a key of its own, which the server keeps in the history (docs/forms.md, "Submissions").
 */
export function fitAnswers({ components }: StageDetail, answers: Answers): Answers {
  const all: Record<string, KeptAnswer> = { ...answers }
  for (const { dataType, type } of components.filter(isQuestion)) {
    const answer = answers[dataType]
    const value = answer && shownParts(type, answer.value)
    if (!answer || value === answer.value) continue
    all[dataType] = { ...answer, value }
    all[`${dataType} before`] = answer
  }
  return all
}
