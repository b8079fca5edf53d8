/**
 * The operator's actions on accounts and API keys, for the command line, also while the service runs. Each action is one
 * transaction and writes one entry to the log of each team of the account. All functions throw `Problem`s, whose messages can be printed.
 */

import { accessOf } from '#access/identify'
import { accountChains, enabledUser } from '#access/store'
import { type ApiKeyContent, apiKeyEvent, confirmSuspendedKey, insertApiKey } from '#accounts/users/apiKeys'
import { changeAccountAddress } from '#accounts/users/emailChange'
import { mailTwoStepOff } from '#accounts/users/notices'
import { insertOwner } from '#accounts/users/owner'
import { issueToken } from '#accounts/users/setup'
import {
  type ApiKeyRow,
  apiKeysOf,
  endSignIns,
  insertUser,
  removeTwoStep,
  trialNames,
  type UserRow,
  userByEmail,
} from '#accounts/users/store'
import { appendEntry } from '#audit/append'
import { runInTransaction } from '#db/commit'
import type { Db } from '#db/open'
import { deleteById, updateById } from '#db/rows'
import { apiKeys, users } from '#db/tables/index'
import { type Id, newId } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { checker } from '#wire/check'
import { email, maybe, shape, text } from '#wire/schema'
import { changeKeepingAdmins } from './admins'
import { TeamPermissions } from './model'
import { insertMember, teamByName } from './store'

const checkAccount = checker(
  shape({ email: email(), name: text(1, 100), team: text(2, 100), permissions: maybe(TeamPermissions) }),
)

const checkAddress = checker(shape({ email: email() }))

/** Performs one action of the operator in one transaction, with its audit entry. */
function runAction<T>(
  db: Db,
  now: Instant,
  type: string,
  run: () => { event: Record<string, unknown> & { user: Id }; result: T },
): T {
  return runInTransaction(db, () => {
    const { event, result } = run()
    const entry = { createdAt: now, type, userType: 'system' as const, event }
    for (const chain of accountChains(db, event.user)) appendEntry(db, { chain, ...entry })
    return result
  })
}

function accountOf(db: Db, email: string): UserRow {
  const account = userByEmail(db, email)
  if (!account) throw refuse.bad('accountUnknown', { email })
  return account
}

/** Refuses (400) an account that is disabled itself, or in every team to which it belongs. */
function requireEnabled(db: Db, user: Id): void {
  if (enabledUser(db, user)) return
  throw refuse.bad('accountOrMembershipDisabled')
}

/**
 * Creates an account in a team. If there is no team of that name, also creates the team, and the account owns it.
 * Returns the token of the account's set-up link, which is valid for 72 hours. Refuses invalid fields (422) and an e-mail
 * address in use (400).
 */
