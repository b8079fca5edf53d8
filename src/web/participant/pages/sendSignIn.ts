/** Signs in, and says in kind words what is wrong. */

import type { Answer } from '#web/kit/api/send'
import { signIn } from '#web/participant/device/session'
import type { Translator } from '#web/participant/texts'

/** What a study with electronic consent asks at the first sign-in. */
export type Consent = { contact: string; code: string }

/** @param consent if the server has asked for it */
export async function sendSignIn(
  { t }: Translator,
  { trialCode, participantId, password }: Record<'trialCode' | 'participantId' | 'password', string>,
  consent?: Consent,
): Promise<Answer<unknown> & { needsConsent?: boolean }> {
  const contact = consent?.contact.trim() ?? ''
  const proof: Record<string, string> = consent
    ? { [contact.includes('@') ? 'eConsentEmail' : 'eConsentPhone']: contact, eConsentCode: consent.code }
    : {}
  const answer = await signIn({ trialCode, participantId, password, ...proof })
  if (answer.isDone) return answer
  if (answer.status === 400 && answer.details.eConsentRequired === true) return { ...answer, needsConsent: true }
  if (answer.status === 401) return { ...answer, message: t(consent ? 'signIn.wrongConsent' : 'signIn.wrong') }
  if (answer.status === 429) return { ...answer, message: t('refusal.tooMany') }
  return answer
}
