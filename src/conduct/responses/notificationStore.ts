import type { Db } from '#db/open'
import { deleteWhere, insertNew, updateWhere } from '#db/rows'
import { dueNotifications } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** What a response calls for later, by the component of its stage that says so. */
export type NotificationRow = Omit<typeof dueNotifications.$inferSelect, 'sentAt'>

/** Plans a notification, unless it waits or went out already. */
export const insertNotification = (db: Db, { response, component, dueAt, title, body }: NotificationRow) =>
  insertNew(db, dueNotifications, { response, component, dueAt, title, body })

/** Takes a notification back, unless it went out already: that stays known, so that it is not sent again. */
export const takeBackNotification = (db: Db, response: Id, component: string) =>
  deleteWhere(db, dueNotifications, { response, component, sentAt: null })

/** Notes that a notification went out. */
export const noteNotificationSent = (db: Db, { response, component }: NotificationRow, sentAt: Instant) =>
  updateWhere(db, dueNotifications, { response, component }, { sentAt })

/** What is due, the longest due first, at most so many, with whom it is for. What was detached from somebody waits for nothing. */
export const dueNotificationsAt = (db: Db, now: Instant, limit: number) =>
  db.$client
    .query<NotificationRow & { participant: Id }, [{ now: Instant; limit: number }]>(
      `SELECT n.response, component, dueAt, title, body, participant FROM dueNotifications n
       JOIN responses r ON r._id = n.response
       WHERE sentAt IS NULL AND dueAt <= $now ORDER BY dueAt, n.response, component LIMIT $limit`,
    )
    .all({ now, limit })
