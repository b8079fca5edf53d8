/** Whom the link to a file was offered to, as the link names them. */

import type { Id } from '#kernel/id'
import type { Caller } from './caller'

/** Somebody who is not staff reads what is their own. */
const OWN = 'own'
const STAFF = /^([0-9a-f]{24})(?:\.([0-9a-f]{24}))?$/

/** The account, with the API key after a full stop if one was used; or that it is not staff. */
export const readerOf = (caller: Caller): string =>
  caller.kind !== 'staff' ? OWN : 'apiKey' in caller.via ? `${caller.user._id}.${caller.via.apiKey}` : caller.user._id

/** The account and key that a link names; `own` if it was offered to somebody who is not staff, undefined if it names nobody. */
export function readerIn(text: string | undefined): { user: Id; apiToken: Id | null } | typeof OWN | undefined {
  if (text === OWN) return OWN
  const [, user, apiToken] = STAFF.exec(text ?? '') ?? []
  return user === undefined ? undefined : { user, apiToken: apiToken ?? null }
}
