/** Proof of a user's identity: the password and, if two-step sign-in is on, the code of an authenticator or a recovery code. */
import { staffAccount } from '#access/attempts'
import type { Staff } from '#access/caller'
import { accountChains, enabledUser } from '#access/store'
import { appendEntry } from '#audit/append'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import type { Client, RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { passwordMatches } from './passwords'
import { recoveryDigits, recoveryHash } from './recoveryCodes'
import { markRecoveryCodeUsed, markStepUsed, ownAccount, type UserRow, unusedRecoveryCode } from './store'
import { timeStepOf, totpSealContext } from './totp'

/** The second step of a sign-in: the time step of an authenticator's code, or a recovery code. */
type SecondStep = { step: number } | { recoveryCode: Id }

/** The result of `proveIdentity`, which `acceptProof` checks inside the transaction. `secondStep`: null without two-step sign-in. */
export type Proof = { user: Id; passwordHash: string; secondStep: SecondStep | null }

/** What the audit entry of an act says of its proof. */
export const proofEvent = ({ secondStep }: Proof): { recoveryCode?: true } =>
  secondStep !== null && 'recoveryCode' in secondStep ? { recoveryCode: true } : {}

/** How the refusal calls what was wrong: the password is the current one where a new one is set. */
type WrongProof = 'wrongProof' | 'wrongCurrentProof'

/** The `attempts` of an operation that asks signed-in staff for their own password. */
export const ownAttempts = ({ caller }: Pick<RequestContext<Staff>, 'caller'>): string =>
  staffAccount(caller.user.email)

/**
 * Compares password and code. Returns undefined if either is wrong, or if the account is unknown, disabled or not set up.
 * All of these take the same time. Each failure adds an entry to the logs of the account's teams; if there is no such account, to
 * the service's log. Never call it inside a transaction.
 */
export async function proveIdentity(
  { services, db, now, client }: RequestContext,
  user: UserRow | undefined,
  { email, password, code }: { email?: string; password: string; code?: string | undefined },
): Promise<Proof | undefined> {
  const passwordFits = await passwordMatches(password, user?.passwordHash)
  const secondStep = user && secondStepOf({ db, services, now }, user, code)
  if (passwordFits && user && enabledUser(db, user._id) && secondStep !== undefined) {
    return { user: user._id, passwordHash: user.passwordHash!, secondStep }
  }
  await services.commit(() => recordFailure(db, { user, email }, now, client))
  return undefined
}

/** An address that is no account's is written to the service's log only, which no team can read. */
function recordFailure(
  db: Db,
  { user, email }: { user: UserRow | undefined; email: string | undefined },
  now: Instant,
  client: Client,
): void {
  const event = user ? { user: user._id } : { email: email ?? null }
  const entry = { createdAt: now, type: 'identityNotProven', userType: 'system' as const, event, ...client }
  for (const chain of user ? accountChains(db, user._id) : ['service']) appendEntry(db, { chain, ...entry })
}

/**
 * Proves the identity of the caller, who is signed in. Never call it inside a transaction.
 * @throws 400 with this code if the password or code is wrong
 */
export async function requireOwnIdentity(
  context: RequestContext<Staff>,
  credentials: { password: string; code?: string | undefined },
  wrong: WrongProof = 'wrongProof',
): Promise<Proof> {
  const { db, caller } = context
  const proof = await proveIdentity(context, ownAccount(db, caller), credentials)
  if (!proof) throw refuse.wrongProof(wrong)
  return proof
}

/** What the code is; null if the account needs no code; undefined if the code is wrong or missing. */
function secondStepOf(
  { db, services: { seal }, now }: Pick<RequestContext, 'db' | 'services' | 'now'>,
  user: UserRow,
  code: string | undefined,
): SecondStep | null | undefined {
  if (user.totpSecret === null) return null
  if (code === undefined) return undefined
  const digits = recoveryDigits(code)
  if (digits !== undefined) {
    const hashes = seal.keys.map((key) => recoveryHash(key, user._id, digits))
    const [recoveryCode] = hashes.flatMap((hash) => unusedRecoveryCode(db, user._id, hash) ?? [])
    return recoveryCode === undefined ? undefined : { recoveryCode }
  }
  const step = timeStepOf(code, seal.open(user.totpSecret, totpSealContext(user._id)), user.totpUsedStep, now)
  return step === undefined ? undefined : { step }
}

type ProofContext = Pick<RequestContext, 'db' | 'now'>

/** The account if the proof is still valid in this transaction. Marks the code as used. @throws 400 with this code if not */
export function requireProof(context: ProofContext, proof: Proof, wrong: WrongProof = 'wrongProof'): UserRow {
  const user = acceptProof(context, proof)
  if (!user) throw refuse.wrongProof(wrong)
  return user
}

/** The account if the proof is still valid in this transaction, else undefined. Marks the code as used. */
export function acceptProof(
  { db, now }: ProofContext,
  { user: _id, passwordHash, secondStep }: Proof,
): UserRow | undefined {
  const user = rowById(db, users, _id)
  if (!user || !enabledUser(db, user._id) || user.passwordHash !== passwordHash) return undefined
  if ((user.totpSecret === null) !== (secondStep === null)) return undefined
  if (secondStep === null) return user
  const isFirstUse =
    'step' in secondStep
      ? markStepUsed(db, user._id, secondStep.step)
      : markRecoveryCodeUsed(db, secondStep.recoveryCode, now)
  return isFirstUse ? user : undefined
}
