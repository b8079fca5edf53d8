/** What a provider of wearables can do for this server, in words that are the same for all of them. */

import { isObject, type JsonObject } from '#kernel/json'
import { type Reason, reason } from '#kernel/refusals/reason'
import type { Instant } from '#kernel/time'
import { retryAfter } from '#outbox/request'
import { type CallResult, jsonIn, type ServiceCaller } from '#outbox/serviceCalls'
import type { ProviderAccess } from '#outbox/wearableServices'
import type { NewRecord } from './records'

/** The keys to an account. `secret` is that of a token of OAuth 1.0a, which has no `refresh` and does not expire. */
export type Tokens = { access: string; refresh?: string; secret?: string; expiresAt?: Instant }

/** `detail`: why, for people, without secrets. */
export type Outcome<T> =
  | { is: 'done'; value: T }
  /** To be tried again: after `wait` seconds if the provider says so. `isShared`: the wait holds for all accounts. */
  | { is: 'later'; detail: Reason; wait?: number; isShared?: boolean }
  /** The access token is not valid any more. */
  | { is: 'expired' }
  /** The person has to sign in again. */
  | { is: 'revoked'; detail: Reason }

/** What is needed to call a provider. `origin`: where people return to after they have signed in. */
export type ProviderContext = { access: ProviderAccess; call: ServiceCaller; now: Instant; origin: string }

/** What is kept of a sign-in that was begun until it ends: `state` is compared with what the provider sends back. */
export type PendingSignIn = { state: string; verifier?: string; secret?: string; returnUrl: string }

export type SignInAnswer = { code: string; scope?: string | undefined; verifier?: string | undefined }

/** The data of an account from one moment on. @param zone of the wearer */
export type ReadRequest = { tokens: Tokens; from: Instant; earliest: Instant; zone: string }
/** `upTo`: where the next reading begins. `isMore`: there is more already. */
export type ReadResult = { records: NewRecord[]; upTo: Instant; isMore: boolean }

export type Provider = {
  /** The beginning of a sign-in: the page to open. */
  begin(context: ProviderContext): Promise<Outcome<{ url: string; pendingSignIn: PendingSignIn }>>
  /** The end of a sign-in. */
  finish(
    context: ProviderContext,
    pendingSignIn: PendingSignIn,
    signInAnswer: SignInAnswer,
  ): Promise<Outcome<{ tokens: Tokens; scope: string | null }>>
  /** New tokens in place of those that expired. Undefined: they do not expire. */
  refresh?: (context: ProviderContext, tokens: Tokens) => Promise<Outcome<Tokens>>
  read(context: ProviderContext, request: ReadRequest): Promise<Outcome<ReadResult>>
  /** Notifies the provider that the tokens are not used any more. */
  end(context: ProviderContext, tokens: Tokens): Promise<Outcome<null>>
  /** The seconds between two readings. */
  intervalSeconds: number
}

/** The page of the participant app to which a provider sends people back. */
export const returnUrl = (origin: string, service: string) => `${origin}/join/connections/${service}`

const millis = (now: Instant) => now / 1000

/** What an answer of the interface means. @param limit says for how many seconds a 429 asks to wait, if no header does */
export function outcomeOf(
  answer: CallResult,
  now: Instant,
  isShared: boolean,
  limit?: string,
): Outcome<JsonObject | unknown[]> {
  if (answer.is === 'failed') return { is: 'later', detail: reason('callFailed', { detail: answer.detail }) }
  const { status, headers, text } = answer
  const wait = retryAfter(headers, millis(now)) ?? (limit ? numberIn(headers.get(limit)) : undefined)
  if (status === 401) return { is: 'expired' }
  if (status === 429) {
    const detail = reason('providerTooMany')
    return { is: 'later', detail, ...(wait === undefined ? {} : { wait }), isShared }
  }
  if (status >= 300)
    return { is: 'later', detail: reason('providerAnswered', { status }), ...(wait === undefined ? {} : { wait }) }
  const value = jsonIn(text)
  return value === undefined ? { is: 'later', detail: reason('providerNotJson') } : { is: 'done', value }
}

const numberIn = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined

/** The objects in a list of an answer; none if it has no such list. */
export const rowsIn = (value: JsonObject | unknown[], field?: string): JsonObject[] => {
  const list = field === undefined ? value : isObject(value) ? value[field] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}
