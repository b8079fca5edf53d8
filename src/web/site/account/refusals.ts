/** What is wrong with an entry, in the language of the page. The server says it in English, which is the key here. */
import { type Answer, ask } from '#web/common/api'
import type { Speaker } from './texts'

type Say = Speaker['say']

/** The sentences of the server about what people enter here, each with its text. A test sends what leads to each of them. */
const sentences: readonly (readonly [RegExp, (say: Say, value: string) => string])[] = [
  [/^Missing data for required field\.$/, (say) => say('refused.missing')],
  [/^Must not be (?:empty|blank)\.$/, (say) => say('refused.missing')],
  [/^Must be at least (\d+) characters\.$/, (say, least) => say('refused.short', { least })],
  [/^Must be at most (\d+) characters\.$/, (say, most) => say('refused.long', { most })],
  [/^Must be an e-mail address\.$/, (say) => say('refused.email')],
  [/^Is among the commonest passwords or too easily guessed\./, (say) => say('refused.common')],
  [/^Must be in the future\.$/, (say) => say('refused.past')],
  [/^Must be a moment such as /, (say) => say('refused.day')],
  [/^Is the address of your account already\.$/, (say) => say('refused.same')],
  [/^There is no trial [0-9a-f]{24}, or you cannot see it\.$/, (say) => say('refused.study')],
  [/^The e-mail address ".*" is already in use\.$/s, (say) => say('refused.taken')],
  [/^Too many requests: /, (say) => say('refused.often')],
]

/** A sentence of the server in the language of the page; as it is if the page does not know it. */
export function inWords({ say }: Pick<Speaker, 'say'>, sentence: string): string {
  for (const [pattern, text] of sentences) {
    const found = pattern.exec(sentence)
    if (found) return text(say, found[1] ?? '')
  }
  return sentence
}

/** An answer whose refusal is in the language of the page. */
export function answerInWords<T>(speaker: Pick<Speaker, 'say'>, answer: Answer<T>): Answer<T> {
  if (answer.isDone) return answer
  const fields = Object.fromEntries(Object.entries(answer.fields).map(([name, text]) => [name, inWords(speaker, text)]))
  return { ...answer, fields, message: inWords(speaker, answer.message) }
}

/** Sends a request; a refusal is in the language of the page. */
export const askInWords = async <T>(speaker: Speaker, ...sent: Rest<Parameters<typeof ask>>): Promise<Answer<T>> =>
  answerInWords(speaker, await ask<T>(speaker, ...sent))

type Rest<A extends unknown[]> = A extends [unknown, ...infer R] ? R : never
