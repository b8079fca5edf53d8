import { and, eq } from 'drizzle-orm'
import type { Db } from '#db/open'
import { insert, insertNew, rowsWhere } from '#db/rows'
import { permissions, roles, userRoles } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type RoleRow = typeof roles.$inferSelect

export const rolesOf = (db: Db, trial: Id): RoleRow[] => rowsWhere(db, roles, { trial }, '_id')

export const insertRole = (db: Db, role: typeof roles.$inferInsert): RoleRow => insert(db, roles, role)

/** Gives a person a role. Does nothing if they have it already. */
export const giveRole = (db: Db, user: Id, role: Id) => insertNew(db, userRoles, { user, role })

/** Takes a role from a person. Returns whether they had it. */
export const takeRole = (db: Db, user: Id, role: Id): boolean =>
  db
    .delete(userRoles)
    .where(and(eq(userRoles.user, user), eq(userRoles.role, role)))
    .returning()
    .all().length === 1

/** Replaces a person's direct permissions on a trial, its sites and groups. @param granted by scope `_id` */
export function replacePermissions(db: Db, user: Id, trial: Id, granted: Record<Id, string[]>): void {
  db.delete(permissions)
    .where(and(eq(permissions.user, user), eq(permissions.trial, trial)))
    .run()
  for (const [scope, keys] of Object.entries(granted)) insert(db, permissions, { user, trial, scope, keys })
}
