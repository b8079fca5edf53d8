/**
 * One-time links: the first account, invitations and password resets (docs/decisions.md, "Accounts"). The database holds
 * only the SHA-256 of their tokens.
 */

import { enabledUser } from '#access/store'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { type Id, newId, newSecret, sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { HOUR, type Instant } from '#kernel/time'
import { mailAccount } from '#outbox/messages'
import { writerFor } from '#texts/writer'
import {
  countValidResets,
  endSetupTokens,
  hasUsers,
  insertSetupToken,
  type SetupToken,
  setupTokenByHash,
  teamsOfUser,
  type UserRow,
} from './store'

const LIFETIMES = { first: HOUR, invitation: 72 * HOUR, reset: HOUR }

/** The URL of the page that opens a one-time token. */
export const setupUrl = (publicUrl: string, token: string): string => `${publicUrl}/app/setup/${token}`

/**
 * Creates a one-time token and returns it. A new invitation ends earlier ones.
 * @param user null for the first account
 * @param createdBy the person who invites; null if it is the operator
 */
export function issueToken(
  db: Db,
  purpose: SetupToken['purpose'],
  user: Id | null,
  now: Instant,
  createdBy: Id | null = null,
): string {
  const token = newSecret()
  if (purpose !== 'reset') endSetupTokens(db, user, now, [purpose])
  const expiresAt = now + LIFETIMES[purpose]
  insertSetupToken(db, { _id: newId(now), createdAt: now, hash: sha256(token), purpose, user, expiresAt, createdBy })
  return token
}

/** Whether there is an account: then no token for the first one is issued. */
export const hasAccount = (db: Db): boolean => hasUsers(db)

/**
 * Creates and returns the token for the first account, valid for an hour; undefined if there is an account already
 * (docs/getting-started.md, "The first account").
 */
export const issueFirstToken = (db: Db, now: Instant): string | undefined =>
  hasUsers(db) ? undefined : issueToken(db, 'first', null, now)

/**
 * The stored token and its account; `user` is undefined for the first account. Refuses (404) a token that is unknown, used
 * or expired, or whose account is disabled.
 */
export function openSetupToken(db: Db, token: string, now: Instant): { token: SetupToken; user: UserRow | undefined } {
  const row = setupTokenByHash(db, sha256(token))
  if (!row || row.usedAt !== null || row.expiresAt <= now) throw refuse.linkEnded()
  const user = row.user === null ? undefined : rowById(db, users, row.user)
  if (row.purpose === 'first' ? hasUsers(db) : !user || !enabledUser(db, user._id)) throw refuse.linkEnded()
  return { token: row, user }
}

/** The team to which an invitation leads, and who sent it, by name; both null for other links. */
export function invitationOf(
  db: Db,
  { purpose, user, createdBy }: SetupToken,
): { team: string | null; invitedBy: string | null } {
  if (purpose !== 'invitation' || user === null) return { team: null, invitedBy: null }
  const by = createdBy === null ? undefined : rowById(db, users, createdBy)
  return { team: teamsOfUser(db, user)[0]?.name ?? null, invitedBy: by?.name ?? null }
}

/** Creates an invitation link, puts the message into the outbox, and returns the link's URL. @param by who invites */
export function inviteUser(db: Db, user: UserRow, team: string, by: Id, publicUrl: string, now: Instant): string {
  const url = setupUrl(publicUrl, issueToken(db, 'invitation', user._id, now, by))
  const { write } = writerFor(user.language)
  mailAccount(db, now, user, {
    subject: write('account.invitation.subject', { team }),
    body: write('account.invitation.body', { name: user.name, team, hours: LIFETIMES.invitation / HOUR, url }),
    expiresAt: now + LIFETIMES.invitation,
    isSecret: true,
  })
  return url
}

/** Links for a new password that an account has at a time: repeated requests must not fill a person's inbox. */
const MOST_RESETS = 5

/** Creates a link to set a new password, and puts the message into the outbox. Without effect if the account has five that are valid. */
export function mailPasswordReset(db: Db, user: UserRow, publicUrl: string, now: Instant): void {
  if (countValidResets(db, user._id, now) >= MOST_RESETS) return
  const url = setupUrl(publicUrl, issueToken(db, 'reset', user._id, now))
  const { write } = writerFor(user.language)
  mailAccount(db, now, user, {
    subject: write('account.reset.subject', {}),
    body: write('account.reset.body', { name: user.name, url }),
    expiresAt: now + LIFETIMES.reset,
    isSecret: true,
  })
}
