import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import { withDefaultFeatures } from '#access/features'
import { isTeamKey } from '#access/keys'
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { teamMembers, teams, users } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type TeamRow = typeof teams.$inferSelect

/** A team as responses show it: with every feature, on or off. */
export const teamResponse = (team: TeamRow) => ({
  ...team,
  features: withDefaultFeatures(team.features),
  deletionGraceDays: graceDaysOf(team),
})

/** For how many days a team keeps what was deleted, unless it chose otherwise. */
const GRACE_DAYS = 30

export const graceDaysOf = ({ deletionGraceDays }: Pick<TeamRow, 'deletionGraceDays'>): number =>
  deletionGraceDays ?? GRACE_DAYS

/** The SQL of whether a trial has a signature, a consent or an allocation. @param trial its `_id`, in SQL */
export const essentialCondition = (trial: string): string =>
  `(EXISTS (SELECT 1 FROM participants p JOIN signatures s ON s.participant = p._id WHERE p.trial = ${trial})
  OR EXISTS (SELECT 1 FROM consents WHERE trial = ${trial}) OR EXISTS (SELECT 1 FROM allocations WHERE trial = ${trial}))`

const PROTECTED = `SELECT 1 FROM trials t WHERE t.team = $team AND (t.isDatabaseLocked = 1 OR ${essentialCondition('t._id')}) LIMIT 1`

/** Whether the team has a trial with a signature, a consent or an allocation, or with a locked database. */
export const hasProtectedTrial = (db: Db, team: Id): boolean =>
  db.$client.query<unknown, [{ team: Id }]>(PROTECTED).get({ team }) !== null

export const teamsByIds = (db: Db, ids: Id[]): TeamRow[] =>
  db.select().from(teams).where(inArray(teams._id, ids)).orderBy(asc(teams._id)).all()

/** The oldest team of this name. */
export const teamByName = (db: Db, name: string): TeamRow | undefined =>
  db.select().from(teams).where(eq(teams.name, name)).orderBy(asc(teams._id)).get()

const members = (db: Db) =>
  db
    .select({
      _id: users._id,
      name: users.name,
      email: users.email,
      createdAt: users.createdAt,
      lastSeenAt: users.lastSeenAt,
      isAccountDisabled: users.isDisabled,
      passwordHash: users.passwordHash,
      permissions: teamMembers.permissions,
      isDisabled: teamMembers.isDisabled,
    })
    .from(teamMembers)
    .innerJoin(users, eq(users._id, teamMembers.user))

const memberRow = ({ passwordHash, ...member }: ReturnType<ReturnType<typeof members>['all']>[number]) => ({
  ...member,
  permissions: member.permissions.filter(isTeamKey),
  isSetUp: passwordHash !== null,
})

export type MemberRow = ReturnType<typeof memberRow>

export const membersOf = (db: Db, team: Id): MemberRow[] =>
  members(db).where(eq(teamMembers.team, team)).orderBy(asc(users._id)).all().map(memberRow)

/** A member of a team, disabled or not; undefined if the person is not a member. */
export function memberOf(db: Db, team: Id, user: Id): MemberRow | undefined {
  const row = members(db)
    .where(and(eq(teamMembers.team, team), eq(teamMembers.user, user)))
    .get()
  return row && memberRow(row)
}

/** Whether the person also belongs to another team. */
export const isInOtherTeam = (db: Db, team: Id, user: Id): boolean =>
  db
    .select({ team: teamMembers.team })
    .from(teamMembers)
    .where(and(eq(teamMembers.user, user), ne(teamMembers.team, team)))
    .get() !== undefined

export const insertMember = (db: Db, member: typeof teamMembers.$inferInsert) => insert(db, teamMembers, member)

/** Updates the given fields of a membership. An empty change does nothing. */
export function updateMember(
  db: Db,
  team: Id,
  user: Id,
  change: { permissions?: string[]; isDisabled?: boolean },
): void {
  if (change.permissions === undefined && change.isDisabled === undefined) return
  db.update(teamMembers)
    .set(change)
    .where(and(eq(teamMembers.team, team), eq(teamMembers.user, user)))
    .run()
}