export function addUser(
  db: Db,
  account: { email: string; name: string; team: string; permissions?: string[] },
  now: Instant,
): { user: Id; token: string } {
  return runAction(db, now, 'createUser', () => {
    const { problems } = checkAccount(account)
    if (problems) throw refuse.invalid(problems)
    const { email, name } = account
    if (userByEmail(db, email)) throw refuse.taken('e-mail address', email)
    const team = teamByName(db, account.team)
    const user = team ? newId(now) : insertOwner(db, { email, name, team: account.team, passwordHash: null, now }).user
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

/**
 * Returns the token of a link to set a new password, which is valid for an hour. Refuses an unknown (404) or disabled (400)
 * account.
 * @param removeTotp also switches two-step sign-in off, for a person who lost the authenticator
 */
export function resetLink(db: Db, email: string, now: Instant, { removeTotp = false } = {}): string {
  return runAction(db, now, 'resetUser', () => {
    const user = accountOf(db, email)
    const { _id } = user
    requireEnabled(db, _id)
    if (removeTotp && user.totpSecret !== null) mailTwoStepOff(db, user, now)
    if (removeTotp) removeTwoStep(db, _id)
    return { event: { user: _id, removeTotp }, result: issueToken(db, 'reset', _id, now) }
  })
}

/**
 * Gives an account another e-mail address, for a server without e-mail or a person who lost theirs. Its sessions and links end, and the
 * earlier address gets an e-mail. Refuses an unknown account (404), an invalid address (422) and one in use (400).
 */
export function changeAddress(db: Db, { email, to }: { email: string; to: string }, now: Instant): void {
  runAction(db, now, 'changeEmail', () => {
    const user = accountOf(db, email)
    const { problems } = checkAddress({ email: to })
    if (problems) throw refuse.invalid(problems)
    if (userByEmail(db, to)) throw refuse.taken('e-mail address', to)
    changeAccountAddress(db, user, to, now)
    return { event: { user: user._id, email: { before: user.email, after: to } }, result: undefined }
  })
}

/**
 * Disables an account: its sessions and links end, and its API keys are refused. Refuses an unknown account (404) and the
 * last admin of a team or trial (400).
 */
export function disableUser(db: Db, email: string, now: Instant): void {
  runAction(db, now, 'disableUser', () => {
    const { _id } = accountOf(db, email)
    changeKeepingAdmins(db, _id, () => updateById(db, users, _id, { isDisabled: true }))
    endSignIns(db, _id, now)
    return { event: { user: _id }, result: undefined }
  })
}

/**
 * Enables an account again; its API keys work as before. Refuses an unknown account (404), and one that only its teams have
 * disabled (400).
 */
export function enableUser(db: Db, email: string, now: Instant): void {
  runAction(db, now, 'enableUser', () => {
    const { _id, isDisabled } = accountOf(db, email)
    if (!isDisabled && !enabledUser(db, _id)) {
      throw refuse.bad('disabledByTeams')
    }
    updateById(db, users, _id, { isDisabled: false })
    return { event: { user: _id }, result: undefined }
  })
}

/**
 * Creates an API key for an account, and returns the key, which cannot be read again. Refuses an unknown account (404), and
 * a disabled account or an `expiresAt` in the past (400).
 */
export function createKeyFor(
  db: Db,
  {
    email,
    expiresAt = null,
    trials: named,
    ...key
  }: Omit<ApiKeyContent, 'user' | 'trials'> & { email: string; trials?: string[] },
  now: Instant,
): { key: string; row: ApiKeyRow } {
  return runAction(db, now, 'createApiKey', () => {
    const { _id } = accountOf(db, email)
    requireEnabled(db, _id)
    if (expiresAt !== null && expiresAt <= now) throw refuse.bad('keyExpired')
    const apiKey = insertApiKey(db, {
      ...key,
      user: _id,
      now,
      expiresAt,
      trials: named ? findTrials(db, _id, named) : null,
    })
    return { event: { user: _id, ...apiKeyEvent(apiKey.row) }, result: apiKey }
  })
}

/** The `_id`s of trials of a person, by their codes or `_id`s. Refuses (400) one that they do not reach. */
function findTrials(db: Db, user: Id, names: readonly string[]): Id[] {
  const own = trialNames(db, [...accessOf(db, user).trials.keys()])
  return names.map((name) => {
    const trial = own.find(({ _id, code }) => _id === name || code === name.toLowerCase())
    if (!trial) throw refuse.bad('trialNotReached', { trial: name })
    return trial._id
  })
}

/** The API keys of an account, as rows that do not contain the keys themselves. Refuses an unknown account (404). */
export const keysFor = (db: Db, email: string): ApiKeyRow[] => apiKeysOf(db, accountOf(db, email)._id)

/** The account, and the `_id`, prefix or name of one of its keys. */
type KeySelector = { email: string; key: string }

function findApiKey(db: Db, { email, key }: KeySelector): ApiKeyRow {
  const matches = keysFor(db, email).filter(({ _id, prefix, name }) => [_id, prefix, name].includes(key))
  if (matches.length > 1) throw refuse.bad('severalKeysMatch', { key })
  return found(matches[0], 'API key')
}

/**
 * Deletes the API key that has this `_id`, prefix or name. Refuses if the account has no such key (404) or several (400).
 */
export function revokeKey(db: Db, selector: KeySelector, now: Instant): void {
  runAction(db, now, 'deleteApiKey', () => {
    const { _id, user, name, prefix } = findApiKey(db, selector)
    deleteById(db, apiKeys, _id)
    return { event: { user, apiKey: _id, name, prefix }, result: undefined }
  })
}

/** Lets a key work again that a restored backup brought back. Refuses as `revokeKey`, and (400) a key that works. */
export function confirmKeyFor(db: Db, selector: KeySelector, now: Instant): void {
  runAction(db, now, 'confirmApiKey', () => {
    const row = findApiKey(db, selector)
    if (row.suspendedAt === null) throw refuse.bad('keyWorksAlready')
    confirmSuspendedKey(db, row._id)
    return { event: { user: row.user, ...apiKeyEvent(row), suspendedAt: row.suspendedAt }, result: undefined }
  })
}
