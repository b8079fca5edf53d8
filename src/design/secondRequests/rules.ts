import { isAble } from '#access/identify'
import { isSamePerson } from '#accounts/users/store'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { canonical } from '#kernel/json'
import { refuse } from '#kernel/problem'
import { DAY, type Instant } from '#kernel/time'
import type { SecondRequestRow } from './store'

/** How long a request, also one for a purge, can be confirmed. */
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

/** Whether it lifts the lock of the database alone, which people with `lockDatabase` do. */
export const isOfDatabase = ({ act, body }: SecondRequestRow): boolean =>
  act === 'unlocking' && body.isLocked === undefined

/** Whether it can still be confirmed. */
export const isOpen = ({ status, expiresAt }: SecondRequestRow, now: Instant): boolean =>
  status === 'open' && expiresAt > now

/** Refuses (400) a confirmation by whoever asked, with whatever session or key, and with another account of the same mailbox. */
export function requireOther(db: Db, askedBy: Id, user: { _id: Id; email: string }): void {
  if (isSamePerson(db, askedBy, user))
    throw refuse.bad(
      'Another person must confirm what you asked for. If nobody else may do it, give a second person the permission first.',
    )
}

/** Refuses (409) what was asked for by somebody who is disabled, or has lost the permission: two people who may do it must want it. */
export function requireAsker(db: Db, askedBy: Id, holdsIt: Parameters<typeof isAble>[2], of: Record<string, Id>): void {
  if (isAble(db, askedBy, holdsIt)) return
  throw refuse.conflict(
    'The person who asked for this no longer has the permission for it. Somebody who has it must ask again.',
    of,
  )
}

/** Refuses (409) what was asked for when its subject was in another state. */
export function requireSameState({ _id, state }: SecondRequestRow, now: Record<string, unknown>): void {
  if (canonical(state) === canonical(now)) return
  throw refuse.conflict('What this is about has changed since it was asked for. Refuse the request, and ask again.', {
    request: _id,
  })
}
