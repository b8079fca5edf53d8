/** Proof of a user's identity: the password and, if two-step sign-in is on, the code of an authenticator. */
import { staffAccount } from '#access/attempts'
import type { Staff } from '#access/caller'
import { enabledUser } from '#access/store'
import { appendEntry } from '#audit/append'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import type { RequestContext } from '#http/operation'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { passwordMatches } from './passwords'
import { ownAccount, type UserRow, useStep } from './store'
import { timeStepOf, totpSealContext } from './totp'

/** The result of `proveIdentity`, which `acceptProof` checks inside the transaction. `step`: null without two-step sign-in. */
export type Proof = { user: Id; passwordHash: string; step: number | null }

/** The message for a caller who is signed in. */
export const WRONG = 'The password or code is not right.'

/** The `attempts` of an operation that asks signed-in staff for their own password. */
export const ownAttempts = ({ caller }: Pick<RequestContext<Staff>, 'caller'>): string =>
  staffAccount(caller.user.email)

/**
 * Compares password and code. Returns undefined if either is wrong, or if the account is unknown, disabled or not set up.
 * All of these take the same time, and each failure adds an entry to the service's log. Never call it inside a transaction.
 */
export async function proveIdentity(
  { services, db, now, client }: RequestContext,
  user: UserRow | undefined,
  { password, code }: { password: string; code?: string | undefined },
): Promise<Proof | undefined> {
  const fits = await passwordMatches(password, user?.passwordHash)
  const step = user && stepOf(services, user, code, now)
  if (fits && user && enabledUser(db, user._id) && step !== undefined) {
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

/**
 * Proves the identity of the caller, who is signed in. Never call it inside a transaction.
 * @throws 400 with this message if the password or code is wrong
 */
export async function requireOwnIdentity(
  context: RequestContext<Staff>,
  credentials: { password: string; code?: string | undefined },
  message = WRONG,
): Promise<Proof> {
  const { db, caller } = context
  const proof = await proveIdentity(context, ownAccount(db, caller), credentials)
  if (!proof) throw refuse.wrongProof(message)
  return proof
}

/** The time step of the code; null if the account needs no code; undefined if the code is wrong or missing. */
function stepOf({ seal }: Pick<Services, 'seal'>, user: UserRow, code: string | undefined, now: number) {
  if (user.totpSecret === null) return null
  if (code === undefined) return undefined
  return timeStepOf(code, seal.open(user.totpSecret, totpSealContext(user._id)), user.totpUsedStep, now)
}

/** The account if the proof is still valid in this transaction. Marks the code as used. @throws 400 with this message if not */
export function requireProof(context: Pick<RequestContext, 'db'>, proof: Proof, message = WRONG): UserRow {
  const user = acceptProof(context, proof)
  if (!user) throw refuse.wrongProof(message)
  return user
}

/** The account if the proof is still valid in this transaction, else undefined. Marks the code as used. */
export function acceptProof({ db }: Pick<RequestContext, 'db'>, proof: Proof): UserRow | undefined {
  const user = rowById(db, users, proof.user)
  if (!user || !enabledUser(db, user._id) || user.passwordHash !== proof.passwordHash) return undefined
  if ((user.totpSecret === null) !== (proof.step === null)) return undefined
  return proof.step === null || useStep(db, user._id, proof.step) ? user : undefined
}
