import { consentStopsMessages } from '#db/consentState'
import type { Db } from '#db/open'
import { isBeingDeleted } from '#db/pendingDeletions'
import { insert, rowWhere, updateWhere } from '#db/rows'
import { participants, sentReminders } from '#db/tables/index'
import type { Reminder } from '#design/schedule/reminders'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Recipient } from '#outbox/messages'
import type { DueParticipant, TimelineParticipant } from './store'

/** Makes a function that returns whether a reminder was sent to the participant. */
export const isSentTo =
  (db: Db, participant: Id) =>
  ({ stage, stageRecurrence, occasion }: Reminder): boolean =>
    rowWhere(db, sentReminders, { participant, stage, stageRecurrence, occasion: `${occasion}` }) !== undefined

/** Records that a reminder was sent. A second time is an error, which rolls back the second message. */
export const recordReminderSent = (
  db: Db,
  participant: Id,
  { stage, stageRecurrence, occasion }: Reminder,
  now: Instant,
) => insert(db, sentReminders, { participant, stage, stageRecurrence, occasion: `${occasion}`, sentAt: now })

/** A participant for whom a reminder or notice may be due, with the addresses to send it to. */
export type ReminderParticipant = TimelineParticipant & Pick<DueParticipant, 'isReminded'> & Recipient

/** At most `limit` participants for whom a reminder or notice may be due, the longest due first. */
export const participantsToRemind = (db: Db, now: Instant, limit: number) =>
  db.$client
    .query<ReminderParticipant, [{ now: Instant; limit: number }]>(
      `SELECT _id, trial, createdAt, timezone,
         isArchived = 0 AND isWithdrawn = 0 AND NOT ${consentStopsMessages('participants._id', 'participants.trial')} AS isReminded,
         pushToken, email, phone, whatsapp, language
       FROM participants WHERE remindersDueAt IS NOT NULL AND remindersDueAt <= $now AND NOT ${isBeingDeleted('participants._id')}
       ORDER BY remindersDueAt LIMIT +$limit`,
    )
    .all({ now, limit })

export const saveRemindersDue = (db: Db, participant: Id, dueAt: Instant | null) =>
  updateWhere(db, participants, { _id: participant }, { remindersDueAt: dueAt })
