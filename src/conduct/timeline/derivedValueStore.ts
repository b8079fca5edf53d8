/** Values that follow from the time, of all trials at once. */
import type { Db } from '#db/open'
import type { Instant } from '#kernel/time'

const run = (db: Db, sql: string, values: Record<string, Instant> = {}): void =>
  void db.$client.query<unknown, [Record<string, Instant>]>(sql).run(values)

/** Marks the timelines of every trial that has participants for recalculation. */
export const markAllOutdated = (db: Db): void =>
  run(db, 'UPDATE trials SET progressRevision = -1 WHERE participantCount > 0')

/** Lets recalculations that are under way begin again. */
export const endAllRecalculations = (db: Db): void => run(db, 'DELETE FROM timelineSweeps')

/** Deletes the notes that reminders were sent after this moment, and insights that were computed then. */
export function deleteFutureRecords(db: Db, after: Instant): void {
  run(db, 'DELETE FROM sentReminders WHERE sentAt > $after', { after })
  run(db, 'DELETE FROM sentAppointmentReminders WHERE sentAt > $after', { after })
  run(db, 'DELETE FROM trialInsights WHERE computedAt > $after', { after })
}

/** Has the reminders of all appointments to come looked at again. */
export const recheckAppointments = (db: Db, now: Instant): void =>
  run(db, 'UPDATE appointments SET remindersDueAt = $now WHERE startsAt > $now AND cancelledAt IS NULL', { now })

/** Has messages whose next try is later than any try can be tried at once. */
export const retryMessages = (db: Db, now: Instant): void =>
  run(db, 'UPDATE outbox SET dueAt = $now WHERE dueAt > $now + 86400000000', { now })

/** Has the openings and overdue forms of everybody written anew, also where they seem to be right. */
export function resetSchedules(db: Db): void {
  run(db, 'DELETE FROM overdueForms')
  run(db, 'UPDATE participants SET scheduleDigest = -1')
}
