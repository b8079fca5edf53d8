/** Sends the reminders and notices that are due, each at most once (docs/timelines.md, "Reminders and notices"). */
import { addAutomaticMessage, sendAutomaticMessage } from '#conduct/messages/automaticMessages'
import { ownConfiguration } from '#conduct/participants/language'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { occurrenceText } from '#design/schedule/occurrences'
import { type DueReminder, nextReminder, noticeText } from '#design/schedule/reminders'
import { notificationTitle, writerOf } from '#design/trials/notices'
import { type Trial, trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { canBeReached, messageParticipant } from '#outbox/messages'
import { authoredText } from '#texts/writer'
import { recordDerivedTime } from './derivedValues'
import { timelineInput } from './progress'
import {
  isSentTo,
  participantsToRemind,
  type ReminderParticipant,
  recordReminderSent,
  saveRemindersDue,
} from './reminderStore'

/**
 * Writes the due reminders and notices of at most `limit` participants to the outbox. The stored time only selects the
 * participants: what is sent is computed again, so that no reminder is out of date. The same transaction
 * records each message as sent. Returns the number of participants.
 */
export function sendReminders(db: Db, now: Instant, limit: number): number {
  const people = participantsToRemind(db, now, limit)
  if (people.length) recordDerivedTime(db, now)
  const trials = new Map<Id, Trial>()
  for (const person of people) {
    if (!trials.has(person.trial)) trials.set(person.trial, trialById(db, person.trial)!)
    saveRemindersDue(db, person._id, sendDueReminders(db, person, trials.get(person.trial)!, now))
  }
  return people.length
}

/** Sends what is due to one participant. Returns when to check again; null for never. */
function sendDueReminders(db: Db, person: ReminderParticipant, trial: Trial, now: Instant): Instant | null {
  if (!person.isReminded || trial.isArchived || trial.isDatabaseLocked) return null
  const { timeline } = configuration(db, trial)
  const sending = { notices: trial.behindScheduleNotices.length > 0, isSent: isSentTo(db, person._id) }
  const { due, nextAt } = nextReminder(timeline, timelineInput(db, person, trial, now), sending)
  for (const each of due) {
    recordReminderSent(db, person._id, each, now)
    if (each.occasion !== 'behind') sendHourReminder(db, person, trial, each, now)
  }
  const late = due.filter(({ occasion }) => occasion === 'behind')
  if (late.length) sendNotice(db, person, trial, late, now)
  return nextAt
}

/** The forms that a message asks for, and when it expires. */
const messageOptions = (reminders: readonly DueReminder[]) => ({
  forms: reminders.map(({ stage, stageRecurrence }) => ({ stage, stageRecurrence })),
  expiresAt: Math.max(...reminders.map(({ until }) => until)),
})

/** Sends the reminders that a stage has for this hour. */
function sendHourReminder(
  db: Db,
  person: ReminderParticipant,
  trial: Trial,
  reminder: DueReminder,
  now: Instant,
): void {
  const stage = ownConfiguration(db, trial, person).stages.get(reminder.stage)!
  const fillText = (text: string) => authoredText(occurrenceText(stage, reminder.stageRecurrence, text))
  for (const { hour, title, body, sendVia } of stage.reminders) {
    if (hour !== reminder.occasion) continue
    const text = {
      subject: fillText(title || notificationTitle(trial, person)),
      body: fillText(body),
      ...messageOptions([reminder]),
    }
    sendAutomaticMessage(db, now, person, { type: 'reminder' }, text, sendVia)
  }
}

/**
 * Sends one notice of everything that has just fallen behind schedule. Unlike a reminder, it is not stored as failed if the
 * participant cannot be reached, and is in the thread only: staff see in the list of participants who is behind.
 */
function sendNotice(
  db: Db,
  person: ReminderParticipant,
  trial: Trial,
  late: readonly DueReminder[],
  now: Instant,
): void {
  const { behindScheduleNotices: by } = trial
  const { byId } = ownConfiguration(db, trial, person).timeline
  const names = late.map(({ stage, stageRecurrence }) => byId.get(stage)!.occurrences[stageRecurrence]!.name)
  const text = {
    subject: notificationTitle(trial, person),
    body: noticeText(writerOf(trial, person.language), names),
    ...messageOptions(late),
  }
  const added = addAutomaticMessage(db, now, person._id, { type: 'notice' }, text)
  if (canBeReached(person, by)) messageParticipant(db, now, person, added, by)
}
