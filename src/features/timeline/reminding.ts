/** Sends the reminders that are due, each at most once (decisions 11). */
import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'
import type { Instant } from '../../kernel/time'
import { messageParticipant } from '../../outbox/post'
import { configuration } from '../stages/configuration'
import { notificationTitle } from '../trials/notices'
import { type Trial, trialById } from '../trials/queries'
import { timelineInput } from './progress'
import { noteSent, type Reminded, remindedParticipants, saveRemindersDue, sentReminders } from './reminderQueries'
import { nextReminder } from './reminders'

/**
 * Puts the reminders of those for whom some are due into the outbox, of at most so many participants. What was stored only
 * says whom to look at: what is sent is worked out anew, so that nobody is reminded of what has changed meanwhile. Message
 * and note are written in the same transaction. Answers how many participants were looked at.
 */
export function sendReminders(db: Db, now: Instant, limit: number): number {
  const people = remindedParticipants(db, now, limit)
  const trials = new Map<Id, Trial>()
  for (const person of people) {
    if (!trials.has(person.trial)) trials.set(person.trial, trialById(db, person.trial)!)
    saveRemindersDue(db, person._id, remind(db, person, trials.get(person.trial)!, now))
  }
  return people.length
}

/** Sends what is due to one participant, and answers when to look again. */
function remind(db: Db, person: Reminded, trial: Trial, now: Instant): Instant | null {
  if (!person.isReminded || trial.isArchived || trial.isDatabaseLocked) return null
  const { timeline, stages } = configuration(db, trial)
  const { due, nextAt } = nextReminder(timeline, timelineInput(db, person, trial, now), sentReminders(db, person._id))
  for (const each of due) {
    noteSent(db, person._id, each, now)
    for (const { hour, title, body, sendVia } of stages.get(each.stage)!.reminders) {
      if (hour !== each.hour) continue
      messageParticipant(db, now, person, { subject: title || notificationTitle(trial), body }, sendVia)
    }
  }
  return nextAt
}
