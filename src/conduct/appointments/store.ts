/** Events and meetings in the database. Cancelled ones are read by calendars only. */

import type { Db } from '#db/open'
import { isBeingDeleted } from '#db/pendingDeletions'
import { insert, rowById, rowsFrom, rowWhere, updateWhere } from '#db/rows'
import { appointments, sentAppointmentReminders } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { AppointmentReminder } from './rules'

export type AppointmentRow = typeof appointments.$inferSelect

/** The appointment of that `_id`, unless it is cancelled. */
export function appointmentById(db: Db, _id: Id): AppointmentRow | undefined {
  const row = rowById(db, appointments, _id)
  return row?.cancelledAt === null ? row : undefined
}

type Page = { isMeeting: boolean; limit: number; skip: number }

/** The events or meetings of a participant, by their start. */
export const appointmentsOf = (db: Db, participant: Id, { isMeeting, limit, skip }: Page): AppointmentRow[] =>
  rowsFrom(
    db,
    appointments,
    `WHERE participant = $participant AND isMeeting = $isMeeting AND cancelledAt IS NULL
     ORDER BY startsAt, _id LIMIT +$limit OFFSET +$skip`,
    { participant, isMeeting, limit, skip },
  )

/** From `from` until before `to`. `of`: only events, or only meetings; cancelled ones only `withCancelled`. */
type Range = { from: Instant; to: Instant; of?: 'events' | 'meetings'; withCancelled?: boolean; limit: number }

/** The appointments of a participant that start in a range, by their start. */
export const appointmentsBetween = (
  db: Db,
  participant: Id,
  { of, withCancelled = false, ...range }: Range,
): AppointmentRow[] =>
  rowsFrom(
    db,
    appointments,
    `WHERE participant = $participant AND startsAt >= $from AND startsAt < $to
       AND ($isMeeting IS NULL OR isMeeting = +$isMeeting) AND ($withCancelled OR cancelledAt IS NULL)
     ORDER BY startsAt, _id LIMIT +$limit`,
    { participant, ...range, isMeeting: of === undefined ? null : of === 'meetings', withCancelled },
  )

/** The appointments for which a reminder may be due, the longest due first. */
export const appointmentsToRemind = (db: Db, now: Instant, limit: number): AppointmentRow[] =>
  rowsFrom(
    db,
    appointments,
    `WHERE remindersDueAt IS NOT NULL AND remindersDueAt <= $now AND NOT ${isBeingDeleted('participant')}
     ORDER BY remindersDueAt LIMIT +$limit`,
    { now, limit },
  )

export const saveReminderDue = (db: Db, _id: Id, remindersDueAt: Instant | null) =>
  updateWhere(db, appointments, { _id }, { remindersDueAt })

type SentReminder = AppointmentReminder & { appointment: Id; startsAt: Instant }

export const isReminderSent = (db: Db, { appointment, startsAt, occasion, audience }: SentReminder): boolean =>
  rowWhere(db, sentAppointmentReminders, { appointment, startsAt, occasion, audience }) !== undefined

/** Records that a reminder was sent. A second time is an error, which rolls back the second message. */
export const recordReminder = (db: Db, sent: SentReminder, now: Instant) =>
  insert(db, sentAppointmentReminders, { ...sent, sentAt: now })

/** Whether a reminder of the appointment was ever sent. After that, people get a message if it moves. */
export const wasReminded = (db: Db, { _id }: AppointmentRow): boolean =>
  rowWhere(db, sentAppointmentReminders, { appointment: _id }) !== undefined

/** The names of these people, in this order. */
export const namesOf = (db: Db, people: readonly Id[]): string[] =>
  db.$client
    .query<{ name: string }, [{ people: string }]>(
      'SELECT u.name FROM json_each($people) AS person JOIN users u ON u._id = person.value ORDER BY person.key',
    )
    .all({ people: JSON.stringify(people) })
    .map(({ name }) => name)
