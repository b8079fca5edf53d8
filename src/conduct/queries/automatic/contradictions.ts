/** Answers that contradict each other (pure). */

import type { Id } from '#kernel/id'
import { isSame } from '#kernel/json'
import { isCalled, pairsOf, wordPattern } from './labels'
import { type FieldAnswer, type Finding, findingAbout, type Question, type QuestionText } from './rules'

const LOWS = wordPattern('minimum', 'min', 'lowest', 'diastolic')
const HIGHS = wordPattern('maximum', 'max', 'highest', 'systolic')
/** Facts that never change. */
const UNCHANGING = wordPattern('sex', 'gender', 'birth', 'dob', 'blood group', 'blood type', 'ethnicity', 'race')
const AMOUNT = wordPattern(
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
const DETAIL = wordPattern('details?', 'specify', 'which', 'describe', 'description', 'what')

const isNo = (label: string) => /^(no|none|never|nein|non)$/i.test(label.trim())
const isYes = (label: string) => /^(yes|ja|oui|s[ií])$/i.test(label.trim())

/** Whether the answer to a yes-or-no question is no. */
const isDenied = ({ question, value }: FieldAnswer): boolean =>
  question.format === 'choice' &&
  (question.options ?? []).some(({ label }) => isYes(label)) &&
  Array.isArray(value) &&
  value.length === 1 &&
  isNo(String(value[0]))

/** The first letters of the longest word of a name. Names of questions about the same thing often share them. */
function wordRoot({ name }: Question): string | undefined {
  const [longest = ''] = (name.toLowerCase().match(/\p{L}+/gu) ?? []).sort((a, b) => b.length - a.length)
  return longest.length < 4 ? undefined : longest.slice(0, 4)
}

/** Whether an answer states that something exists: an amount above zero, or a detail. */
const isAffirmation = ({ question, value }: FieldAnswer): boolean =>
  typeof value === 'number'
    ? value > 0 && isCalled(AMOUNT, question)
    : typeof value === 'string' &&
      /^(text|paragraph)$/.test(question.format) &&
      isCalled(DETAIL, question) &&
      !isNo(value)

/**
 * Contradicting answers: a minimum above its maximum, "no" to a question and a detail about it, and a changed answer to something
 * that never changes.
 * @param earlier the participant's earlier answers, by data type
 */
export function contradictions(
  answers: readonly FieldAnswer[],
  earlier: ReadonlyMap<Id, readonly unknown[]>,
): Finding[] {
  const findings: Finding[] = []
  const addFinding = (a: FieldAnswer, b: FieldAnswer, text: QuestionText) =>
    findings.push(...findingAbout('contradiction', a, b, text))
  const numbers = answers.filter(({ value }) => typeof value === 'number')
  for (const [low, high] of pairsOf(numbers, LOWS, HIGHS)) {
    if ((low.value as number) > (high.value as number)) {
      const names = { name: low.question.name, other: high.question.name }
      addFinding(low, high, ({ write }) => write('automaticQuery.higher', names))
    }
  }
  for (const no of answers.filter(isDenied)) {
    const beginning = wordRoot(no.question)
    if (beginning === undefined) continue
    for (const some of answers.filter((other) => other.question !== no.question && isAffirmation(other))) {
      const words = some.question.name.toLowerCase().match(/\p{L}+/gu) ?? []
      if (!words.some((word) => word.startsWith(beginning))) continue
      const names = { name: no.question.name, other: some.question.name }
      addFinding(no, some, ({ write }) => write('automaticQuery.denied', names))
    }
  }
  for (const { question, value } of answers.filter(({ question }) => isCalled(UNCHANGING, question))) {
    const other = (earlier.get(question._id) ?? []).find((before) => !isSame(before, value))
    if (other === undefined) continue
    findings.push({
      rule: 'contradiction',
      dataType: question._id,
      fields: [question._id],
      value: [value, other],
      text: ({ write }) => write('automaticQuery.changed', { name: question.name }),
    })
  }
  return findings
}
