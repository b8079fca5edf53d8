import type { Id } from '#kernel/id'
import { canonical } from '#kernel/json'
import { refuse } from '#kernel/problem'
import { DAY, type Instant } from '#kernel/time'
import type { SecondRequestRow } from './store'

/** How long a request can be confirmed. */
export const OPEN_FOR = 7 * DAY

/** What the audit entry of an act says that a second person confirmed. */
export type SecondOf = { askedBy: Id }

/** What audit entries say of a request. */
export const eventOf = ({ _id, act, subject, reason, body }: SecondRequestRow) => ({
  request: _id,
  act,
  subject,
  reason,
  ...(Object.keys(body).length ? { asked: body } : {}),
})

/** Whether it can still be confirmed. */
export const isOpen = ({ status, expiresAt }: SecondRequestRow, now: Instant): boolean =>
  status === 'open' && expiresAt > now

/** Refuses (400) a confirmation by whoever asked, with whatever session or key. */
export function requireOther({ askedBy }: SecondRequestRow, user: Id): void {
  if (askedBy === user) throw refuse.bad('Another person must confirm what you asked for.')
}

/** Refuses (409) what was asked for when its subject was in another state. */
export function requireSameState({ _id, state }: SecondRequestRow, now: Record<string, unknown>): void {
  if (canonical(state) === canonical(now)) return
  throw refuse.conflict('What this is about has changed since it was asked for. Refuse the request, and ask again.', {
    request: _id,
  })
}
