import { and, count, desc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '#db/open'
import { insert, updateWhere } from '#db/rows'
import { sessions } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type SessionRow = typeof sessions.$inferSelect

/** Inserts a session, and deletes the expired sessions of the same person. */
export function insertSession(db: Db, session: typeof sessions.$inferInsert): SessionRow {
  db.delete(sessions)
    .where(and(eq(sessions.user, session.user), lte(sessions.expiresAt, session.createdAt)))
    .run()
  return insert(db, sessions, session)
}

export const confirmSession = (db: Db, session: Id, now: Instant) =>
  updateWhere(db, sessions, { _id: session }, { confirmedAt: now })

const openCondition = (user: Id, now: Instant) => and(eq(sessions.user, user), gt(sessions.expiresAt, now))

/** The session of a person; undefined if they have none with this `_id`, or if it has ended. */
export const openSession = (db: Db, user: Id, _id: Id, now: Instant): SessionRow | undefined =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions._id, _id), openCondition(user, now)))
    .get()

/** The sessions of a person that have not ended: the current one, then those that were used last, and how many there are. */
export function openSessions(db: Db, user: Id, current: Id, now: Instant) {
  const rows = db
    .select()
    .from(sessions)
    .where(openCondition(user, now))
    .orderBy(desc(sql`${sessions._id} = ${current}`), desc(sessions.lastSeenAt), desc(sessions._id))
    .limit(100)
    .all()
  const counted = db.select({ count: count() }).from(sessions).where(openCondition(user, now)).get()
  return { sessions: rows.map((row) => ({ ...row, isCurrent: row._id === current })), count: counted?.count ?? 0 }
}
