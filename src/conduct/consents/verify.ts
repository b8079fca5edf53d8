/** Codes that show that a person reads an address (docs/consent.md, "Codes"). */
import type { Db } from '#db/open'
import { trialNameFor, writerOf } from '#design/trials/notices'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { DAY, type Instant, MINUTE } from '#kernel/time'
import { messageAddress } from '#outbox/post'
import { isSameCode, verificationCode } from './codes'
import { addressOf, channelOf, type Method } from './rules'
import type { InSession } from './scope'
import {
  addEvent,
  changeVerification,
  codesFor,
  insertVerification,
  type VerificationRow,
  verificationsOf,
} from './store'

/** Wrong links that an address may try per minute. */
export const WRONG_LINKS = 60

/** How long a code is good, and how often it may be entered. */
const MINUTES = 10
export const TRIES = 5
/** Codes in one session, and for one address of a trial in a day. */
const [MOST_IN_SESSION, MOST_A_DAY] = [10, 20]

/** The address in its stored form. Refuses (422) what is none. */
export async function addressIn({ method, address }: { method: Method; address: string }): Promise<string> {
  const found = await addressOf(method, address)
  if (found !== undefined) return found
  const problem =
    method === 'email'
      ? 'Must be an e-mail address.'
      : 'Must be a telephone number with its country code, such as +44 7700 900123.'
  throw refuse.invalid({ address: [problem] })
}

type Sending = InSession & { db: Db; services: Pick<Services, 'seal'>; now: Instant; id(): Id }

/** Refuses (400) a code that is asked for too soon, or too often. */
function requirePause({ db, trial, session, now }: Sending, method: Method, address: string): void {
  const own = verificationsOf(db, session._id)
  const asked = codesFor(db, { trial: trial._id, address, since: now - DAY, most: MOST_A_DAY })
  const last = Math.max(asked.at(-1) ?? 0, own.findLast((each) => each.method === method)?.createdAt ?? 0)
  if (own.length >= MOST_IN_SESSION || asked.length >= MOST_A_DAY)
    throw refuse.bad('No more codes are sent. Please ask the study team.', { code: 'tooManyCodes' })
  if (last > now - MINUTE)
    throw refuse.bad('A code was sent less than a minute ago. Please wait for it, then ask for another one.', {
      code: 'tooSoon',
    })
}

/** Sends a code to an address. @param isSilent nothing is sent, and whoever asked cannot tell */
export function sendCode(sending: Sending, method: Method, address: string, isSilent = false): VerificationRow {
  const { db, services, trial, session, now, id } = sending
  requirePause(sending, method, address)
  const _id = id()
  const expiresAt = now + MINUTES * MINUTE
  const { write } = writerOf(trial, null)
  const about = { trial: trialNameFor(trial, { language: null }) }
  const text = {
    subject: write('verificationCode.subject', about),
    body: write('verificationCode.body', {
      ...about,
      code: verificationCode(services.seal, _id),
      minutes: MINUTES,
    }),
    ...{ expiresAt, isSecret: true },
  }
  const message = isSilent ? null : messageAddress(db, now, trial._id, channelOf[method], address, text)
  addEvent(db, session._id, now, 'codeSent', { method })
  const key = { _id, createdAt: now, trial: trial._id, session: session._id }
  return insertVerification(db, { ...key, method, address, expiresAt, isSilent, message })
}

/**
 * Checks a code, and counts the try. A wrong one is no refusal: a refusal would undo the count.
 * @throws 400 if no code is good any more
 */
export function checkCode({ db, services, session, now }: Sending, method: Method, entered: string) {
  const newest = verificationsOf(db, session._id).findLast((each) => each.method === method)
  if (!newest) throw refuse.bad('No code was sent yet.', { code: 'noCode' })
  if (newest.verifiedAt !== null) return { isVerified: true, triesLeft: TRIES - newest.tries }
  if (newest.expiresAt <= now || newest.tries >= TRIES)
    throw refuse.bad('This code is not valid any more. Please ask for a new one.', { code: 'codeEnded' })
  const isVerified = !newest.isSilent && isSameCode(entered, verificationCode(services.seal, newest._id))
  const tries = newest.tries + (isVerified ? 0 : 1)
  changeVerification(db, newest._id, isVerified ? { verifiedAt: now } : { tries })
  addEvent(db, session._id, now, isVerified ? 'verified' : 'wrongCode', { method })
  return { isVerified, triesLeft: TRIES - tries }
}

/** The newest verified address of each method. A later code for another address does not undo it. */
export function verifiedIn(db: Db, session: Id): Partial<Record<Method, VerificationRow>> {
  const verified = verificationsOf(db, session).filter(({ verifiedAt }) => verifiedAt !== null)
  return Object.fromEntries(verified.map((each) => [each.method, each]))
}
