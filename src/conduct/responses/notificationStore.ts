import type { Db } from '#db/open'
import { decodeRow, deleteWhere, insertNew, updateWhere } from '#db/rows'
import { dueNotifications } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** A notification that a response causes later. `component` is the id of the stage component that defines it. */
type NotificationRow = Omit<typeof dueNotifications.$inferSelect, 'sentAt'>

/** Adds a notification, unless it is queued or was sent already. */
export const insertNotification = (db: Db, { response, component, dueAt, title, body, reveals }: NotificationRow) =>
  insertNew(db, dueNotifications, { response, component, dueAt, title, body, reveals })

/** Deletes a notification that was not sent yet. The row of a sent one stays, so that it is not sent again. */
export const cancelNotification = (db: Db, response: Id, component: string) =>
  deleteWhere(db, dueNotifications, { response, component, sentAt: null })

/** Records that a notification was sent. */
export const markNotificationSent = (db: Db, { response, component }: NotificationRow, sentAt: Instant) =>
  updateWhere(db, dueNotifications, { response, component }, { sentAt })

/** At most `limit` due notifications with their participants, the longest due first; none of responses without a participant. */
export const dueNotificationsAt = (db: Db, now: Instant, limit: number) =>
  db.$client
    .query<NotificationRow & { participant: Id }, [{ now: Instant; limit: number }]>(
      `SELECT n.response, component, dueAt, title, body, reveals, participant FROM dueNotifications n
       JOIN responses r ON r._id = n.response
       WHERE sentAt IS NULL AND dueAt <= $now ORDER BY dueAt, n.response, component LIMIT +$limit`,
    )
    .all({ now, limit })
    .map((row): NotificationRow & { participant: Id } => ({
      ...decodeRow(dueNotifications, row),
      participant: row.participant,
    }))
