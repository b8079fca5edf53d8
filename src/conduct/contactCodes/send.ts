import type { Db } from '#db/open'
import { writerForDevice } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { messageAddress } from '#outbox/messages'
import type { Channel } from '#outbox/status'
import { CODE_MINUTES } from './rules'

/**
 * Sends a code to an address, in the language of the device on which it was asked for. Returns the `_id` of the message.
 * @param expiresAt until when the code is good
 */
export function sendCodeMessage(
  { db, now, trial, acceptLanguage }: { db: Db; now: Instant; trial: Trial; acceptLanguage: string | null },
  { channel, address, code, expiresAt }: { channel: Channel; address: string; code: string; expiresAt: Instant },
): Id {
  const { write, name } = writerForDevice(trial, acceptLanguage)
  const about = { trial: name }
  return messageAddress(db, now, trial._id, channel, address, {
    subject: write('verificationCode.subject', about),
    body: write('verificationCode.body', { ...about, code, minutes: CODE_MINUTES }),
    ...{ expiresAt, isSecret: true },
  })
}
