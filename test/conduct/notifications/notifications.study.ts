/** A study with participants whom a notification can reach by different channels. */
import type { Id } from '#kernel/id'
import { newId } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { messageStudy } from '../messages/messages.study'

export async function notificationStudy() {
  const s = await messageStudy()
  const { db, owner, trial } = s
  const at = `/trials/${trial}/participants/notifications` as const
  return {
    ...s,
    at,
    notify: (body: Record<string, unknown>, by: { call: typeof owner.call } = owner, query = '') =>
      by.call('POST', at + query, { message: 'The clinic is closed.', ...body }),
    /** Inserts more participants directly: those with an even number have a telephone. Returns their `_id`s. */
    addPeople(count: number, site?: Id): Id[] {
      const createdAt = parseInstant(s.now())!
      const insert = db.$client.query(
        'INSERT INTO participants (_id, createdAt, trial, id, idSort, phone, progressDueAt) VALUES (?, ?, ?, ?, ?, ?, NULL)',
      )
      const join = db.$client.query('INSERT INTO participantSites VALUES (?, ?)')
      return db.$client.transaction(() =>
        Array.from({ length: count }, (_, n) => {
          const _id = newId(createdAt)
          insert.run(_id, createdAt, trial, `Q-${n}`, `q-${n}\u0001q-${n}`, n % 2 ? null : `+44${n}`)
          if (site) join.run(_id, site)
          return _id
        }),
      )()
    },
    /** How many notifications each participant has, by the number of participants. */
    threads: (from = db) =>
      from.$client
        .query(
          `SELECT n, count(*) FROM (SELECT (SELECT count(*) FROM messages WHERE participant = p._id AND type = 'notification') AS n
           FROM participants p) GROUP BY n ORDER BY n`,
        )
        .values(),
    /** The IDs of the participants of all notifications, in the order in which they were sent. */
    notified: () =>
      db.$client
        .query<{ id: string }, []>(
          `SELECT p.id FROM messages m JOIN participants p ON p._id = m.participant WHERE m.type = 'notification' ORDER BY m.rowid`,
        )
        .all()
        .map(({ id }) => id),
  }
}
