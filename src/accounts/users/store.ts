import { and, asc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Staff } from '#access/caller'
import { withDefaultFeatures } from '#access/features'
import { trialsOfKey } from '#access/keyLimits'
import type { Db } from '#db/open'
import { deleteWhere, insert, rowById, rowsWhere, rowWhere, updateById, updateWhere } from '#db/rows'
import {
  apiKeys,
  permissions,
  recoveryCodes,
  roles,
  sessions,
  setupTokens,
  teamMembers,
  teams,
  userRoles,
  users,
} from '#db/tables/index'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import type { Instant } from '#kernel/time'

export type UserRow = typeof users.$inferSelect
/** An API key. `isReadOnly` is stored for those of which it is true only. */
export type ApiKeyRow = Omit<typeof apiKeys.$inferSelect, 'isReadOnly'> & { isReadOnly: boolean }

/** The account with this e-mail address, upper or lower case; undefined if there is none. */
export const userByEmail = (db: Db, email: string): UserRow | undefined => rowWhere(db, users, { email })

/** The caller's own account. */
export const ownAccount = (db: Db, { user }: Staff): UserRow => found(rowById(db, users, user._id), 'account')

export const insertUser = (db: Db, user: typeof users.$inferInsert): UserRow => insert(db, users, user)

export const hasUsers = ({ $client }: Db): boolean => $client.query('SELECT 1 FROM users LIMIT 1').get() !== null

export const allUsers = (db: Db): UserRow[] => db.select().from(users).orderBy(asc(users._id)).all()

/** Whether a trial was not deleted. */
const notDeleted = (trial: typeof permissions.trial | typeof roles.trial) =>
  sql`NOT EXISTS (SELECT 1 FROM trials g WHERE g._id = ${trial} AND g.deletedAt IS NOT NULL)`

/** A person's direct permissions, by the `_id` of the trial, site or group. */
function permissionsOf(db: Db, user: Id): Record<Id, string[]> {
  const rows = db
    .select({ scope: permissions.scope, keys: permissions.keys })
    .from(permissions)
    .where(and(eq(permissions.user, user), notDeleted(permissions.trial)))
    .orderBy(asc(permissions.scope))
    .all()
  return Object.fromEntries(rows.map(({ scope, keys }) => [scope, keys]))
}

/** The roles of a person. */
const rolesOfUser = (db: Db, user: Id) =>
  db
    .select({ _id: roles._id, trial: roles.trial, name: roles.name, permissions: roles.permissions })
    .from(userRoles)
    .innerJoin(roles, eq(roles._id, userRoles.role))
    .where(and(eq(userRoles.user, user), notDeleted(roles.trial)))
    .orderBy(asc(roles._id))
    .all()

/** The teams of a person, without those in which they are disabled. */
export const teamsOfUser = (db: Db, user: Id) =>
  db
    .select({ _id: teams._id, name: teams.name, permissions: teamMembers.permissions, features: teams.features })
    .from(teamMembers)
    .innerJoin(teams, eq(teams._id, teamMembers.team))
    .where(and(eq(teamMembers.user, user), eq(teamMembers.isDisabled, false)))
    .orderBy(asc(teams._id))
    .all()

/** An account as `GET /users/me` returns it. */
export function userResponse(db: Db, { _id, name, email, language, isDisabled, createdAt, lastSeenAt }: UserRow) {
  return {
    _id,
    name,
    email,
    language,
    isDisabled,
    createdAt,
    lastSeenAt,
    teams: teamsOfUser(db, _id).map((team) => ({ ...team, features: withDefaultFeatures(team.features) })),
    permissions: permissionsOf(db, _id),
    roles: rolesOfUser(db, _id),
  }
}

/**
 * The account as the caller's key knows it: one that is limited to trials gets the permissions on these only, and no others of the person.
 */
export function limitedToKey(caller: Staff, user: ReturnType<typeof userResponse>): ReturnType<typeof userResponse> {
  if (trialsOfKey(caller) === null) return user
  const places = new Set([...caller.trials].flatMap(([trial, { places }]) => [trial, ...places.keys()]))
  return {
    ...user,
    teams: [],
    permissions: Object.fromEntries(Object.entries(user.permissions).filter(([scope]) => places.has(scope))),
    roles: user.roles.filter(({ trial }) => caller.trials.has(trial)),
  }
}

/** The names of trials, by name. */
export const trialNames = (db: Db, ids: readonly Id[]): { _id: Id; name: string; code: string }[] =>
  db.$client
    .query<{ _id: Id; name: string; code: string }, [{ ids: string }]>(
      'SELECT _id, name, code FROM trials WHERE _id IN (SELECT value FROM json_each($ids)) ORDER BY name COLLATE NOCASE, _id',
    )
    .all({ ids: JSON.stringify(ids) })

