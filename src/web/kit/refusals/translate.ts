/** A refused answer with its sentences in the language of the page. Loaded when the first one is to be shown. */
import type { FailedAnswer } from '#web/kit/api/answer'
import type { Language } from '#web/kit/language/languages'
import { refusalLoaders } from './files'
import { answerSentence, type CodedReason, type RefusalTexts, sentenceOf } from './sentence'

type Problems = Readonly<Record<string, CodedReason>>

/** The sentence of a problem, which may be that of an answer. */
const problemText = (coded: CodedReason, texts: RefusalTexts, language: Language): string | undefined =>
  answerSentence(coded, texts, language) ?? sentenceOf(coded, texts, language)

/** What is wrong with one field, and with the places inside it; undefined if a part of it cannot be said. */
function fieldText(field: string, problems: Problems, texts: RefusalTexts, language: Language): string | undefined {
  const said = Object.entries(problems).flatMap(([path, coded]) => {
    if (path !== field && !path.startsWith(`${field}.`)) return []
    const text = problemText(coded, texts, language)
    return [path === field || text === undefined ? text : `${path.slice(field.length + 1)}: ${text}`]
  })
  return said.length && said.every((text) => text !== undefined) ? said.join(' ') : undefined
}

/** The most fields that the sentence of a request names. */
const MOST_FIELDS = 3

/** The sentence for the whole request. That of wrong fields names the first of them. */
function messageText({ details, fields }: FailedAnswer, texts: RefusalTexts, language: Language): string | undefined {
  const { problems, sentence } = details
  const { code, params } = Object(sentence ?? details)
  if (typeof code !== 'string') return undefined
  if (code !== 'invalid') return sentenceOf({ code, params }, texts, language)
  const first = Object.keys(fields).slice(0, MOST_FIELDS)
  const said = first.map((field) => {
    const text = fieldText(field, Object(problems), texts, language)
    return text === undefined || field === '_schema' ? text : `${field}: ${text}`
  })
  const isWhole = said.length && said.every((text) => text !== undefined)
  return isWhole ? sentenceOf({ code, params: { problems: said.join(' ') } }, texts, language) : undefined
}

/** The answer in a language. `isWhole`: nothing of it stays in English. */
export function translate<A extends FailedAnswer>(
  answer: A,
  texts: RefusalTexts,
  language: Language,
): { answer: A; isWhole: boolean } {
  const message = messageText(answer, texts, language)
  const said = Object.keys(answer.fields).map(
    (field) => [field, fieldText(field, Object(answer.details.problems), texts, language)] as const,
  )
  const fields = Object.fromEntries(said.map(([field, text]) => [field, text ?? answer.fields[field]!]))
  const isWhole = message !== undefined && said.every(([, text]) => text !== undefined)
  return { answer: { ...answer, fields, ...(message === undefined ? {} : { message }) }, isWhole }
}

/** The answer in this language; what the language lacks, and all of it if no texts can be loaded, in English. */
export async function translateRefusal<A extends FailedAnswer>(refused: A, language: Language): Promise<A> {
  let [texts, said]: [RefusalTexts, A] = [{}, refused]
  for (const load of refusalLoaders(language)) {
    const loaded = await load().catch(() => undefined)
    if (!loaded) return said
    texts = { ...texts, ...loaded }
    const { answer, isWhole } = translate(refused, texts, language)
    if (isWhole) return answer
    said = answer
  }
  return said
}
