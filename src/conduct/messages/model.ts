import { messages } from '#db/tables/index'
import { channels, statuses } from '#outbox/status'
import { Attachment } from '#storage/attachments'
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

const ANY_LENGTH = Number.MAX_SAFE_INTEGER

/** The kinds of messages in a thread (docs/messages.md, "Threads"). */
export const messageTypes = messages.type.enumValues
export type MessageType = (typeof messageTypes)[number]

const Delivery = shape('MessageDelivery', {
  channel: oneOf(...channels),
  status: withDescription('What became of it, as in the communication log.', oneOf(...statuses)),
  detail: maybe(personal(orNull(text(0, ANY_LENGTH)))),
  sentAt: orNull(instant()),
})

const fields = {
  _id: id(),
  createdAt: instant(),
  type: withDescription(
    'message: a person wrote it. welcome: the first of every thread. notification: sent to many at once. onSubmit and scheduledNotification: caused by a submission. reminder and notice: about a form that is open. appointment: about an event or meeting.',
    oneOf(...messageTypes, 'welcome'),
  ),
  title: orNull(text(0, ANY_LENGTH)),
  message: text(0, ANY_LENGTH),
  attachments: list(Attachment, 20),
  fileUrls: withDescription('The URLs of the attachments, which work for an hour.', list(text(0, 5000), 20)),
  readAt: withDescription(
    'When the other side first read it: the participant, or anybody in the team.',
    orNull(instant()),
  ),
  isRead: withDescription('Whether the caller has read it, or wrote it.', flag()),
}

/** A message as staff see it. */
export const ThreadMessage = shape('ThreadMessage', {
  ...fields,
  sender: shape('MessageSender', {
    type: oneOf('user', 'participant', 'system'),
    _id: orNull(id()),
    name: withDescription('Of the account that wrote it.', orNull(oneLine(0, 200))),
  }),
  deliveries: withDescription('What became of it on each channel by which it was sent.', list(Delivery)),
})

/** A message as the participant sees it. */
export const OwnMessage = shape('OwnMessage', {
  ...fields,
  sender: shape('OwnMessageSender', {
    type: oneOf('team', 'participant', 'system'),
    name: withDescription('Of the member of the team who wrote it.', orNull(oneLine(0, 200))),
  }),
})

const unreadCount = withDescription('How many messages of others the caller has not read.', whole(0))

/** The most messages of a page. */
export const PAGE = 500

export const ThreadQuery = shape({
  before: maybe(withDescription('Only messages before this one: the earlier page.', id())),
  limit: maybe(withDescription(`The most messages of a list; the default is ${PAGE}.`, whole(1, PAGE))),
})

const earlierField = (of: string) =>
  withDescription(`Whether there are earlier ${of}: read on with the first of these as \`before\`.`, flag())

/** What the writer of a message needs to know. Personal information is left out, because viewing a participant is logged as an act of its own. */
const ThreadParticipant = shape('ThreadParticipant', {
  _id: id(),
  id: oneLine(1, 50),
  isArchived: flag(),
  isWithdrawn: flag(),
  pushAvailable: flag(),
  emailAvailable: flag(),
  smsAvailable: flag(),
  whatsappAvailable: flag(),
  hasUnreadMessages: flag(),
  unreadCount: withDescription('How many messages of the participant nobody in the team has read', whole(0)),
})

export const Thread = shape('MessageThread', {
  participant: ThreadParticipant,
  messages: withDescription('What the participant and the team wrote, oldest first.', list(ThreadMessage, PAGE)),
  automaticMessages: withDescription(
    'What the participant was sent besides, oldest first. The caller sees what answers caused only if they may see these answers.',
    list(ThreadMessage, PAGE + 1),
  ),
  earlierMessages: earlierField('messages'),
  earlierAutomaticMessages: earlierField('automatic messages, which come after the welcome message'),
  unreadCount,
})

export const OwnThread = shape('OwnMessages', {
  messages: withDescription('Oldest first, after the welcome message.', list(OwnMessage, PAGE + 1)),
  earlierMessages: earlierField('messages, which come after the welcome message'),
  unreadCount,
})

/** What has been read. */
export const ReadPosition = shape('MessageReading', {
  upTo: maybe(withDescription('The last message that was shown; without it, the newest.', id())),
})

export const UnreadCount = shape('UnreadMessages', { unreadCount })

const attachments = () =>
  maybe(
    withDescription(
      'Stored names of finished uploads with forType=participant for this participant.',
      list(text(1, 200), 20),
    ),
  )

export const NewTeamMessage = shape('NewTeamMessage', {
  message: text(1, 500),
  sendVia: maybe(
    withDescription(
      'The channels by which it is sent besides. The participant finds it in the app in any case.',
      list(oneOf(...channels), 4),
    ),
  ),
  attachments: attachments(),
})

export const NewOwnMessage = shape('NewOwnMessage', {
  message: maybe(withDescription('It may be left out if there are attachments.', text(0, 3000))),
  attachments: attachments(),
})
