import { desc, eq, inArray, or } from 'drizzle-orm'
import type { Db } from '#db/open'
import { outbox, teamMembers, trials } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** The newest messages, oldest first. @param team only those of its trials and members */
export function newestMessages(db: Db, limit: number, team?: Id) {
  const ofTeam =
    team === undefined
      ? undefined
      : {
          trials: db.select({ _id: trials._id }).from(trials).where(eq(trials.team, team)),
          users: db.select({ user: teamMembers.user }).from(teamMembers).where(eq(teamMembers.team, team)),
        }
  const where = ofTeam && or(inArray(outbox.trial, ofTeam.trials), inArray(outbox.user, ofTeam.users))
  return db.select().from(outbox).where(where).orderBy(desc(outbox._id)).limit(limit).all().reverse()
}

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
