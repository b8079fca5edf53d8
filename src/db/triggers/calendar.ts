import { trigger } from './builders'

/** The reminder a day before an appointment depends on the zone of the participant, or of the trial. */
export const appointmentReminders: string[] = [
  trigger(
    'participantsAppointments',
    'AFTER UPDATE OF timezone',
    'participants',
    'UPDATE appointments SET remindersDueAt = 0 WHERE participant = NEW._id AND remindersDueAt IS NOT NULL',
  ),
  trigger(
    'trialsAppointments',
    'AFTER UPDATE OF timezone',
    'trials',
    'UPDATE appointments SET remindersDueAt = 0 WHERE trial = NEW._id AND remindersDueAt IS NOT NULL',
  ),
]
