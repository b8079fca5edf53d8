/** What is wrong with answers, in the language of the app. */

import type { AnswerTexts } from '#texts/answers/en'
import { type CodedProblem, problemText } from '#texts/answers/write'
import type { EntryProblem } from '#web/app/device/model'
import { REFUSALS } from '#web/app/device/verdict'
import type { en } from '#web/app/lang/en'
import type { Common, Language, Speaker } from '#web/common/texts'
import type { Written } from './written'

const catalogues: Readonly<Record<Language, () => Promise<AnswerTexts>>> = {
  en: async () => (await import('#texts/answers/en')).answerTexts,
  de: async () => (await import('#texts/answers/de')).de,
  fr: async () => (await import('#texts/answers/fr')).fr,
  es: async () => (await import('#texts/answers/es')).es,
  ar: async () => (await import('#texts/answers/ar')).ar,
}

export const problemTexts = (language: Language): Promise<AnswerTexts> => catalogues[language]()

/**
 * The texts for people who fill in a form. Without a connection, a language that is not on the device cannot be read: English is.
 * Nobody is shown a regular expression, or how computers write a date.
 */
export async function textsFor({ language, say }: Speaker<Common & typeof en>): Promise<AnswerTexts> {
  const texts = await problemTexts(language).catch(() => problemTexts('en'))
  // The controls of dates give nothing else that is no date.
  const [notDate, pattern] = [say('form.halfDate'), say('form.pattern')]
  return { ...texts, pattern, notDate, notMoment: notDate, notTime: notDate }
}

/** The sentence of a problem; that of the study for its own rules. @param written how numbers, days and moments are written */
export function sentenceOf(
  problem: CodedProblem & { text?: string },
  texts: AnswerTexts,
  written: Written,
  title = problem.params.title,
): string {
  const said = problemText(writtenParams(problem, written), texts)
  return said === undefined ? (problem.text ?? '') : `${written.quoted(String(title))} ${said}.`
}

const LIMITS = ['min', 'max', 'from', 'step', 'bmi']

const writtenParams = ({ code, params, inner }: CodedProblem, written: Written): CodedProblem => ({
  code,
  params: Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, LIMITS.includes(name) ? written(value) : value]),
  ),
  ...(inner ? { inner: writtenParams(inner, written) } : {}),
})

const NOTES = {
  ...REFUSALS,
  closed: 'refusal.closed',
  notOpenYet: 'refusal.notOpenYet',
} as const
const isKnown = (code: string | undefined): code is keyof typeof NOTES =>
  code !== undefined && Object.hasOwn(NOTES, code)

/** One sentence for the whole submission: for reasons that the app does not know, in the words of the server. */
export function refusalNote(
  { status, code, message, fields }: EntryProblem,
  { say }: Speaker<Common & typeof en>,
): string {
  if (isKnown(code)) return say(NOTES[code])
  if (status === 404) return say('form.goneNote')
  return Object.keys(fields).length > 0 ? say('form.refused') : message
}
