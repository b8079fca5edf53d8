/** The reader to whom a link to a file was given, as the link names them. */

import type { Id } from '#kernel/id'
import type { Caller } from './caller'

/** A reader who is not staff reads their own files. */
const OWN = 'own'
const STAFF = /^([0-9a-f]{24})(?:\.([0-9a-f]{24}))?$/

/** The account, with the API key after a full stop if one was used; or that it is not staff. */
export const readerOf = (caller: Caller): string =>
  caller.kind !== 'staff' ? OWN : 'apiKey' in caller.via ? `${caller.user._id}.${caller.via.apiKey}` : caller.user._id

/** The account and key that a link names; `own` for a reader who is not staff; undefined if the link names no reader. */
export function readerIn(text: string | undefined): { user: Id; apiToken: Id | null } | typeof OWN | undefined {
  if (text === OWN) return OWN
  const [, user, apiToken] = STAFF.exec(text ?? '') ?? []
  return user === undefined ? undefined : { user, apiToken: apiToken ?? null }
}
