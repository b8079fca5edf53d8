/** Proof of a user's identity: the password and, if two-step sign-in is on, the code of an authenticator. */
import { appendEntry } from '#audit/append'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import type { RequestContext } from '#http/operation'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { passwordFits } from './passwords'
import { type UserRow, useStep } from './store'
import { timeStepOf, totpSealContext } from './totp'

/** The result of `proveIdentity`, which `acceptProof` checks inside the transaction. `step`: null without two-step sign-in. */
export type Proof = { user: Id; passwordHash: string; step: number | null }

/** Guesses allowed per minute, for an account and for a network address, over all operations that ask for a password. */
const GUESSES = 10

/** Counts a guess before it is compared, so that right and wrong ones count the same. Refuses (429) when there are too many. */
export function countGuess({ services, client, now }: RequestContext, email: string): void {
  services.limits.count(`guess at ${client.address}`, GUESSES, now)
  services.limits.count(`guess of ${email.toLowerCase()}`, GUESSES, now)
}

/**
 * Compares password and code. Returns undefined if either is wrong, or if the account is unknown, disabled or not set up.
 * All of these take the same time, and each failure adds an entry to the service's log. Never call it inside a transaction.
 */
export async function proveIdentity(
  { services, db, now, client }: RequestContext,
  user: UserRow | undefined,
  { password, code }: { password: string; code?: string | undefined },
): Promise<Proof | undefined> {
  const fits = await passwordFits(password, user?.passwordHash)
  const step = user && stepOf(services, user, code, now)
  if (fits && user && !user.isDisabled && step !== undefined) {
    return { user: user._id, passwordHash: user.passwordHash!, step }
  }
  const event = user ? { user: user._id } : {}
  await services.commit(() =>
    appendEntry(db, {
      chain: 'service',
      createdAt: now,
      type: 'identityNotProven',
      userType: 'system',
      event,
      ...client,
    }),
  )
  return undefined
}

/** The time step of the code; null if the account needs no code; undefined if the code is wrong or missing. */
function stepOf({ seal }: Pick<Services, 'seal'>, user: UserRow, code: string | undefined, now: number) {
  if (user.totpSecret === null) return null
  if (code === undefined) return undefined
  return timeStepOf(code, seal.open(user.totpSecret, totpSealContext(user._id)), user.totpUsedStep, now)
}

/** The account if the proof is still valid in this transaction, else undefined. Marks the code as used. */
export function acceptProof({ db }: Pick<RequestContext, 'db'>, proof: Proof): UserRow | undefined {
  const user = rowById(db, users, proof.user)
  if (!user || user.isDisabled || user.passwordHash !== proof.passwordHash) return undefined
  if ((user.totpSecret === null) !== (proof.step === null)) return undefined
  return proof.step === null || useStep(db, user._id, proof.step) ? user : undefined
}
