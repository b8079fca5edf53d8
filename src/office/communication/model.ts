import { channels, statuses } from '#outbox/status'
import {
  flag,
  id,
  instant,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  personal,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

const any = Number.MAX_SAFE_INTEGER

const status = () =>
  withDescription(
    'notSent: it is not sent yet, or its channel has no sender. unknown: it may have arrived or not, and is not sent again. handedOver: staff gave it to the participant themselves.',
    oneOf(...statuses),
  )

/** A message to a participant (docs/messages.md, "The communication log"). */
export const Message = shape('SentMessage', {
  _id: id(),
  createdAt: instant(),
  participant: id(),
  participantId: withDescription('The participant ID that the study gave', oneLine(0, 200)),
  channel: oneOf(...channels),
  recipient: maybe(
    personal(
      withDescription(
        'The address or number; for push notifications the push service of the device.',
        orNull(text(0, any)),
      ),
    ),
  ),
  subject: maybe(personal(orNull(text(0, any)))),
  body: maybe(personal(text(0, any))),
  status: status(),
  detail: maybe(
    personal(withDescription('The reason for the status, or the note of the staff.', orNull(text(0, any)))),
  ),
  attempts: withDescription('How often the server tried to send it.', whole(0)),
  sentAt: orNull(instant()),
})

export const Messages = shape('SentMessages', { messages: list(Message), page: whole(1), nextPageAvailable: flag() })

export const MessageQuery = shape({
  page: maybe(whole(1, 1_000_000_000)),
  status: maybe(status()),
  channel: maybe(oneOf(...channels)),
})

/** The change of a message that staff gave to the participant themselves. */
export const HandOver = shape('HandOver', {
  status: oneOf('handedOver'),
  note: maybe(withDescription('How the message was given; it becomes the `detail` of the message.', text(1, 500))),
})
