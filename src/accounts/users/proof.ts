/** Proving who one is: password and, where it is set up, the code of an authenticator. */
import { append } from '#audit/append'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import type { Asked } from '#http/operation'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { passwordFits } from './passwords'
import { type UserRow, useStep } from './store'
import { stepOf, totpOf } from './totp'

/** What was compared outside the transaction, to be accepted inside. */
export type Proof = { user: Id; passwordHash: string; step: number | null }

/** Guesses a minute, for an account and for an address, over all the places where a password is asked. */
const GUESSES = 10

/** Counts a guess before anything is compared, so that a wrong and a right one cost as much. */
export function countGuess({ services, client, now }: Asked, email: string): void {
  services.limits.count(`guess at ${client.address}`, GUESSES, now)
  services.limits.count(`guess of ${email.toLowerCase()}`, GUESSES, now)
}

/**
 * Compares password and code; undefined where either is wrong, or the account is unknown, disabled or not set up. All
 * take the same time, and each failure is an entry of the service's log. Waits: never inside a transaction.
 */
export async function prove(
  { services, db, now, client }: Asked,
  user: UserRow | undefined,
  given: { password: string; code?: string | undefined },
): Promise<Proof | undefined> {
  const fits = await passwordFits(given.password, user?.passwordHash)
  const step = user && stepGiven(services, user, given.code, now)
  if (fits && user && !user.isDisabled && step !== undefined) {
    return { user: user._id, passwordHash: user.passwordHash!, step }
  }
  const event = user ? { user: user._id } : {}
  await services.commit(() =>
    append(db, { chain: 'service', createdAt: now, type: 'identityNotProven', userType: 'system', event, ...client }),
  )
  return undefined
}

/** The step of the code, null where the account needs none; undefined where it is wrong or missing. */
function stepGiven({ seal }: Pick<Services, 'seal'>, user: UserRow, code: string | undefined, now: number) {
  if (user.totpSecret === null) return null
  if (code === undefined) return undefined
  return stepOf(code, seal.open(user.totpSecret, totpOf(user._id)), user.totpUsedStep, now)
}

/** The account, if the proof still holds in this transaction; its code is used up with it. */
export function accept({ db }: Pick<Asked, 'db'>, proof: Proof): UserRow | undefined {
  const user = rowById(db, users, proof.user)
  if (!user || user.isDisabled || user.passwordHash !== proof.passwordHash) return undefined
  if ((user.totpSecret === null) !== (proof.step === null)) return undefined
  return proof.step === null || useStep(db, user._id, proof.step) ? user : undefined
}
