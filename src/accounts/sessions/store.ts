import { and, eq, lte } from 'drizzle-orm'
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
