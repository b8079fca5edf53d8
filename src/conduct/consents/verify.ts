/** Codes that show that a person reads an address (docs/consent.md, "Codes"). */
import { channelOf, type Method } from '#conduct/contactCodes/addresses'
import { isSameCode } from '#conduct/contactCodes/codes'
import { countCode } from '#conduct/contactCodes/limits'
import { COUNTED, MINUTES, MOST_A_DAY, requirePause, tryCode } from '#conduct/contactCodes/rules'
import { messageCode } from '#conduct/contactCodes/send'
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { type Instant, MINUTE } from '#kernel/time'
import { verificationCode } from './codes'
import type { InSession } from './scope'
import {
  addEvent,
  changeVerification,
  codesFor,
  insertVerification,
  type VerificationRow,
  verificationsOf,
} from './store'

export { addressIn } from '#conduct/contactCodes/addresses'
export { TRIES } from '#conduct/contactCodes/rules'

/** Wrong links that an address may try per minute. */
export const WRONG_LINKS = 60

/** The most codes in one session. */
const MOST_IN_SESSION = 10

type Sending = InSession & {
  db: Db
  services: Pick<Services, 'seal'>
  now: Instant
  acceptLanguage: string | null
  id(): Id
}

/** Refuses (400) a code that is asked for too soon, or too often. */
function requireOwnPause({ db, trial, session, now }: Sending, method: Method, address: string): void {
  const own = verificationsOf(db, session._id)
  const of = { trial: trial._id, address, kind: session.kind }
  const asked = codesFor(db, { ...of, since: now - COUNTED, most: MOST_A_DAY })
  const last = Math.max(asked.at(-1) ?? 0, own.findLast((each) => each.method === method)?.createdAt ?? 0)
  requirePause(last, own.length >= MOST_IN_SESSION || asked.length >= MOST_A_DAY, now)
}

/** Sends a code to an address. @param isSilent nothing is sent, and whoever asked cannot tell */
export function sendCode(sending: Sending, method: Method, address: string, isSilent = false): VerificationRow {
  const { db, services, trial, session, now, id } = sending
  requireOwnPause(sending, method, address)
  // A code to withdraw goes only to who consented: those for others, and of strangers, must never be why somebody cannot withdraw.
  if (session.kind !== 'withdrawal') countCode(sending)
  const _id = id()
  const expiresAt = now + MINUTES * MINUTE
  const code = verificationCode(services.seal, _id)
  const message = isSilent ? null : messageCode(sending, { channel: channelOf[method], address, code, expiresAt })
  addEvent(db, session._id, now, 'codeSent', { method })
  const key = { _id, createdAt: now, trial: trial._id, session: session._id }
  return insertVerification(db, { ...key, method, address, expiresAt, isSilent, message })
}

/**
 * Checks a code, and counts the try.
 * @throws 400 if no code is good any more
 */
export function checkCode({ db, services, session, now }: Sending, method: Method, entered: string) {
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
