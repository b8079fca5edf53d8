/** Why the server refused what a person did in the app, in the language of the app. */

import { REFUSALS } from '#web/form/answers/verdict'
import type { Answer } from '#web/kit/api/send'
import { currentTranslator } from './request'

const isKnownCode = (code: unknown): code is keyof typeof REFUSALS =>
  typeof code === 'string' && Object.hasOwn(REFUSALS, code)

/** A sentence for a refusal that the page has no own one for. The server's words are English: only who reads English sees them. */
export function refusalText({
  status,
  message,
  details,
  isRefusal,
}: Extract<Answer<never>, { isDone: false }>): string {
  const translator = currentTranslator.value
  if (!translator) return message
  if (isKnownCode(details.code)) return translator.t(REFUSALS[details.code])
  if (status === 429) return translator.t('refusal.tooMany')
  return isRefusal && translator.language !== 'en' ? translator.t('site.failed') : message
}

/** The answer with its refusal in the language of the app, for a form. */
export const withRefusalText = <T>(answer: Answer<T>): Answer<T> =>
  answer.isDone ? answer : { ...answer, message: refusalText(answer) }
