/** Says a refusal in the language of a page, from its code and its parameters. Pure. */
import { templateOf } from '#kernel/template'
import { fillIsolated } from '#web/kit/language/fillIsolated'
import { type Language, localeOf } from '#web/kit/language/languages'

/** Sentences by code; nouns as `noun:<noun>`, and what can be wrong with an answer as `answer:<code>`. */
export type RefusalTexts = Readonly<Record<string, string>>

/** A refusal or a part of one, as the server gives it to programs. */
export type CodedReason = { code: string; params?: Readonly<Record<string, unknown>> | undefined }

type CodedAnswer = CodedReason & { inner?: CodedReason }

const isCoded = (value: unknown): value is CodedReason =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string'

/**
 * The sentence; undefined if the language lacks it or a part of it: a sentence is in one language.
 * @param coded a code with its parameters, which may be codes again, or lists of these
 */
export function sentenceOf(coded: CodedReason, texts: RefusalTexts, language: Language): string | undefined {
  const template = templateOf(texts, coded.code, coded.params?.count, language)
  if (template === undefined) return undefined
  const values: Record<string, string | number | readonly (string | number)[]> = {}
  for (const [name, value] of Object.entries(coded.params ?? {})) {
    const words = [value].flat().map((one) => wordOf(name, one, texts, language))
    if (!words.every((word) => word !== undefined)) return undefined
    values[name] = Array.isArray(value) ? words : words[0]!
  }
  if (coded.code === 'moment') Object.assign(values, momentText(values, language))
  const isFilled = [...template.matchAll(/\{(\w+)[:}]/g)].every(([, name = '']) => Object.hasOwn(values, name))
  return isFilled ? fillIsolated(template, values, language) : undefined
}

/** A moment by the clocks of its zone. */
function momentText({ at, zone }: Readonly<Record<string, unknown>>, language: Language) {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: String(zone) } as const
  try {
    return { at: new Intl.DateTimeFormat(localeOf(language), options).format(new Date(String(at))) }
  } catch {
    // A device may not know the zone: it shows the moment as it is.
    return { at: String(at) }
  }
}

/** The parameters that name a kind of thing. */
const NOUNS = ['noun', 'forType']

function wordOf(name: string, value: unknown, texts: RefusalTexts, language: Language): string | number | undefined {
  if (isCoded(value)) return answerSentence(value, texts, language) ?? sentenceOf(value, texts, language)
  if (typeof value === 'number') return value
  return (NOUNS.includes(name) ? texts[`noun:${value}`] : undefined) ?? String(value)
}

/** What is wrong with an answer, as it follows the title of the question. Of a table, `inner` is the problem of a cell. */
function answerProblem(
  { code, params, inner }: CodedAnswer,
  texts: RefusalTexts,
  language: Language,
): string | undefined {
  const problem = inner && answerProblem(inner, texts, language)
  if (inner ? problem === undefined : code === 'cell') return undefined
  return sentenceOf({ code: `answer:${code}`, params: { ...params, ...(problem && { problem }) } }, texts, language)
}

/** What is wrong with an answer, with the title of its question; undefined if it is no such problem. */
export function answerSentence(coded: CodedAnswer, texts: RefusalTexts, language: Language): string | undefined {
  const { title, message } = coded.params ?? {}
  if (typeof title !== 'string') return undefined
  // The study's own rule has words of its own.
  if (coded.code === 'constraint') return typeof message === 'string' ? message : undefined
  const problem = answerProblem(coded, texts, language)
  const template = texts.answer
  return problem && template && fillIsolated(template, { title, problem }, language)
}
