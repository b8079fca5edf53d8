/**
 * One-time links: the first account, invitations and password resets (docs/decisions.md, "Accounts"). Only their
 * SHA-256 is kept.
 */

import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { type Id, newId, newSecret, sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { HOUR, type Instant } from '#kernel/time'
import { mailAccount } from '#outbox/post'
import {
  endSetupTokens,
  insertSetupToken,
  isAnybodyThere,
  type SetupToken,
  setupTokenByHash,
  type UserRow,
} from './store'

const LIFETIMES = { first: HOUR, invitation: 72 * HOUR, reset: HOUR }

/** The page behind a link. */
export const setupUrl = (publicUrl: string, token: string): string => `${publicUrl}/app/setup/${token}`

/** Makes a one-time token. A new invitation ends those before it. @param user null for the first account */
export function issueToken(db: Db, purpose: SetupToken['purpose'], user: Id | null, now: Instant): string {
  const token = newSecret()
  if (purpose !== 'reset') endSetupTokens(db, user, now, [purpose])
  const expiresAt = now + LIFETIMES[purpose]
  insertSetupToken(db, { _id: newId(now), createdAt: now, hash: sha256(token), purpose, user, expiresAt })
  return token
}

/**
 * The token for the first account, valid an hour; undefined where there is an account already (docs/getting-started.md,
 * "The first account").
 */
export const firstSetup = (db: Db, now: Instant): string | undefined =>
  isAnybodyThere(db) ? undefined : issueToken(db, 'first', null, now)

/** What a token opens, and for whom. Refuses (404) where it was used, has ended, or its account is disabled. */
export function opened(db: Db, token: string, now: Instant): { token: SetupToken; user: UserRow | undefined } {
  const row = setupTokenByHash(db, sha256(token))
  if (!row || row.usedAt !== null || row.expiresAt <= now) throw refuse.ended()
  const user = row.user === null ? undefined : rowById(db, users, row.user)
  if (row.purpose === 'first' ? isAnybodyThere(db) : !user || user.isDisabled) throw refuse.ended()
  return { token: row, user }
}

/** Makes an invitation and puts it into the outbox; answers its link. */
export function inviteUser(db: Db, user: UserRow, team: string, publicUrl: string, now: Instant): string {
  const url = setupUrl(publicUrl, issueToken(db, 'invitation', user._id, now))
  mailAccount(db, now, user, {
    subject: `Your account for ${team}`,
    body: `Dear ${user.name},\n\nyou are invited to ${team}. Choose your password here within 72 hours:\n${url}\n`,
    expiresAt: now + LIFETIMES.invitation,
    isSecret: true,
  })
  return url
}

/** Makes a link to set a new password, and puts it into the outbox. */
export function mailReset(db: Db, user: UserRow, publicUrl: string, now: Instant): void {
  const url = setupUrl(publicUrl, issueToken(db, 'reset', user._id, now))
  mailAccount(db, now, user, {
    subject: 'A new password',
    body:
      `Dear ${user.name},\n\nsomebody, probably you, asked for a new password. Choose it here within an hour:\n${url}\n\n` +
      'If it was not you, nothing needs to be done.\n',
    expiresAt: now + LIFETIMES.reset,
    isSecret: true,
  })
}
