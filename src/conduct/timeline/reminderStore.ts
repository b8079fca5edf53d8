import type { Db } from '#db/open'
import type { Reminder } from '#design/schedule/reminders'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Recipient } from '#outbox/post'
import type { Due } from './store'

/** Makes the function that answers whether something went out to a participant. */
export const isSentTo =
  (db: Db, participant: Id) =>
  ({ stage, stageRecurrence, occasion }: Reminder): boolean =>
    db.$client
      .query('SELECT 1 FROM sentReminders WHERE participant = ? AND stage = ? AND stageRecurrence = ? AND occasion = ?')
      .get(participant, stage, stageRecurrence, `${occasion}`) !== null

/** Notes that something went out. A second time is an error, which undoes what would have gone out again. */
export const noteSent = (db: Db, participant: Id, { stage, stageRecurrence, occasion }: Reminder, now: Instant) =>
  db.$client
    .query('INSERT INTO sentReminders (participant, stage, stageRecurrence, occasion, sentAt) VALUES (?, ?, ?, ?, ?)')
    .run(participant, stage, stageRecurrence, `${occasion}`, now)

/** A participant for whom a reminder or notice may be due, with how they are reached. */
export type Reminded = Due & Recipient

/** Participants for whom a reminder or notice may be due; the longest due first. */
export const remindedParticipants = (db: Db, now: Instant, limit: number) =>
  db.$client
    .query<Reminded, [Instant, number]>(
      `SELECT _id, trial, createdAt, timezone, isArchived = 0 AND isWithdrawn = 0 AS isReminded,
         pushToken, email, phone, whatsapp
       FROM participants WHERE remindersDueAt IS NOT NULL AND remindersDueAt <= ? ORDER BY remindersDueAt LIMIT ?`,
    )
    .all(now, limit)

export const saveRemindersDue = (db: Db, participant: Id, dueAt: Instant | null) =>
  db.$client.query('UPDATE participants SET remindersDueAt = ? WHERE _id = ?').run(dueAt, participant)
