import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Db } from '#db/open'
import { deleteWhere, insert } from '#db/rows'
import { grants } from '#db/tables/index'
import { type Id, sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type GrantRow = typeof grants.$inferSelect

/** The grant that still signs the participant in; undefined where there is none. */
export const currentGrant = (db: Db, participant: Id, now: Instant): GrantRow | undefined =>
  db
    .select()
    .from(grants)
    .where(and(eq(grants.participant, participant), isNull(grants.usedAt), gt(grants.expiresAt, now)))
    .orderBy(desc(grants.createdAt))
    .get()

/** Keeps a new grant in the place of any before it. Its secret is kept, sealed: staff can look it up while it is valid. */
export function insertGrant(db: Db, grant: typeof grants.$inferInsert): void {
  deleteWhere(db, grants, { participant: grant.participant })
  insert(db, grants, grant)
}

/** Takes a grant out of use and answers whose it is; undefined where it is unknown, expired or used. */
export function useGrant(db: Db, secret: string, now: Instant): Id | undefined {
  const grant = db
    .delete(grants)
    .where(and(eq(grants.hash, sha256(secret)), isNull(grants.usedAt), gt(grants.expiresAt, now)))
    .returning()
    .get()
  return grant?.participant
}
