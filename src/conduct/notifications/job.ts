import type { BackgroundKind } from '#jobs/kind'
import { channels } from '#outbox/status'
import { list, oneOf, shape, text, type ValueOf, whole } from '#wire/schema'

const NotificationJob = shape({
  message: text(1, 100),
  sendVia: list(oneOf(...channels), 4),
  /** How many participants were chosen, and how many have been notified. */
  count: whole(1),
  sent: whole(0),
})
export type NotificationJob = ValueOf<typeof NotificationJob>

/** The job that sends a notification to many participants. */
export const notifyParticipants: BackgroundKind<NotificationJob> = {
  by: 'background',
  kind: 'notifyParticipants',
  input: NotificationJob,
}
