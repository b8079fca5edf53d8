import { ListFilter } from '#conduct/participants/model'
import { channels } from '#outbox/status'
import { flag, id, list, maybe, oneOf, orNull, shape, text, whole, withDescription } from '#wire/schema'

/** Any of the three ways to choose participants; together they add up. */
export const NewNotification = shape('NewNotification', {
  message: text(1, 100),
  participants: maybe(list(id(), 5_000)),
  groups: maybe(withDescription('All members of these groups', list(id(), 1_000))),
  filter: maybe(withDescription('The participants whom the list has with these filters; {} for all', ListFilter)),
  sendVia: maybe(withDescription('The default is push', list(oneOf(...channels), 4))),
})

export const NotificationQuery = shape({
  preview: maybe(withDescription('true: only counts who would be reached, and sends nothing', flag())),
})

const reached = () => withDescription('How many of them have an address for this channel', whole(0))

export const NotificationCounts = shape('Notified', {
  recipients: withDescription('How many get the message in the app', whole(0)),
  skipped: withDescription('How many more were chosen, but are archived or have withdrawn', whole(0)),
  reached: shape({ push: reached(), email: reached(), sms: reached(), whatsapp: reached() }),
  unreachable: withDescription(
    'How many of the recipients have no address for any of the channels of `sendVia`',
    whole(0),
  ),
  jobId: withDescription(
    'The job that notifies more than 100 participants: follow it with GET /jobs/:jobId. Else null',
    orNull(id()),
  ),
})
