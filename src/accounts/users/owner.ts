import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { teamMembers, teams, users } from '#db/tables/index'
import { type Id, newId } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** Creates a team and its owner's account; returns their `_id`s. `passwordHash` is null if no password is set yet. */
export function insertOwner(
  db: Db,
  owner: { email: string; name: string; team: string; passwordHash: string | null; now: Instant },
): { team: Id; user: Id } {
  const { email, name, now, passwordHash } = owner
  const team = newId(now)
  const user = newId(now)
  insert(db, teams, { _id: team, createdAt: now, name: owner.team, features: {} })
  insert(db, users, { _id: user, createdAt: now, name, email, passwordHash })
  insert(db, teamMembers, { team, user, permissions: ['team.admin'] })
  return { team, user }
}
