/** What is wrong with answers, in the language of the app. */

import { fillTemplate, templateOf } from '#kernel/template'
import type { AnswerTexts } from '#texts/answers/en'
import type { InstructionTexts } from '#texts/answers/instructions/en'
import { type CodedProblem, problemText } from '#texts/answers/problemText'
import type { EntryProblem } from '#web/form/answers/model'
import { REFUSALS } from '#web/form/answers/verdict'
import type { ProblemTexts } from './fillTexts'
import type { Translator } from './texts'
import type { ValueFormatter } from './valueFormatter'

/** The sentence of a problem; that of the study for its own rules. @param formatValue formats numbers, days and moments */
export function problemSentence(
  problem: CodedProblem & { text?: string },
  texts: AnswerTexts,
  formatValue: ValueFormatter,
  title = problem.params.title,
): string {
  const said = problemText(formatParams(problem, formatValue), texts, formatValue.language)
  return said === undefined ? (problem.text ?? '') : `${formatValue.quote(String(title))} ${said}.`
}

/**
 * What to do about an answer, as it stands beside its field: the question, which is named there, is not named again.
 * @param rule what the study says to those who break its own rule
 */
export function fieldProblemText(
  problem: CodedProblem,
  { beside }: Pick<ProblemTexts, 'beside'>,
  formatValue: ValueFormatter,
  rule?: string | null | undefined,
): string {
  if (problem.code === 'constraint') return rule || beside.rule
  const { params } = formatParams(problem, formatValue)
  const code = problem.code === 'between' ? betweenKey(problem.params.min) : problem.code
  const text = templateOf(beside, code, params.count, formatValue.language) ?? beside.again
  const cell = problem.inner ? fieldProblemText(problem.inner, { beside }, formatValue) : ''
  return fillTemplate(text, { ...params, problem: cell })
}

/** Ranges of numbers, days and times of day have words of their own. */
const betweenKey = (min: unknown): keyof InstructionTexts =>
  typeof min === 'number' ? 'between' : /^\d{2}:\d{2}/.test(String(min)) ? 'timeBetween' : 'dateBetween'

const LIMITS = ['min', 'max', 'from', 'step', 'bmi']

const formatParams = ({ code, params, inner }: CodedProblem, formatValue: ValueFormatter): CodedProblem => ({
  code,
  params: Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, LIMITS.includes(name) ? formatValue(value) : value]),
  ),
  ...(inner ? { inner: formatParams(inner, formatValue) } : {}),
})

const NOTES = {
  ...REFUSALS,
  closed: 'refusal.closed',
  notOpenYet: 'refusal.notOpenYet',
} as const
const isKnown = (code: string | undefined): code is keyof typeof NOTES =>
  code !== undefined && Object.hasOwn(NOTES, code)

/** One sentence for the whole submission: for reasons that the app does not know, in the words of the server. */
export function refusalNote({ status, code, message, fields }: EntryProblem, { t }: Translator): string {
  if (isKnown(code)) return t(NOTES[code])
  if (status === 404) return t('form.goneNote')
  return Object.keys(fields).length > 0 ? t('form.refused') : message
}
