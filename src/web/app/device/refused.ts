/** Why the server refused what a person did in the app, in the language of the app. */
import type { Answer } from '#web/common/api'
import { speaking } from './request'
import { REFUSALS } from './verdict'

const isKnown = (code: unknown): code is keyof typeof REFUSALS =>
  typeof code === 'string' && Object.hasOwn(REFUSALS, code)

/** A sentence for a refusal that the page has no own one for. The server's words are English: only who reads English sees them. */
export function refusedWith({
  status,
  message,
  details,
  isRefusal,
}: Extract<Answer<never>, { isDone: false }>): string {
  const speaker = speaking.value
  if (!speaker) return message
  if (isKnown(details.code)) return speaker.say(REFUSALS[details.code])
  if (status === 429) return speaker.say('signIn.tooMany')
  return isRefusal && speaker.language !== 'en' ? speaker.say('site.failed') : message
}

/** The answer with its refusal in the language of the app, for a form. */
export const inWords = <T>(answer: Answer<T>): Answer<T> =>
  answer.isDone ? answer : { ...answer, message: refusedWith(answer) }
