/** Sign-ins of participants at a provider: the page to open, and what its answer is exchanged for. */

import { placesOf } from '#conduct/participants/memberships'
import type { ParticipantRow } from '#conduct/participants/store'
import { providerOf, titleOf } from '#conduct/wearables/providers/list'
import type {
  Outcome,
  PendingSignIn,
  ProviderContext,
  SignInAnswer,
  Tokens,
} from '#conduct/wearables/providers/provider'
import type { Db } from '#db/open'
import { settingsOf } from '#design/trials/rules'
import type { SharedTrial } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { HOUR, type Instant } from '#kernel/time'
import { isUsedFor } from './rules'
import { type Service, signInOf } from './store'

/** How long a sign-in may take. */
export const SIGN_IN_LIFETIME = HOUR

type SignInContext = { db: Db; trial: SharedTrial; participant: ParticipantRow }

/** Refuses (403) a service that the trial does not use for the participant, and anything of those who have left. */
export function requireUse({ db, trial, participant }: SignInContext, service: Service): void {
  if (participant.isWithdrawn) throw refuse.forbidden('leftNotConnected')
  if (!isUsedFor(settingsOf(trial), service, placesOf(db, participant._id).groups))
    throw refuse.forbidden('serviceNotUsed', { service: titleOf[service] })
}

/** How the provider is reached. @throws 400 if the server is not configured for it */
export function providerContextOf({ wearables, publicUrl }: Services, service: Service, now: Instant): ProviderContext {
  const found = wearables[service]
  if (!found) throw refuse.bad('serviceNotConfigured', { service: titleOf[service] })
  return { ...found, now, origin: publicUrl }
}

/** What sealed tokens, or a sealed sign-in, are about, for `seal`. */
export const accountSealContext = (participant: Id, service: string, what: 'tokens' | 'sign-in'): string =>
  `${what} of ${service} for ${participant}`

export const sealTokens = ({ seal }: Services, participant: Id, service: Service, tokens: Tokens): string =>
  seal.close(JSON.stringify(tokens), accountSealContext(participant, service, 'tokens'))
export const unsealTokens = ({ seal }: Services, participant: Id, service: Service, sealed: string): Tokens =>
  JSON.parse(seal.open(sealed, accountSealContext(participant, service, 'tokens')))
export const sealSignIn = (
  { seal }: Services,
  participant: Id,
  service: Service,
  pendingSignIn: PendingSignIn,
): string => seal.close(JSON.stringify(pendingSignIn), accountSealContext(participant, service, 'sign-in'))

/** What came of a call, for a person who waits. @throws 400 or 503 with what the provider said */
export function requireResult<T>(outcome: Outcome<T>, service: Service): T {
  if (outcome.is === 'done') return outcome.value
  const title = titleOf[service]
  if (outcome.is === 'later') throw refuse.unavailable('serviceFails', { service: title, problem: outcome.detail })
  throw refuse.bad('serviceSignInFailed', { service: title })
}

/**
 * The sign-in that was begun, if the answer of the provider is to it: of OAuth 2.0 by `state`, of OAuth 1.0a by the token that it began
 * with, which is the `code`. Without, a page that somebody else made could connect their account to the participant.
 * @throws 400 if there is none, if it has expired, or if the response of the provider does not belong to it
 */
export function requirePendingSignIn(
  { services, db, now, participant }: { services: Services; db: Db; now: Instant; participant: Id },
  service: Service,
  { code, state, verifier }: { code: string; state?: string | undefined; verifier?: string | undefined },
): PendingSignIn & { sealed: string } {
  const row = signInOf(db, participant, service)
  if (!row || row.expiresAt <= now) throw refuse.bad('noPendingSignIn', { service: titleOf[service] })
  const pendingSignIn: PendingSignIn = JSON.parse(
    services.seal.open(row.secret, accountSealContext(participant, service, 'sign-in')),
  )
  const isFirstVersion = pendingSignIn.verifier === undefined
  const returnedState = isFirstVersion ? code : state
  if (returnedState === undefined) throw refuse.bad('stateMissing')
  if (returnedState !== pendingSignIn.state || (state ?? returnedState) !== returnedState)
    throw refuse.bad('otherPendingSignIn')
  if (isFirstVersion && verifier === undefined) throw refuse.invalid({ verifier: [reason('missing')] })
  return { ...pendingSignIn, sealed: row.secret }
}

/** Exchanges in progress, so that one that is sent twice at once reaches the provider once: its code works once. */
const exchanges = new Map<string, Promise<{ tokens: Tokens; scope: string | null }>>()

/** Exchanges what the provider sent back for tokens. @throws 400 or 503 */
export function exchange(
  context: ProviderContext,
  service: Service,
  pendingSignIn: PendingSignIn & { sealed: string },
  signInAnswer: SignInAnswer,
) {
  const key = `${pendingSignIn.sealed} ${signInAnswer.code}`
  const running = exchanges.get(key)
  if (running) return running
  const result = providerOf[service]
    .finish(context, pendingSignIn, signInAnswer)
    .then((outcome) => requireResult(outcome, service))
  exchanges.set(key, result)
  result.catch(() => {}).finally(() => exchanges.delete(key))
  return result
}
