/** Answers that contradict each other (pure). */

import type { Id } from '#kernel/id'
import { isSame } from '#kernel/json'
import { ends, says, words } from './labels'
import { type Answered, about, CHECK, type Finding, type Question } from './rules'

const LOWS = words('minimum', 'min', 'lowest', 'diastolic')
const HIGHS = words('maximum', 'max', 'highest', 'systolic')
const LASTING = words('sex', 'gender', 'birth', 'dob', 'blood group', 'blood type', 'ethnicity', 'race')
const AMOUNT = words(
  'number',
  'how many',
  'how much',
  'amount',
  'units?',
  'per',
  'quantity',
  'count',
  'dose',
  'frequency',
  'severity',
  'years?',
)
const DETAIL = words('details?', 'specify', 'which', 'describe', 'description', 'what')

const isNo = (label: string) => /^(no|none|never|nein|non)$/i.test(label.trim())
const isYes = (label: string) => /^(yes|ja|oui|s[ií])$/i.test(label.trim())

/** Whether the answer to a yes-or-no question is no. */
const denied = ({ question, value }: Answered): boolean =>
  question.format === 'choice' &&
  (question.options ?? []).some(({ label }) => isYes(label)) &&
  Array.isArray(value) &&
  value.length === 1 &&
  isNo(String(value[0]))

/** The first letters of the longest word of a name. Names of questions about the same thing often share them. */
function root({ name }: Question): string | undefined {
  const [longest = ''] = (name.toLowerCase().match(/\p{L}+/gu) ?? []).sort((a, b) => b.length - a.length)
  return longest.length < 4 ? undefined : longest.slice(0, 4)
}

/** Whether an answer states that something exists: an amount above zero, or a detail. */
const affirms = ({ question, value }: Answered): boolean =>
  typeof value === 'number'
    ? value > 0 && says(AMOUNT, question)
    : typeof value === 'string' && /^(text|paragraph)$/.test(question.format) && says(DETAIL, question) && !isNo(value)

/** Contradicting answers: a low above its high, "no" and yet a detail, and two answers to something that never changes. */
export function contradictions(answers: readonly Answered[], earlier: ReadonlyMap<Id, readonly unknown[]>): Finding[] {
  const found: Finding[] = []
  const against = (a: Answered, b: Answered, text: string) =>
    found.push(...about('contradiction', a, b, `${text} ${CHECK}`))
  const numbers = answers.filter(({ value }) => typeof value === 'number')
  for (const [low, high] of ends(numbers, LOWS, HIGHS)) {
    if ((low.value as number) > (high.value as number)) {
      against(low, high, `“${low.question.name}” is higher than “${high.question.name}”.`)
    }
  }
  for (const no of answers.filter(denied)) {
    const beginning = root(no.question)
    if (beginning === undefined) continue
    for (const some of answers.filter((other) => other.question !== no.question && affirms(other))) {
      const names = some.question.name.toLowerCase().match(/\p{L}+/gu) ?? []
      if (!names.some((word) => word.startsWith(beginning))) continue
      against(no, some, `“${no.question.name}” was answered with no, yet “${some.question.name}” says otherwise.`)
    }
  }
  for (const { question, value } of answers.filter(({ question }) => says(LASTING, question))) {
    const other = (earlier.get(question._id) ?? []).find((before) => !isSame(before, value))
    if (other === undefined) continue
    const text = `“${question.name}” was answered differently before. ${CHECK}`
    found.push({ rule: 'contradiction', dataType: question._id, fields: [question._id], value: [value, other], text })
  }
  return found
}
