/** Sends the reminders of events and meetings, each at most once (docs/appointments.md, "Messages"). */
import { noteDerived } from '#conduct/timeline/derived'
import { zoneOf } from '#conduct/timeline/progress'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { trialById } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Instant } from '#kernel/time'
import { tellParticipant, tellPersonnel } from './notify'
import { dueReminders } from './rules'
import { type AppointmentRow, appointmentsToRemind, isReminderSent, recordReminder, saveAppointmentDue } from './store'

type Sending = Pick<Services, 'db' | 'seal' | 'publicUrl'>

/**
 * Writes the due reminders of at most `limit` appointments to the outbox; the same transaction records each as sent. Returns
 * the number of appointments.
 */
export function sendAppointmentReminders(sending: Sending, now: Instant, limit: number): number {
  const rows = appointmentsToRemind(sending.db, now, limit)
  if (rows.length) noteDerived(sending.db, now)
  for (const row of rows) saveAppointmentDue(sending.db, row._id, remind(sending, row, now))
  return rows.length
}

/** Sends what is due of one appointment. Returns when to look again; null for never. */
function remind(sending: Sending, appointment: AppointmentRow, now: Instant): Instant | null {
  const { db } = sending
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
    const tell = reminder.audience === 'participant' ? tellParticipant : tellPersonnel
    tell(sending, { trial, participant, appointment }, 'reminder', now)
  }
  return nextAt
}
