import { channels, statuses } from '#outbox/status'
import * as t from '#wire/schema'

const any = Number.MAX_SAFE_INTEGER

const status = () =>
  t.withDescription(
    'notSent: it is not sent yet, or its channel has no sender. unknown: it may have arrived or not, and is not sent again. handedOver: staff gave it to the participant themselves.',
    t.oneOf(...statuses),
  )

/** A message to a participant (docs/messages.md, "The communication log"). */
export const Message = t.shape('SentMessage', {
  _id: t.id(),
  createdAt: t.instant(),
  participant: t.id(),
  participantId: t.withDescription('The participant ID that the study gave', t.oneLine(0, 200)),
  channel: t.oneOf(...channels),
  recipient: t.maybe(
    t.personal(
      t.withDescription(
        'The address or number; for push notifications the push service of the device.',
        t.orNull(t.text(0, any)),
      ),
    ),
  ),
  subject: t.maybe(t.personal(t.orNull(t.text(0, any)))),
  body: t.maybe(t.personal(t.text(0, any))),
  status: status(),
  detail: t.maybe(
    t.personal(t.withDescription('The reason for the status, or the note of the staff.', t.orNull(t.text(0, any)))),
  ),
  attempts: t.withDescription('How often the server tried to send it.', t.whole(0)),
  sentAt: t.orNull(t.instant()),
})

export const Messages = t.shape('SentMessages', {
  messages: t.list(Message),
  page: t.whole(1),
  nextPageAvailable: t.flag(),
})

export const MessageQuery = t.shape({
  page: t.maybe(t.whole(1, 1_000_000_000)),
  status: t.maybe(status()),
  channel: t.maybe(t.oneOf(...channels)),
})

/** The change of a message that staff gave to the participant themselves. */
export const HandOver = t.shape('HandOver', {
  status: t.oneOf('handedOver'),
  note: t.maybe(
    t.withDescription('How the message was given; it becomes the `detail` of the message.', t.text(1, 500)),
  ),
})
