import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** What a response calls for later, by the component of its stage that says so. */
export type NotificationRow = {
  response: Id
  component: string
  dueAt: Instant
  title: string | null
  body: string
}

/** Plans a notification, unless it waits or went out already. */
export const insertNotification = (db: Db, { response, component, dueAt, title, body }: NotificationRow) =>
  db.$client
    .query(
      `INSERT INTO dueNotifications (response, component, dueAt, title, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    )
    .run(response, component, dueAt, title, body)

/** Takes a notification back, unless it went out already: that stays known, so that it is not sent again. */
export const takeBackNotification = (db: Db, response: Id, component: string) =>
  db.$client
    .query('DELETE FROM dueNotifications WHERE response = ? AND component = ? AND sentAt IS NULL')
    .run(response, component)

/** Notes that a notification went out. */
export const noteNotificationSent = (db: Db, { response, component }: NotificationRow, at: Instant) =>
  db.$client
    .query('UPDATE dueNotifications SET sentAt = ? WHERE response = ? AND component = ?')
    .run(at, response, component)

/** What is due, the longest due first, at most so many, with whom it is for. What was detached from somebody waits for nothing. */
export const dueNotificationsAt = (db: Db, now: Instant, limit: number) =>
  db.$client
    .query<NotificationRow & { participant: Id }, [Instant, number]>(
      `SELECT n.response, component, dueAt, title, body, participant FROM dueNotifications n
       JOIN responses r ON r._id = n.response
       WHERE sentAt IS NULL AND dueAt <= ? ORDER BY dueAt, n.response, component LIMIT ?`,
    )
    .all(now, limit)
