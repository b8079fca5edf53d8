/** Notes about participants, their events and meetings, and what calendars need. */
import { bool, integer, json, key, moment, oneOf, primaryKey, table, text } from './columns'

export const notes = table('notes', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  participant: text().notNull(),
  note: text().notNull(),
  /** A day, `YYYY-MM-DD`. */
  inRelationToDate: text(),
}))

/** Events and meetings. */
export const appointments = table('appointments', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  participant: text().notNull(),
  isMeeting: bool().notNull(),
  /** The title of an event, the name of a meeting. */
  title: text().notNull(),
  description: text(),
  startsAt: moment().notNull(),
  /** In minutes. */
  duration: integer(),
  personnel: json<string[]>().notNull(),
  /** When it was given its present time: reminders that were due before are not sent. */
  scheduledAt: moment().notNull(),
  /** The number of changes, as calendars count them. */
  sequence: integer().notNull().default(0),
  /** A cancelled one is kept, so that calendars show that it is cancelled. */
  cancelledAt: moment(),
  /** When the next reminder is due; 0: that must be found out; null: none will be. */
  remindersDueAt: moment(),
}))

/** Reminders of appointments that were put into the outbox. */
export const sentAppointmentReminders = table(
  'sentAppointmentReminders',
  () => ({
    appointment: text().notNull(),
    startsAt: moment().notNull(),
    occasion: oneOf('day', 'hour').notNull(),
    audience: oneOf('participant', 'personnel').notNull(),
    sentAt: moment().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.appointment, t.startsAt, t.occasion, t.audience] })],
)

/** Secret links to calendars: of a participant, or of a member of staff in a trial. */
export const calendarLinks = table('calendarLinks', () => ({
  hash: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  participant: text(),
  user: text(),
}))

/** When the occurrences of stages open for participants; see the migration. */
export const scheduleRuns = table(
  'scheduleRuns',
  () => ({
    participant: text().notNull(),
    stage: text().notNull(),
    first: integer().notNull(),
    last: integer().notNull(),
    zone: text().notNull(),
    origin: integer().notNull(),
    firstAt: moment().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.participant, t.stage, t.first] })],
)
