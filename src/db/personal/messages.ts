/** Messages, notes, and what is planned with a participant. */
import { APPOINTMENTS, OF_PARTICIPANT, type PersonalTables } from './personalTable'

/** The parameter with what stands in place of a text that may not be empty. */
const ERASED = '$erased'

export const messages: PersonalTables = {
  messages: {
    rows: OF_PARTICIPANT,
    kept: ['_id', 'createdAt', 'participant', 'number', 'isAutomatic', 'type', 'user', 'reveals'],
    erased: { title: 'NULL', message: `''`, attachments: `'[]'` },
  },
  messageReads: { rows: OF_PARTICIPANT, kept: ['participant', 'reader', 'upTo', 'readAt'] },
  notificationQueue: { rows: OF_PARTICIPANT, kept: ['job', 'participant'], deleted: true },
  notes: {
    rows: OF_PARTICIPANT,
    kept: ['_id', 'createdAt', 'createdBy', 'updatedAt', 'trial', 'participant', 'inRelationToDate'],
    erased: { note: ERASED },
  },
  foodDiaryEntries: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'createdByType', 'updatedAt', 'trial', 'participant', 'date', 'meal'],
      ...['foodId', 'food', 'portionSize', 'quantity', 'loggedAt'],
    ],
    // It is free text, which may contain personal information.
    erased: { portionDescription: 'NULL' },
  },
  insightTexts: {
    rows: OF_PARTICIPANT,
    kept: ['_id', 'createdAt', 'createdBy', 'trial', 'participant', 'model', 'reveals'],
    erased: { text: ERASED },
  },
  appointments: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'updatedAt', 'trial', 'participant', 'isMeeting', 'startsAt', 'duration'],
      ...['personnel', 'scheduledAt', 'sequence', 'cancelledAt', 'remindersDueAt'],
    ],
    erased: { title: ERASED, description: 'NULL' },
    notReported: ['remindersDueAt'],
  },
  sentAppointmentReminders: {
    rows: `appointment IN ${APPOINTMENTS}`,
    kept: ['appointment', 'startsAt', 'occasion', 'audience', 'sentAt'],
  },
  calendarLinks: {
    rows: OF_PARTICIPANT,
    kept: ['hash', 'createdAt', 'trial', 'participant', 'user'],
    deleted: true,
    notReported: ['hash'],
  },
  scheduleRuns: {
    rows: OF_PARTICIPANT,
    kept: ['participant', 'stage', 'first', 'last', 'zone', 'origin', 'firstAt'],
  },
}
