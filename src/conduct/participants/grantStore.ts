import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Db } from '#db/open'
import { deleteWhere, insert } from '#db/rows'
import { grants } from '#db/tables/index'
import { type Id, sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'

type GrantRow = typeof grants.$inferSelect

/** The context with which the secret of a grant is encrypted. */
export const grantSealContext = (participant: Id): string => `grant ${participant}`

/** The grant with which the participant can still sign in; undefined if there is none. */
export const currentGrant = (db: Db, participant: Id, now: Instant): GrantRow | undefined =>
  db
    .select()
    .from(grants)
    .where(and(eq(grants.participant, participant), isNull(grants.usedAt), gt(grants.expiresAt, now)))
    .orderBy(desc(grants.createdAt))
    .get()

/** Saves a new grant in place of earlier ones. Its secret is stored encrypted, as staff can look it up while it is valid. */
export function insertGrant(db: Db, grant: typeof grants.$inferInsert): void {
  deleteWhere(db, grants, { participant: grant.participant })
  insert(db, grants, grant)
}

/** Deletes a grant and returns its participant; undefined if it is unknown, expired or used. */
export function useGrant(db: Db, secret: string, now: Instant): Id | undefined {
  const grant = db
    .delete(grants)
    .where(and(eq(grants.hash, sha256(secret)), isNull(grants.usedAt), gt(grants.expiresAt, now)))
    .returning()
    .get()
  return grant?.participant
}
