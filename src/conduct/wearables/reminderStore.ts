import type { Db } from '#db/open'
import { insertNew, rowsFrom, rowWhere, updateWhere, upsert } from '#db/rows'
import { wearableReminderCursors, wearableReminders } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Service } from './store'

export type ReminderRow = typeof wearableReminders.$inferSelect

/** The trials that remind participants to connect an account of the service. */
export const remindingTrials = (db: Db, service: Service): Id[] =>
  db.$client
    .query<{ _id: Id }, [{ flag: string }]>('SELECT _id FROM trials WHERE settings ->> $flag AND isArchived = 0')
    .all({ flag: `${service}ConnectionReminders` })
    .map(({ _id }) => _id)

/** The participants of a trial who have no row yet, in the order of their registration. */
export function participantsWithoutReminder(db: Db, trial: Id, service: Service, limit: number): Id[] {
  const after = rowWhere(db, wearableReminderCursors, { trial, service })?.after ?? ''
  return db.$client
    .query<{ _id: Id }, [{ trial: Id; after: string; limit: number }]>(
      'SELECT _id FROM participants WHERE trial = +$trial AND _id > $after ORDER BY _id LIMIT +$limit',
    )
    .all({ trial, after, limit })
    .map(({ _id }) => _id)
}

export const saveReminderCursor = (db: Db, trial: Id, service: Service, after: Id): void =>
  upsert(db, wearableReminderCursors, { trial, service, after }, 'trial', 'service')

export const insertReminder = (db: Db, participant: Id, service: Service, dueAt: Instant) =>
  insertNew(db, wearableReminders, { participant, service, dueAt, sent: 0 })

/** Reminders that are due, the longest first. */
export const dueReminders = (db: Db, now: Instant, limit: number): ReminderRow[] =>
  rowsFrom(db, wearableReminders, 'WHERE dueAt IS NOT NULL AND dueAt <= $now ORDER BY dueAt LIMIT +$limit', {
    now,
    limit,
  })

export const changeReminder = (
  db: Db,
  { participant, service }: Pick<ReminderRow, 'participant' | 'service'>,
  change: Pick<ReminderRow, 'dueAt'> & { sent?: number },
) => updateWhere(db, wearableReminders, { participant, service }, change)
