/** What is wrong with answers, in the language of the app. */

import type { AnswerTexts } from '#texts/answers/en'
import { type CodedProblem, problemText } from '#texts/answers/write'
import type { Language } from '#web/common/texts'

const catalogues: Readonly<Record<Language, () => Promise<AnswerTexts>>> = {
  en: async () => (await import('#texts/answers/en')).answerTexts,
  de: async () => (await import('#texts/answers/de')).de,
  fr: async () => (await import('#texts/answers/fr')).fr,
  es: async () => (await import('#texts/answers/es')).es,
  // No translator has written them.
  ar: async () => (await import('#texts/answers/en')).answerTexts,
}

export const problemTexts = (language: Language): Promise<AnswerTexts> => catalogues[language]()

/** The sentence of a problem; that of the study for its own rules. */
export function sentenceOf(problem: CodedProblem & { text: string }, texts: AnswerTexts): string {
  const said = problemText(problem, texts)
  return said === undefined ? problem.text : `“${problem.params.title}” ${said}.`
}
