/** Sends the notifications that submissions caused, when they are due. */
import { sendAutomaticMessage } from '#conduct/messages/automaticMessages'
import { isMessagingStopped } from '#conduct/participants/consentStateStore'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { notificationTitle } from '#design/trials/notices'
import { trialById } from '#design/trials/store'
import type { Instant } from '#kernel/time'
import { insertExpired } from '#outbox/messages'
import { MESSAGE_LIFETIME } from '#outbox/status'
import { authoredText } from '#texts/writer'
import { cancelNotification, dueNotificationsAt, markNotificationSent } from './notificationStore'

/**
 * Writes at most `limit` due notifications to the outbox. Each is sent once, as the same transaction records it as sent.
 * Participants who were archived, have withdrawn or withdrew their consent get nothing. A notification that is too late is stored as expired, so that
 * staff see it. Returns how many were due.
 */
export function sendDueNotifications(db: Db, now: Instant, limit: number): number {
  const due = dueNotificationsAt(db, now, limit)
  for (const notification of due) {
    const { participant: _id, response, component, dueAt, title, body, reveals } = notification
    const participant = rowById(db, participants, _id)!
    const trial = trialById(db, participant.trial)!
    const hasLeft = participant.isArchived || participant.isWithdrawn || isMessagingStopped(db, participant)
    if (hasLeft || trial.isArchived) {
      cancelNotification(db, response, component)
      continue
    }
    markNotificationSent(db, notification, now)
    const subject = title === null ? notificationTitle(trial, participant) : authoredText(title)
    const text = { subject, body: authoredText(body), expiresAt: dueAt + MESSAGE_LIFETIME }
    const about = { type: 'scheduledNotification', reveals } as const
    if (dueAt > now - MESSAGE_LIFETIME) sendAutomaticMessage(db, now, participant, about, text)
    else insertExpired(db, now, participant, text, 'It was due more than a day before the service came to it.')
  }
  return due.length
}
