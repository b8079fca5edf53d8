import type { Db } from '#db/open'
import { trialNameFor, writerOf } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { DAY, type Instant } from '#kernel/time'
import { messageAddress } from '#outbox/post'
import { signInCode } from './codes'
import type { ConsentRow } from './consentStore'
import { channelOf, type Method } from './rules'

/** Sends the code for the first sign-in to the first verified address. Returns the `_id` of the message. */
export function sendSignInCode(
  { db, services, now, trial }: { db: Db; services: Pick<Services, 'seal'>; now: Instant; trial: Trial },
  consent: Pick<ConsentRow, '_id' | 'codeNumber' | Method>,
): Id | null {
  const method = (['email', 'phone', 'whatsapp'] as const).find((each) => consent[each] !== null)
  const address = method && consent[method]
  if (!method || !address) return null
  const { write } = writerOf(trial, null)
  const about = { trial: trialNameFor(trial, { language: null }) }
  const code = signInCode(services.seal, consent._id, consent.codeNumber)
  return messageAddress(db, now, trial._id, channelOf[method], address, {
    subject: write('consentCode.subject', about),
    body: write('consentCode.body', { ...about, code }),
    ...{ expiresAt: now + DAY, isSecret: true },
  })
}
