/** Codes that prove that somebody who answers a poll reads an address (docs/polls.md, "Verified contacts"). */
import { hasConsented } from '#conduct/consents/consentStore'
import { isSameCode } from '#conduct/contactCodes/codes'
import { countCode } from '#conduct/contactCodes/limits'
import { CODE_MINUTES, COUNTING_PERIOD, MAX_CODES_PER_DAY, requirePause, tryCode } from '#conduct/contactCodes/rules'
import { sendCodeMessage } from '#conduct/contactCodes/send'
import type { Db } from '#db/open'
import { writerForDevice } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { Services } from '#http/services'
import { type Id, sha256 } from '#kernel/id'
import { type Hasher, sixDigits } from '#kernel/seal'
import { DAY, type Instant, MINUTE } from '#kernel/time'
import { messageAddress } from '#outbox/messages'
import { changeVerification, codesFor, insertVerification, type VerificationRow, verificationsOf } from './codeStore'
import { type ContactMethod, codeChannel, consentedMethods, type PollSettings } from './rules'

type CodeContext = {
  db: Db
  now: Instant
  id(): Id
  services: Pick<Services, 'seal' | 'sendsBy'>
  trial: Trial
  poll: Id
  acceptLanguage: string | null
}

/** The most codes for one set of answers. */
const MOST_FOR_ENTRY = 10
/** How long an address is kept that was entered, and how long one counts that was proven, until the answers arrive. */
const RETENTION = { entered: DAY, proven: 7 * DAY }

/** The six digits that were sent. @param verification its `_id` */
export const pollCode = (seal: Hasher, verification: Id): string => sixDigits(seal, `poll verification ${verification}`)

/** The columns of a consent that hold an address of this kind. */
const COLUMNS = { email: ['email'], phone: ['phone', 'whatsapp'] } as const

/** Whether somebody consented with this address, and has not withdrawn. It looks everything up, whether somebody did or not. */
export const hasConsentWith = (db: Db, trial: Id, method: ContactMethod, address: string): boolean =>
  COLUMNS[method].map((column) => hasConsented(db, trial, column, address)).includes(true)

/** Sends a message that there is no consent with this address, so that its reader does not wait for a code. */
function sendNoConsentMessage(
  { db, now, trial, acceptLanguage }: CodeContext,
  channel: 'email' | 'sms' | 'whatsapp',
  address: string,
): Id {
  const { write, name } = writerForDevice(trial, acceptLanguage)
  const about = { trial: name }
  return messageAddress(db, now, trial._id, channel, address, {
    subject: write('pollNoConsent.subject', about),
    body: write('pollNoConsent.body', about),
    ...{ expiresAt: now + CODE_MINUTES * MINUTE, isSecret: true },
  })
}

/**
 * Sends a code to an address. To an address without the consent that the poll asks for goes another message, so that only its reader
 * learns whether somebody consented with it.
 * @throws 400 for a code that is asked for too soon, or too often
 */
export function sendPollCode(
  context: CodeContext,
  settings: PollSettings | null | undefined,
  { entry, method, address }: { entry: string; method: ContactMethod; address: string },
): VerificationRow {
  const { db, services, now, trial, poll, id } = context
  const hash = sha256(entry)
  const own = verificationsOf(db, poll, hash)
  const requestedAt = codesFor(db, { trial: trial._id, address, since: now - COUNTING_PERIOD, most: MAX_CODES_PER_DAY })
  const newest = own.findLast((each) => each.method === method)
  requirePause(
    Math.max(requestedAt.at(-1) ?? 0, newest?.createdAt ?? 0),
    own.length >= MOST_FOR_ENTRY || requestedAt.length >= MAX_CODES_PER_DAY,
    now,
  )
  countCode(context)
  const isSilent = consentedMethods(settings).includes(method) && !hasConsentWith(db, trial._id, method, address)
  const _id = id()
  const expiresAt = now + CODE_MINUTES * MINUTE
  const channel = codeChannel(method, services.sendsBy)
  const code = pollCode(services.seal, _id)
  const message = isSilent
    ? sendNoConsentMessage(context, channel, address)
    : sendCodeMessage(context, { channel, address, code, expiresAt })
  const key = { _id, createdAt: now, trial: trial._id, stage: poll, hash }
  return insertVerification(db, {
    ...key,
    method,
    address,
    expiresAt,
    removeAt: now + RETENTION.entered,
    isSilent,
    message,
  })
}

/**
 * Checks a code, and counts the try.
 * @throws 400 if no code is good any more
 */
export function checkPollCode(
  { db, services, now, poll }: Pick<CodeContext, 'db' | 'services' | 'now' | 'poll'>,
  { entry, method, code }: { entry: string; method: ContactMethod; code: string },
) {
  const newest = verificationsOf(db, poll, sha256(entry)).findLast((each) => each.method === method)
  const isRight = ({ _id, isSilent }: VerificationRow) =>
    !isSilent && services.seal.keys.some((key) => isSameCode(code, pollCode(key, _id)))
  const { change, isVerified, triesLeft } = tryCode(newest, isRight, now)
  if (newest && change)
    changeVerification(db, newest._id, isVerified ? { ...change, removeAt: now + RETENTION.proven } : change)
  return { isVerified, triesLeft, address: newest?.address }
}
