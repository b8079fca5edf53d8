/** Codes that show that a person reads an address (docs/consent.md, "Codes"). */
import { channelOf, type Method } from '#conduct/contactCodes/addresses'
import { isSameCode } from '#conduct/contactCodes/codes'
import { countCode } from '#conduct/contactCodes/limits'
import { CODE_MINUTES, COUNTING_PERIOD, MAX_CODES_PER_DAY, requirePause, tryCode } from '#conduct/contactCodes/rules'
import { sendCodeMessage } from '#conduct/contactCodes/send'
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { type Instant, MINUTE } from '#kernel/time'
import { verificationCode } from './codes'
import type { ConsentSessionScope } from './scope'
import {
  addEvent,
  changeVerification,
  codesFor,
  insertVerification,
  type VerificationRow,
  verificationsOf,
} from './store'

export { requireAddress } from '#conduct/contactCodes/addresses'
export { CODE_TRIES } from '#conduct/contactCodes/rules'

/** Wrong links that an address may try per minute. */
export const WRONG_LINKS = 60

/** The most codes in one session. */
const MOST_IN_SESSION = 10

type CodeContext = ConsentSessionScope & {
  db: Db
  services: Pick<Services, 'seal'>
  now: Instant
  acceptLanguage: string | null
  id(): Id
}

/** Refuses (400) a code that is asked for too soon, or too often. */
function requirePauseBetweenCodes({ db, trial, session, now }: CodeContext, method: Method, address: string): void {
  const own = verificationsOf(db, session._id)
  const of = { trial: trial._id, address, kind: session.kind }
  const requestedAt = codesFor(db, { ...of, since: now - COUNTING_PERIOD, most: MAX_CODES_PER_DAY })
  const last = Math.max(requestedAt.at(-1) ?? 0, own.findLast((each) => each.method === method)?.createdAt ?? 0)
  requirePause(last, own.length >= MOST_IN_SESSION || requestedAt.length >= MAX_CODES_PER_DAY, now)
}

/** Sends a code to an address. @param isSilent nothing is sent, and the caller gets the same response */
export function sendCode(context: CodeContext, method: Method, address: string, isSilent = false): VerificationRow {
  const { db, services, trial, session, now, id } = context
  requirePauseBetweenCodes(context, method, address)
  // A code to withdraw is sent only to people who consented. It is not counted, so that other codes never prevent a withdrawal.
  if (session.kind !== 'withdrawal') countCode(context)
  const _id = id()
  const expiresAt = now + CODE_MINUTES * MINUTE
  const code = verificationCode(services.seal, _id)
  const message = isSilent ? null : sendCodeMessage(context, { channel: channelOf[method], address, code, expiresAt })
  addEvent(db, session._id, now, 'codeSent', { method })
  const key = { _id, createdAt: now, trial: trial._id, session: session._id }
  return insertVerification(db, { ...key, method, address, expiresAt, isSilent, message })
}

/**
 * Checks a code, and counts the try.
 * @throws 400 if no code is good any more
 */
export function checkCode({ db, services, session, now }: CodeContext, method: Method, entered: string) {
  const newest = verificationsOf(db, session._id).findLast((each) => each.method === method)
  const isRight = ({ _id, isSilent }: VerificationRow) =>
    !isSilent && services.seal.keys.some((key) => isSameCode(entered, verificationCode(key, _id)))
  const { change, isVerified, triesLeft } = tryCode(newest, isRight, now)
  if (newest && change) {
    changeVerification(db, newest._id, change)
    addEvent(db, session._id, now, isVerified ? 'verified' : 'wrongCode', { method })
  }
  return { isVerified, triesLeft }
}

/** The newest verified address of each method. A later code for another address does not undo it. */
export function verifiedIn(db: Db, session: Id): Partial<Record<Method, VerificationRow>> {
  const verified = verificationsOf(db, session).filter(({ verifiedAt }) => verifiedAt !== null)
  return Object.fromEntries(verified.map((each) => [each.method, each]))
}