/** The API keys of a person, oldest first. */
export const apiKeysOf = (db: Db, user: Id): ApiKeyRow[] =>
  rowsWhere(db, apiKeys, { user }, '_id').map((row) => ({ ...row, isReadOnly: row.isReadOnly === true }))

/** An API key of the person; undefined if they have none with this `_id`. */
export const apiKeyOf = (db: Db, user: Id, key: Id): typeof apiKeys.$inferSelect | undefined =>
  db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys._id, key), eq(apiKeys.user, user)))
    .get()

/** Ends all sessions of a person. @param except the `_id` of a session that does not end */
export const endSessions = (db: Db, user: Id, except?: Id) =>
  db
    .delete(sessions)
    .where(and(eq(sessions.user, user), except === undefined ? undefined : ne(sessions._id, except)))
    .run()

/** Ends every way to sign in for a person who may no longer do so: all sessions, and the links to choose a password. */
export function endSignIns(db: Db, user: Id, now: Instant): void {
  endSessions(db, user)
  endSetupTokens(db, user, now)
}

/** Stores the time step of a code that is being used. Returns false if this or a later one has been used meanwhile. */
export const markStepUsed = (db: Db, user: Id, step: number): boolean =>
  db
    .update(users)
    .set({ totpUsedStep: step })
    .where(and(eq(users._id, user), or(isNull(users.totpUsedStep), sql`${users.totpUsedStep} < ${step}`)))
    .returning({ _id: users._id })
    .all().length === 1

/** The `_id` of the unused recovery code with this hash; undefined if the person has none. */
export const unusedRecoveryCode = (db: Db, user: Id, hash: string): Id | undefined =>
  rowWhere(db, recoveryCodes, { user, hash, usedAt: null })?._id

/** Marks a recovery code as used. Returns false if it has been used or replaced meanwhile. */
export const markRecoveryCodeUsed = (db: Db, _id: Id, now: Instant): boolean =>
  updateWhere(db, recoveryCodes, { _id, usedAt: null }, { usedAt: now }) === 1

export const deleteRecoveryCodes = (db: Db, user: Id): number => deleteWhere(db, recoveryCodes, { user })

/** Switches two-step sign-in off; the recovery codes end with it. */
export function removeTwoStep(db: Db, user: Id): void {
  updateById(db, users, user, { totpSecret: null, totpPending: null, totpUsedStep: null })
  deleteRecoveryCodes(db, user)
}

/** How many recovery codes a person has left. */
export const recoveryCodesLeft = (db: Db, user: Id): number =>
  rowsWhere(db, recoveryCodes, { user, usedAt: null }).length

export type SetupToken = typeof setupTokens.$inferSelect

export const insertSetupToken = (db: Db, token: typeof setupTokens.$inferInsert) => insert(db, setupTokens, token)

export const setupTokenByHash = (db: Db, hash: string): SetupToken | undefined => rowWhere(db, setupTokens, { hash })

/** How many links for a new password the account has that are neither used nor over. */
export const countValidResets = (db: Db, user: Id, now: Instant): number =>
  rowsWhere(db, setupTokens, { user, purpose: 'reset', usedAt: null }).filter(({ expiresAt }) => expiresAt > now).length

/** Ends the unused links of an account. @param user null for the links of the first account */
export const endSetupTokens = (
  db: Db,
  user: Id | null,
  now: Instant,
  purposes: SetupToken['purpose'][] = ['first', 'invitation', 'reset'],
) =>
  db
    .update(setupTokens)
    .set({ usedAt: now })
    .where(
      and(
        user === null ? isNull(setupTokens.user) : eq(setupTokens.user, user),
        isNull(setupTokens.usedAt),
        inArray(setupTokens.purpose, purposes),
      ),
    )
    .run()

/** Whether the person has chosen a password, and so uses the account themselves. */
export const hasPassword = (db: Db, user: Id): boolean => rowById(db, users, user)?.passwordHash != null

/** The mailbox of an address: `olga+second@example.org` is read by `olga@example.org`, and Gmail has one without dots for all. */
function mailboxOf(email: string): string {
  const plain = email.toLowerCase().replace(/\+[^@]*@/, '@')
  const gmail = /^(.*)@(?:gmail|googlemail)\.com$/.exec(plain)
  return gmail ? `${gmail[1]!.replaceAll('.', '')}@gmail.com` : plain
}

/** Whether an account is that of somebody who acts now, or has the same mailbox: where two people must agree, they count as one. */
export function isSamePerson(db: Db, account: Id, by: { _id: Id; email: string }): boolean {
  const other = rowById(db, users, account)
  return account === by._id || (other !== undefined && mailboxOf(other.email) === mailboxOf(by.email))
}
