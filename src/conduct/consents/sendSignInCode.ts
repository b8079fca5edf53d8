import type { Db } from '#db/open'
import { writerForDevice } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { DAY, type Instant } from '#kernel/time'
import { messageAddress } from '#outbox/messages'
import { signInCode } from './codes'
import type { ConsentRow } from './consentStore'
import { channelOf, type Method } from './rules'

type SignInCodeContext = {
  db: Db
  services: Pick<Services, 'seal'>
  now: Instant
  trial: Trial
  acceptLanguage: string | null
}

/**
 * Sends the code for the first sign-in to the first verified address. Returns the `_id` of the message.
 * @param sending.acceptLanguage of the device on which the consent was signed; null if somebody else asks
 */
export function sendSignInCode(
  { db, services, now, trial, acceptLanguage }: SignInCodeContext,
  consent: Pick<ConsentRow, '_id' | 'codeNumber' | Method>,
): Id | null {
  const method = (['email', 'phone', 'whatsapp'] as const).find((each) => consent[each] !== null)
  const address = method && consent[method]
  if (!method || !address) return null
  const { write, name } = writerForDevice(trial, acceptLanguage)
  const about = { trial: name }
  const code = signInCode(services.seal, consent._id, consent.codeNumber)
  return messageAddress(db, now, trial._id, channelOf[method], address, {
    subject: write('consentCode.subject', about),
    body: write('consentCode.body', { ...about, code }),
    ...{ expiresAt: now + DAY, isSecret: true },
  })
}
