import type { Answer } from '#web/kit/api/send'
import type { SignInTranslator } from './texts'

/** An answer whose refusal of a password or code is in the language of the page. @param wrong what it says if one is wrong */
export function translateProofRefusal<T>({ t }: SignInTranslator, answer: Answer<T>, wrong: string): Answer<T> {
  if (answer.isDone || Object.keys(answer.fields).length) return answer
  if (answer.status === 429) return { ...answer, message: t('signIn.tooMany') }
  return answer.status === 400 || answer.status === 401 ? { ...answer, message: wrong } : answer
}
