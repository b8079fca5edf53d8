/** Sends notifications to many participants, a page in each transaction: each participant gets them exactly once. */
import { appendEntry } from '#audit/append'
import { insertMessage } from '#conduct/messages/store'
import { isMessagingStopped } from '#conduct/participants/consentStateStore'
import type { ParticipantRow } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { notificationTitle } from '#design/trials/notices'
import { type SharedTrial, trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { messageParticipant } from '#outbox/messages'
import type { Channel } from '#outbox/status'
import { authoredText } from '#texts/writer'
import { dequeue, nextJob, nextRecipients, saveJob } from './store'

/** `user`: the account that sends it. */
export type Notification = { user: Id; message: string; sendVia: readonly Channel[] }

/**
 * Adds the notification to the threads of these participants of the trial, and puts it into the outbox.
 * @param record writes an audit entry about a participant. An entry about many participants would reveal them to readers who may see only some of them
 */
export function notify(
  db: Db,
  now: Instant,
  trial: SharedTrial,
  people: readonly ParticipantRow[],
  { user, message, sendVia }: Notification,
  record: (participant: Id, event: { message: Id }) => void,
): void {
  const body = authoredText(message)
  for (const person of people) {
    const subject = notificationTitle(trial, person)
    const content = { type: 'notification' as const, user, title: subject, message }
    const { _id } = insertMessage(db, now, { participant: person._id, ...content })
    if (sendVia.length) messageParticipant(db, now, person, { subject, body, message: _id }, sendVia)
    record(person._id, { message: _id })
  }
}

const numberText = (number: number) => number.toLocaleString('en-GB')

/**
 * Notifies the next participants of the job that has waited longest. Those who were archived, have withdrawn or withdrew their consent since
 * are left out. Returns whether more may be left.
 */
export function sendNextNotifications(db: Db, now: Instant, limit: number): boolean {
  const job = nextJob(db)
  if (!job) return false
  const { input, user } = job
  const people = nextRecipients(db, job._id, limit)
  const active = people.filter((each) => !each.isArchived && !each.isWithdrawn && !isMessagingStopped(db, each))
  if (active.length) {
    const trial = trialById(db, job.trial!)!
    const act = { chain: trial._id, createdAt: now, type: 'notifyParticipant', userType: 'system' as const }
    notify(db, now, trial, active, { ...input, user }, (participant, event) =>
      appendEntry(db, { ...act, participant, event: { ...event, jobId: job._id, user } }),
    )
  }
  dequeue(
    db,
    job._id,
    people.map(({ _id }) => _id),
  )
  const sent = input.sent + active.length
  const isDone = people.length < limit
  const progress = isDone ? 'Done.' : `${numberText(sent)} of ${numberText(input.count)} participants notified.`
  saveJob(db, job, { input: { ...input, sent }, progress, ...(isDone && { result: { sent } }) }, now)
  return true
}
