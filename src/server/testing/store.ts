import { desc } from 'drizzle-orm'
import type { Db } from '#db/open'
import { outbox } from '#db/tables/index'
import type { Instant } from '#kernel/time'

/** The newest messages, oldest first. */
export const newestMessages = (db: Db, limit: number) =>
  db.select().from(outbox).orderBy(desc(outbox._id)).limit(limit).all().reverse()

/** When the next message is due: a reminder, a notice, a planned notification, or one to try again; null if there is none. */
export const nextMessageDue = (db: Db): Instant | null =>
  db.$client
    .query<{ at: Instant | null }, []>(
      `SELECT min(at) AS at FROM (
         SELECT min(remindersDueAt) AS at FROM participants WHERE remindersDueAt IS NOT NULL
         UNION ALL SELECT min(dueAt) FROM dueNotifications WHERE sentAt IS NULL
         UNION ALL SELECT min(dueAt) FROM outbox WHERE dueAt IS NOT NULL AND attempts > 0)`,
    )
    .get()!.at
