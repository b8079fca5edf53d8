/** Messages, notes, and what is planned with a participant. */
import { APPOINTMENTS, type HeldTables, participant } from './words'

/** The parameter with what stands in place of a text that may not be empty. */
const ERASED = '$erased'

export const messages: HeldTables = {
  messages: {
    rows: participant,
    kept: ['_id', 'createdAt', 'participant', 'number', 'isAutomatic', 'type', 'user', 'reveals'],
    erased: { title: 'NULL', message: `''`, attachments: `'[]'` },
  },
  messageReads: { rows: participant, kept: ['participant', 'reader', 'upTo', 'readAt'] },
  notificationQueue: { rows: participant, kept: ['job', 'participant'], deleted: true },
  notes: {
    rows: participant,
    kept: ['_id', 'createdAt', 'createdBy', 'updatedAt', 'trial', 'participant', 'inRelationToDate'],
    erased: { note: ERASED },
  },
  foodDiaryEntries: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'createdByType', 'updatedAt', 'trial', 'participant', 'date', 'meal'],
      ...['foodId', 'food', 'portionSize', 'quantity', 'loggedAt'],
    ],
    // Whoever writes it may write anything there.
    erased: { portionDescription: 'NULL' },
  },
  insightTexts: {
    rows: participant,
    kept: ['_id', 'createdAt', 'createdBy', 'trial', 'participant', 'model', 'reveals'],
    erased: { text: ERASED },
  },
  appointments: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'updatedAt', 'trial', 'participant', 'isMeeting', 'startsAt', 'duration'],
      ...['personnel', 'scheduledAt', 'sequence', 'cancelledAt', 'remindersDueAt'],
    ],
    erased: { title: ERASED, description: 'NULL' },
    unread: ['remindersDueAt'],
  },
  sentAppointmentReminders: {
    rows: `appointment IN ${APPOINTMENTS}`,
    kept: ['appointment', 'startsAt', 'occasion', 'audience', 'sentAt'],
  },
  calendarLinks: {
    rows: participant,
    kept: ['hash', 'createdAt', 'trial', 'participant', 'user'],
    deleted: true,
    unread: ['hash'],
  },
  scheduleRuns: {
    rows: participant,
    kept: ['participant', 'stage', 'first', 'last', 'zone', 'origin', 'firstAt'],
  },
}
