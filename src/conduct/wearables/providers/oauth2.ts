/** OAuth 2.0 with PKCE (RFC 6749, RFC 7636) and rotating refresh tokens. */
import { newSecret } from '#kernel/id'
import { isObject, type JsonObject } from '#kernel/json'
import { reason } from '#kernel/refusals/reason'
import { type Instant, SECOND } from '#kernel/time'
import { jsonIn } from '#outbox/serviceCalls'
import {
  type Outcome,
  outcomeOf,
  type PendingSignIn,
  type ProviderContext,
  returnUrl,
  type SignInAnswer,
  type Tokens,
} from './provider'

export type OAuth2 = {
  service: string
  scope: string
  /** How the client proves who it is: in a header, or with its secret among the fields. */
  proof: 'basic' | 'fields'
}

/** The challenge of a verifier (S256). */
export const challengeOf = (verifier: string): string =>
  new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

export function beginOAuth2({ access: { client, signInUrl }, origin }: ProviderContext, { service, scope }: OAuth2) {
  const [state, verifier, back] = [newSecret(), newSecret(), returnUrl(origin, service)]
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: back,
    scope,
    state,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  })
  return { url: `${signInUrl}?${query}`, pendingSignIn: { state, verifier, returnUrl: back } satisfies PendingSignIn }
}

export const basicAuthorization = ({ client, secret }: ProviderContext['access']): string =>
  `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}`

/** The words for what is wrong: those of RFC 6749, or of Fitbit's list. */
function errorIn(text: string): string | undefined {
  const body = jsonIn(text)
  if (!isObject(body)) return undefined
  const [first]: unknown[] = Array.isArray(body.errors) ? body.errors : []
  const word = isObject(first) ? first.errorType : body.error
  return typeof word === 'string' ? word : undefined
}

async function tokenCall(
  context: ProviderContext,
  { proof }: OAuth2,
  fields: Record<string, string>,
): Promise<Outcome<JsonObject>> {
  const { access, call, now } = context
  const secret: Record<string, string> = proof === 'fields' ? { client_secret: access.secret } : {}
  const answer = await call({
    method: 'POST',
    url: `${access.tokenUrl}/token`,
    headers: proof === 'basic' ? { Authorization: basicAuthorization(access) } : {},
    form: { client_id: access.client, ...secret, ...fields },
  })
  if (answer.is === 'answered' && (answer.status === 400 || answer.status === 401)) {
    const error = errorIn(answer.text)
    if (error === 'invalid_grant') return { is: 'revoked', detail: reason('signInEnded') }
    // Such as a wrong secret of the client: that is no reason to send every participant there again.
    const isShown = error !== undefined && /^\w{1,50}$/.test(error)
    return { is: 'later', detail: isShown ? reason('tokensRefused', { error }) : reason('noTokens') }
  }
  const outcome = outcomeOf(answer, now, true)
  if (outcome.is !== 'done') return outcome
  return isObject(outcome.value)
    ? { is: 'done', value: outcome.value }
    : { is: 'later', detail: reason('tokensMissing') }
}

/** The tokens in an answer. A refresh token that is not sent anew stays as it is. */
function tokensIn(body: JsonObject, now: Instant, refresh?: string): Outcome<Tokens> {
  const { access_token: access, refresh_token: next, expires_in: seconds } = body
  if (typeof access !== 'string' || access === '') return { is: 'later', detail: reason('tokensMissing') }
  const lasting = typeof next === 'string' && next !== '' ? next : refresh
  return {
    is: 'done',
    value: {
      access,
      ...(lasting === undefined ? {} : { refresh: lasting }),
      ...(typeof seconds === 'number' && seconds > 0 ? { expiresAt: now + Math.round(seconds) * SECOND } : {}),
    },
  }
}

export async function finishOAuth2(
  context: ProviderContext,
  kind: OAuth2,
  { verifier, returnUrl: redirect_uri }: PendingSignIn,
  { code, scope }: SignInAnswer,
): Promise<Outcome<{ tokens: Tokens; scope: string | null }>> {
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    ...(verifier ? { code_verifier: verifier } : {}),
  }
  const outcome = await tokenCall(context, kind, fields)
  if (outcome.is !== 'done') return outcome
  const tokens = tokensIn(outcome.value, context.now)
  if (tokens.is !== 'done') return tokens
  const allowed = typeof outcome.value.scope === 'string' ? outcome.value.scope : (scope ?? null)
  return { is: 'done', value: { tokens: tokens.value, scope: allowed?.slice(0, 2000).toWellFormed() ?? null } }
}

export async function refreshOAuth2(
  context: ProviderContext,
  kind: OAuth2,
  { refresh }: Tokens,
): Promise<Outcome<Tokens>> {
  if (refresh === undefined) return { is: 'revoked', detail: reason('noRefresh') }
  const outcome = await tokenCall(context, kind, { grant_type: 'refresh_token', refresh_token: refresh })
  return outcome.is === 'done' ? tokensIn(outcome.value, context.now, refresh) : outcome
}
