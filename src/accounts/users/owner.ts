import type { Db } from '#db/open'
import { teamMembers, teams, users } from '#db/tables/index'
import { type Id, newId } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** Makes a team and the account that owns it. @param passwordHash null where the password is still to be set */
export function makeOwner(
  db: Db,
  owner: { email: string; name: string; team: string; passwordHash: string | null; now: Instant },
): { team: Id; user: Id } {
  const { email, name, now, passwordHash } = owner
  const team = newId(now)
  const user = newId(now)
  db.insert(teams).values({ _id: team, createdAt: now, name: owner.team, features: {} }).run()
  db.insert(users).values({ _id: user, createdAt: now, name, email, passwordHash }).run()
  db.insert(teamMembers)
    .values({ team, user, permissions: ['team.admin'] })
    .run()
  return { team, user }
}
