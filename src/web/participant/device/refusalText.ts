/** Why the server refused what a person did in the app, in the language of the app. */

import { REFUSALS } from '#web/form/answers/verdict'
import type { Answer, FailedAnswer } from '#web/kit/api/send'
import { currentTranslator } from './request'

const isKnownCode = (code: unknown): code is keyof typeof REFUSALS =>
  typeof code === 'string' && Object.hasOwn(REFUSALS, code)

/** A sentence for a refusal: the app's own where it has one, else that of the catalogue of refusals. */
export function refusalText({ status, message, details }: FailedAnswer): string {
  const translator = currentTranslator.value
  if (!translator) return message
  if (isKnownCode(details.code)) return translator.t(REFUSALS[details.code])
  return status === 429 ? translator.t('refusal.tooMany') : message
}

/** The answer with its refusal in the language of the app, for a form. */
export const withRefusalText = <T>(answer: Answer<T>): Answer<T> =>
  answer.isDone ? answer : { ...answer, message: refusalText(answer) }
