/** Sends the reminders of events and meetings, each at most once (docs/appointments.md, "Messages"). */
import { recordDerivedTime } from '#conduct/timeline/derivedValues'
import { zoneOf } from '#conduct/timeline/progress'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { trialById } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Instant } from '#kernel/time'
import { notifyParticipant, notifyPersonnel } from './notify'
import { dueReminders } from './rules'
import { type AppointmentRow, appointmentsToRemind, isReminderSent, recordReminder, saveReminderDue } from './store'

type ReminderContext = Pick<Services, 'db' | 'seal' | 'publicUrl'>

/**
 * Writes the due reminders of at most `limit` appointments to the outbox; the same transaction records each as sent. Returns
 * the number of appointments.
 */
export function sendAppointmentReminders(context: ReminderContext, now: Instant, limit: number): number {
  const rows = appointmentsToRemind(context.db, now, limit)
  if (rows.length) recordDerivedTime(context.db, now)
  for (const row of rows) saveReminderDue(context.db, row._id, sendDueReminders(context, row, now))
  return rows.length
}

/** Sends what is due of one appointment. Returns when to look again; null for never. */
function sendDueReminders(context: ReminderContext, appointment: AppointmentRow, now: Instant): Instant | null {
  const { db } = context
  const { _id, startsAt, scheduledAt } = appointment
  const participant = rowById(db, participants, appointment.participant)!
  const trial = trialById(db, appointment.trial)!
  const sent = { appointment: _id, startsAt }
  const { due, nextAt } = dueReminders({
    now,
    startsAt,
    scheduledAt,
    zones: { participant: zoneOf(participant, trial), personnel: zoneOf({ timezone: null }, trial) },
    isSent: (reminder) => isReminderSent(db, { ...sent, ...reminder }),
  })
  for (const reminder of due) {
    recordReminder(db, { ...sent, ...reminder }, now)
    const notify = reminder.audience === 'participant' ? notifyParticipant : notifyPersonnel
    notify(context, { trial, participant, appointment }, 'reminder', now)
  }
  return nextAt
}
