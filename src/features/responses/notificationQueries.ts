import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'
import type { Instant } from '../../kernel/time'

export type NotificationRow = {
  _id: Id
  dueAt: Instant
  participant: Id
  response: Id
  title: string | null
  body: string
}

export const insertNotification = (db: Db, row: NotificationRow) =>
  db.$client
    .query('INSERT INTO dueNotifications (_id, dueAt, participant, response, title, body) VALUES (?, ?, ?, ?, ?, ?)')
    .run(row._id, row.dueAt, row.participant, row.response, row.title, row.body)

/** Takes out what is due, the longest due first, at most so many. */
export function takeDueNotifications(db: Db, now: Instant, limit: number): NotificationRow[] {
  const rows = db.$client
    .query<NotificationRow, [Instant, number]>(
      'SELECT * FROM dueNotifications WHERE dueAt <= ? ORDER BY dueAt, _id LIMIT ?',
    )
    .all(now, limit)
  const remove = db.$client.query('DELETE FROM dueNotifications WHERE _id = ?')
  for (const { _id } of rows) remove.run(_id)
  return rows
}
