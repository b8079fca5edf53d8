import { messages } from '#db/tables/index'
import { channels, statuses } from '#outbox/status'
import { Attachment } from '#storage/attachments'
import * as t from '#wire/schema'

const ANY_LENGTH = Number.MAX_SAFE_INTEGER

/** The kinds of messages in a thread (docs/messages.md, "Threads"). */
const messageTypes = messages.type.enumValues
export type MessageType = (typeof messageTypes)[number]

const Delivery = t.shape('MessageDelivery', {
  channel: t.oneOf(...channels),
  status: t.withDescription('What became of it, as in the communication log.', t.oneOf(...statuses)),
  detail: t.maybe(t.personal(t.orNull(t.text(0, ANY_LENGTH)))),
  sentAt: t.orNull(t.instant()),
})

const fields = {
  _id: t.id(),
  createdAt: t.instant(),
  type: t.withDescription(
    'message: a person wrote it. welcome: the first of every thread. notification: sent to many at once. onSubmit and scheduledNotification: caused by a submission. reminder and notice: about a form that is open. appointment: about an event or meeting.',
    t.oneOf(...messageTypes, 'welcome'),
  ),
  title: t.orNull(t.text(0, ANY_LENGTH)),
  message: t.text(0, ANY_LENGTH),
  attachments: t.list(Attachment, 20),
  fileUrls: t.withDescription('The URLs of the attachments, which work for an hour.', t.list(t.text(0, 5000), 20)),
  readAt: t.withDescription(
    'When the other side first read it: the participant, or anybody in the team.',
    t.orNull(t.instant()),
  ),
  isRead: t.withDescription('Whether the caller has read it, or wrote it.', t.flag()),
}

/** A message as staff see it. */
export const ThreadMessage = t.shape('ThreadMessage', {
  ...fields,
  sender: t.shape('MessageSender', {
    type: t.oneOf('user', 'participant', 'system'),
    _id: t.orNull(t.id()),
    name: t.withDescription('Of the account that wrote it.', t.orNull(t.oneLine(0, 200))),
  }),
  deliveries: t.withDescription('What became of it on each channel by which it was sent.', t.list(Delivery)),
})

/** A message as the participant sees it. */
export const OwnMessage = t.shape('OwnMessage', {
  ...fields,
  sender: t.shape('OwnMessageSender', {
    type: t.oneOf('team', 'participant', 'system'),
    name: t.withDescription('Of the member of the team who wrote it.', t.orNull(t.oneLine(0, 200))),
  }),
})

const unreadCount = t.withDescription('How many messages of others the caller has not read.', t.whole(0))

/** The most messages of a page. */
export const PAGE = 500

export const ThreadQuery = t.shape({
  before: t.maybe(t.withDescription('Only messages before this one: the earlier page.', t.id())),
  limit: t.maybe(t.withDescription(`The most messages of a list; the default is ${PAGE}.`, t.whole(1, PAGE))),
})

const earlierField = (of: string) =>
  t.withDescription(`Whether there are earlier ${of}: read on with the first of these as \`before\`.`, t.flag())

/** What the writer of a message needs to know. Personal information is left out, because viewing a participant is logged as an act of its own. */
const ThreadParticipant = t.shape('ThreadParticipant', {
  _id: t.id(),
  id: t.oneLine(1, 50),
  isArchived: t.flag(),
  isWithdrawn: t.flag(),
  pushAvailable: t.flag(),
  emailAvailable: t.flag(),
  smsAvailable: t.flag(),
  whatsappAvailable: t.flag(),
  hasUnreadMessages: t.flag(),
  unreadCount: t.withDescription('How many messages of the participant nobody in the team has read', t.whole(0)),
})

export const Thread = t.shape('MessageThread', {
  participant: ThreadParticipant,
  messages: t.withDescription('What the participant and the team wrote, oldest first.', t.list(ThreadMessage, PAGE)),
  automaticMessages: t.withDescription(
    'What the participant was sent besides, oldest first. The caller sees what answers caused only if they may see these answers.',
    t.list(ThreadMessage, PAGE + 1),
  ),
  earlierMessages: earlierField('messages'),
  earlierAutomaticMessages: earlierField('automatic messages, which come after the welcome message'),
  unreadCount,
})

export const OwnThread = t.shape('OwnMessages', {
  messages: t.withDescription('Oldest first, after the welcome message.', t.list(OwnMessage, PAGE + 1)),
  earlierMessages: earlierField('messages, which come after the welcome message'),
  unreadCount,
})

/** What has been read. */
export const ReadPosition = t.shape('MessageReading', {
  upTo: t.maybe(t.withDescription('The last message that was shown; without it, the newest.', t.id())),
})

export const UnreadCount = t.shape('UnreadMessages', { unreadCount })

const attachments = () =>
  t.maybe(
    t.withDescription(
      'Stored names of finished uploads with forType=participant for this participant.',
      t.list(t.text(1, 200), 20),
    ),
  )

export const NewTeamMessage = t.shape('NewTeamMessage', {
  message: t.text(1, 500),
  sendVia: t.maybe(
    t.withDescription(
      'The channels by which it is sent besides. The participant finds it in the app in any case.',
      t.list(t.oneOf(...channels), 4),
    ),
  ),
  attachments: attachments(),
})

export const NewOwnMessage = t.shape('NewOwnMessage', {
  message: t.maybe(t.withDescription('It may be left out if there are attachments.', t.text(0, 3000))),
  attachments: attachments(),
})
