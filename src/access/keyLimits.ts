/**
 * The limits of an API key, compared with its account (docs/accounts.md, "API keys"). This is the only place that decides it: `limitedAccess`
 * when the caller is identified, `requireKeyAllows` when a request is admitted.
 */
import type { Id } from '#kernel/id'
import { Problem, refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import type { Access, Caller, KeyLimits, Membership, Staff } from './caller'

/** The limits of the key that a caller uses; undefined for a session, a participant and an anonymous caller. */
const limitsOf = (caller: Caller): KeyLimits | undefined =>
  caller.kind === 'staff' && 'apiKey' in caller.via ? caller.via.limits : undefined

/** The trials that the caller's key is limited to; null if it is not limited to any. */
export const trialsOfKey = (caller: Caller): ReadonlySet<Id> | null => limitsOf(caller)?.trials ?? null

/** Whether the caller's key may only read. */
export const isReadOnlyKey = (caller: Caller): boolean => limitsOf(caller)?.isReadOnly === true

type AccountAccess = { teams: ReadonlyMap<Id, Membership>; trials: ReadonlyMap<Id, Access> }

/** What is left of the permissions of an account under the limits of its key. One that is limited to trials reaches no teams. */
export const limitedAccess = ({ teams, trials }: AccountAccess, { trials: within }: KeyLimits): AccountAccess =>
  within === null
    ? { teams, trials }
    : { teams: new Map(), trials: new Map([...trials].filter(([trial]) => within.has(trial))) }

/** Refuses (403) a write with a key that may only read. @param isRead whether the operation changes nothing */
export function requireKeyAllows(caller: Staff, isRead: boolean): void {
  if (isRead || !isReadOnlyKey(caller)) return
  throw refuse.forbidden('keyReadOnly')
}

/**
 * The refusal with a note about the key, if its limits may be the reason. The text is the same whether the account reaches the thing or
 * not, so that a lost key reveals nothing about what it does not reach.
 */
export function withKeyLimits(refusal: Problem, caller: Caller): Problem {
  const { status, body, headers, isWrongSecret } = refusal
  const isAbout = status === 404 || (status === 403 && body.details?.needs !== undefined)
  if (!isAbout || trialsOfKey(caller) === null) return refusal
  const message = `${body.message} ${reason('keyLimitedToTrials').text}`
  const details = { ...body.details, keyLimit: 'trials' }
  return new Problem(status, { ...body, message, details }, headers, isWrongSecret)
}
