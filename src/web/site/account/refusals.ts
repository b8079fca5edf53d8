/** What is wrong with an entry, in the language of the page. The server says it in English, which is the key here. */
import { type Answer, ask } from '#web/kit/api/send'
import type { Translator } from './texts'

type Translate = Translator['t']

/** The sentences of the server about what people enter here, each with its text. A test sends what leads to each of them. */
const sentences: readonly (readonly [RegExp, (t: Translate, value: string) => string])[] = [
  [/^Missing data for required field\.$/, (t) => t('refused.missing')],
  [/^Must not be (?:empty|blank)\.$/, (t) => t('refused.missing')],
  [/^Must be at least (\d+) characters\.$/, (t, least) => t('refused.short', { least })],
  [/^Must be at most (\d+) characters\.$/, (t, most) => t('refused.long', { most })],
  [/^Must be an e-mail address\.$/, (t) => t('refused.email')],
  [/^Is among the commonest passwords or too easily guessed\./, (t) => t('refused.common')],
  [/^Must be in the future\.$/, (t) => t('refused.past')],
  [/^Must be a moment such as /, (t) => t('refused.day')],
  [/^Is the address of your account already\.$/, (t) => t('refused.same')],
  [/^There is no trial [0-9a-f]{24}, or you cannot see it\.$/, (t) => t('refused.study')],
  [/^The e-mail address ".*" is already in use\.$/s, (t) => t('refused.taken')],
  [/^Too many requests: /, (t) => t('refused.often')],
]

/** A sentence of the server in the language of the page; as it is if the page does not know it. */
export function translateRefusal({ t }: Pick<Translator, 't'>, sentence: string): string {
  for (const [pattern, text] of sentences) {
    const found = pattern.exec(sentence)
    if (found) return text(t, found[1] ?? '')
  }
  return sentence
}

/** An answer whose refusal is in the language of the page. */
export function translateAnswer<T>(translator: Pick<Translator, 't'>, answer: Answer<T>): Answer<T> {
  if (answer.isDone) return answer
  const fields = Object.fromEntries(
    Object.entries(answer.fields).map(([name, text]) => [name, translateRefusal(translator, text)]),
  )
  return { ...answer, fields, message: translateRefusal(translator, answer.message) }
}

/** Sends a request; a refusal is in the language of the page. */
export const askTranslated = async <T>(
  translator: Translator,
  ...parameters: OtherParameters<Parameters<typeof ask>>
): Promise<Answer<T>> => translateAnswer(translator, await ask<T>(translator, ...parameters))

type OtherParameters<A extends unknown[]> = A extends [unknown, ...infer R] ? R : never
