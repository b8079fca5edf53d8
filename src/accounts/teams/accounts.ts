/**
 * Accounts and keys as whoever runs the server sees them: at its command line, beside a running service too. Each act is
 * one transaction with its entry in the service's log. Refusals are `Problem`s whose message is fit to print.
 */

import { makeKey } from '#accounts/users/keys'
import { makeOwner } from '#accounts/users/owner'
import { issueToken } from '#accounts/users/setup'
import {
  type ApiKeyRow,
  endSessions,
  endSetupTokens,
  insertUser,
  keysOf,
  type UserRow,
  userByEmail,
} from '#accounts/users/store'
import { append } from '#audit/append'
import { commitAlone } from '#db/commit'
import type { Db } from '#db/open'
import { deleteById, updateById } from '#db/rows'
import { apiKeys, users } from '#db/tables/index'
import { type Id, newId } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { checker } from '#wire/check'
import { email, maybe, shape, text } from '#wire/words'
import { keepingAdmins } from './admins'
import { TeamPermissions } from './model'
import { insertMember, teamByName } from './store'

const checkAccount = checker(
  shape({ email: email(), name: text(1, 100), team: text(2, 100), permissions: maybe(TeamPermissions) }),
)

/** One act of the operator, all of it or none. */
function act<T>(db: Db, now: Instant, type: string, run: () => { event: Record<string, unknown>; result: T }): T {
  return commitAlone(db, () => {
    const { event, result } = run()
    append(db, { chain: 'service', createdAt: now, type, userType: 'system', event })
    return result
  })
}

const accountOf = (db: Db, email: string): UserRow => found(userByEmail(db, email), `account ("${email}")`)

/**
 * Makes an account in a team, which is made too where there is none of that name (the account then owns it).
 * Answers the token of its set-up link, valid 72 hours.
 */
export function addUser(
  db: Db,
  account: { email: string; name: string; team: string; permissions?: string[] },
  now: Instant,
): { user: Id; token: string } {
  return act(db, now, 'createUser', () => {
    const { problems } = checkAccount(account)
    if (problems) throw refuse.invalid(problems)
    const { email, name } = account
    if (userByEmail(db, email)) throw refuse.taken('e-mail address', email)
    const team = teamByName(db, account.team)
    const user = team ? newId(now) : makeOwner(db, { email, name, team: account.team, passwordHash: null, now }).user
    if (team) {
      insertUser(db, { _id: user, createdAt: now, name, email })
      insertMember(db, { team: team._id, user, permissions: account.permissions ?? [] })
    }
    const token = issueToken(db, 'invitation', user, now)
    return {
      event: { user, email, team: account.team, permissions: account.permissions ?? [] },
      result: { user, token },
    }
  })
}

/** Makes a link to set a new password, valid an hour; `removeTotp` for somebody who lost the authenticator. */
export function resetLink(db: Db, email: string, now: Instant, { removeTotp = false } = {}): string {
  return act(db, now, 'resetUser', () => {
    const { _id, isDisabled } = accountOf(db, email)
    if (isDisabled) throw refuse.bad('The account is disabled. Enable it first.')
    if (removeTotp) updateById(db, users, _id, { totpSecret: null, totpPending: null, totpUsedStep: null })
    return { event: { user: _id, removeTotp }, result: issueToken(db, 'reset', _id, now) }
  })
}

/** Disables an account: its sessions and links end, its keys are refused. The last admin of anything cannot be. */
export function disableUser(db: Db, email: string, now: Instant): void {
  act(db, now, 'disableUser', () => {
    const { _id } = accountOf(db, email)
    keepingAdmins(db, _id, () => updateById(db, users, _id, { isDisabled: true }))
    endSessions(db, _id)
    endSetupTokens(db, _id, now)
    return { event: { user: _id }, result: undefined }
  })
}

/** Enables an account again; its keys work as before. */
export function enableUser(db: Db, email: string, now: Instant): void {
  act(db, now, 'enableUser', () => {
    const { _id } = accountOf(db, email)
    updateById(db, users, _id, { isDisabled: false })
    return { event: { user: _id }, result: undefined }
  })
}

/** Makes an API key for an account. The key is seen this once. */
export function createKeyFor(
  db: Db,
  { email, name, expiresAt = null }: { email: string; name: string; expiresAt?: Instant | null },
  now: Instant,
): { key: string; row: ApiKeyRow } {
  return act(db, now, 'createApiKey', () => {
    const { _id, isDisabled } = accountOf(db, email)
    if (isDisabled) throw refuse.bad('The account is disabled. Enable it first.')
    if (expiresAt !== null && expiresAt <= now) throw refuse.bad('The key would have expired already.')
    const made = makeKey(db, { user: _id, name, now, expiresAt })
    return { event: { user: _id, apiKey: made.row._id, name, prefix: made.row.prefix, expiresAt }, result: made }
  })
}

/** The keys of an account, without themselves. */
export const keysFor = (db: Db, email: string): ApiKeyRow[] => keysOf(db, accountOf(db, email)._id)

/** Deletes the key with this `_id`, prefix or name, where only one key of the account has it. */
export function revokeKey(db: Db, { email, key }: { email: string; key: string }, now: Instant): void {
  act(db, now, 'deleteApiKey', () => {
    const user = accountOf(db, email)
    const fitting = keysOf(db, user._id).filter(({ _id, prefix, name }) => [_id, prefix, name].includes(key))
    if (fitting.length > 1) throw refuse.bad(`Several keys fit ${key}. Say the _id of one.`)
    const { _id, name, prefix } = found(fitting[0], 'API key')
    deleteById(db, apiKeys, _id)
    return { event: { user: user._id, apiKey: _id, name, prefix }, result: undefined }
  })
}
