/** Moves an account to another e-mail address (docs/accounts.md, "The e-mail address"). */
import type { Db } from '#db/open'
import { rowWhere, updateById, updateWhere, upsert } from '#db/rows'
import { emailChanges, users } from '#db/tables/index'
import type { Services } from '#http/services'
import { normalizeCode } from '#kernel/digits'
import { type Id, sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { type Hasher, sixDigits } from '#kernel/seal'
import { DAY, type Instant, MINUTE } from '#kernel/time'
import { mailAddressChanged, mailNewAddress } from './notices'
import { endSessions, endSetupTokens, type UserRow, userByEmail } from './store'

/** How long a code is good, and how often it may be entered. */
const MINUTES = 10
const TRIES = 5
/** Codes of one account in a day. */
const MOST_A_DAY = 10

type ChangeContext = { db: Db; services: Pick<Services, 'seal'>; now: Instant; id(): Id }

const codeOf = (seal: Hasher, _id: Id): string => sixDigits(seal, `new address ${_id}`)

const pendingOf = (db: Db, user: Id) => rowWhere(db, emailChanges, { user })

/** How many codes the account asked for since when, with the next one. Refuses (400) one that comes too soon, or is one too many. */
function countRequest(db: Db, user: Id, now: Instant): { firstAt: Instant; asked: number } {
  const before = pendingOf(db, user)
  if (!before || before.firstAt <= now - DAY) return { firstAt: now, asked: 1 }
  if (before.createdAt > now - MINUTE) throw refuse.bad('tooSoon')
  if (before.asked >= MOST_A_DAY) throw refuse.bad('noMoreCodesToday', undefined, { code: 'tooManyCodes' })
  return { firstAt: before.firstAt, asked: before.asked + 1 }
}

/**
 * Sends a code to an address. If another account has it, nothing is sent and no code is right, so the caller cannot find out that it is taken.
 * A code before it ends. @returns when the code ends
 */
export function requestAddress({ db, services, now, id }: ChangeContext, user: UserRow, email: string): Instant {
  const counted = countRequest(db, user._id, now)
  const isSilent = userByEmail(db, email) !== undefined
  const _id = id()
  const expiresAt = now + MINUTES * MINUTE
  const change = { user: user._id, _id, createdAt: now, email, isSilent, tries: 0, expiresAt, ...counted }
  upsert(db, emailChanges, { ...change, removeAt: now + DAY }, 'user')
  if (!isSilent) mailNewAddress(db, user, { email, code: codeOf(services.seal, _id), minutes: MINUTES }, now)
  return expiresAt
}

/**
 * Checks a code, and counts the try. A wrong one is no refusal: a refusal would undo the count. With the right one, the account moves:
 * its other sessions end, and so do the links that could set the password, as they went to the earlier address. API keys stay.
 * @throws 400 if no code is good any more
 */
export function confirmAddress({ db, services, now }: ChangeContext, user: UserRow, entered: string, session: Id) {
  const pending = pendingOf(db, user._id)
  if (!pending || pending.expiresAt <= now || pending.tries >= TRIES) throw refuse.bad('codeEnded')
  const { _id, email, isSilent } = pending
  // Hashes are compared, so that the time reveals nothing. The address may have become that of another account meanwhile.
  const isRight =
    services.seal.keys.some((key) => sha256(normalizeCode(entered)) === sha256(codeOf(key, _id))) &&
    !isSilent &&
    !userByEmail(db, email)
  if (!isRight) {
    updateWhere(db, emailChanges, { user: user._id }, { tries: pending.tries + 1 })
    return { isChanged: false, triesLeft: TRIES - pending.tries - 1 }
  }
  changeAccountAddress(db, user, email, now, session)
  updateWhere(db, emailChanges, { user: user._id }, { expiresAt: now })
  return { isChanged: true, triesLeft: TRIES - pending.tries }
}

/** Gives an account another address, and informs the earlier address. @param except a session that does not end */
export function changeAccountAddress(db: Db, user: UserRow, email: string, now: Instant, except?: Id): void {
  updateById(db, users, user._id, { email })
  endSessions(db, user._id, except)
  endSetupTokens(db, user._id, now)
  mailAddressChanged(db, user, email, now)
}
