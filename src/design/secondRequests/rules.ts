import { isUserPermitted } from '#access/identify'
import { isSamePerson } from '#accounts/users/store'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { canonicalJson } from '#kernel/json'
import { refuse } from '#kernel/problem'
import { DAY, type Instant } from '#kernel/time'
import type { SecondRequestRow } from './store'

/** How long a request, also one for a purge, can be confirmed. */
export const REQUEST_LIFETIME = 7 * DAY

/** What the audit entry of an act says that a second person confirmed. */
export type SecondPersonEvent = { askedBy: Id }

/** What audit entries say of a request. */
export const requestEvent = ({ _id, act, subject, reason, body }: SecondRequestRow) => ({
  request: _id,
  act,
  subject,
  reason,
  ...(Object.keys(body).length ? { asked: body } : {}),
})

/** Whether it lifts the lock of the database alone, which people with `lockDatabase` do. */
export const unlocksDatabase = ({ act, body }: SecondRequestRow): boolean =>
  act === 'unlocking' && body.isLocked === undefined

/** Whether it can still be confirmed. */
export const isOpenRequest = ({ status, expiresAt }: SecondRequestRow, now: Instant): boolean =>
  status === 'open' && expiresAt > now

/** Refuses (400) a confirmation by the person who asked, with any session or key, and with another account of the same mailbox. */
export function requireOtherPerson(db: Db, askedBy: Id, user: { _id: Id; email: string }): void {
  if (isSamePerson(db, askedBy, user)) throw refuse.bad('needsOtherPerson')
}

/** Refuses (409) a request whose author is disabled or has lost the permission: two people with the permission must agree. */
export function requireAskerPermitted(
  db: Db,
  askedBy: Id,
  hasPermission: Parameters<typeof isUserPermitted>[2],
  of: Record<string, Id>,
): void {
  if (isUserPermitted(db, askedBy, hasPermission)) return
  throw refuse.conflict('askerNotPermitted', undefined, of)
}

/** Refuses (409) what was asked for when its subject was in another state. */
export function requireSameState({ _id, state }: SecondRequestRow, now: Record<string, unknown>): void {
  if (canonicalJson(state) === canonicalJson(now)) return
  throw refuse.conflict('changedSinceAsked', undefined, { request: _id })
}
