/** The threads of participants, for staff who may write to them (docs/messages.md, "Threads"). */
import { armsVisibleTo } from '#access/armConcealmentStore'
import { participant } from '#conduct/participants/scope'
import { type ParticipantRow, participantView } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { notificationTitle, writerOf } from '#design/trials/notices'
import type { SharedTrial } from '#design/trials/store'
import { operation } from '#http/operation'
import type { Services } from '#http/services'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { messageByEachChannel } from '#outbox/messages'
import type { Channel } from '#outbox/status'
import { usableAttachments } from '#storage/attachments'
import { hourLinkMaker } from '#storage/links'
import { authoredText, joinTexts } from '#texts/writer'
import { NewTeamMessage, PAGE, ReadPosition, Thread, ThreadMessage, ThreadQuery, UnreadCount } from './model'
import {
  automaticMessages,
  automaticVisibleTo,
  insertMessage,
  lastRead,
  type MessageRow,
  newestNumber,
  peopleMessages,
  recordReadPosition,
  TEAM,
  unreadByUser,
} from './store'
import { attachmentsText } from './texts'
import { messageNumberOf, teamView, threadUploads, welcomeMessage } from './thread'

const PATH = '/trials/:trialId/participants/:participantId/messages'

const readThread = operation({
  id: 'listMessages',
  method: 'GET',
  path: PATH,
  summary: 'Read the messages of a participant and the team',
  description: `The last ${PAGE} messages, and the last ${PAGE} automatic ones after the welcome message, each oldest first.`,
  scope: participant,
  needs: 'trial.support',
  query: ThreadQuery,
  returns: Thread,
  run: ({ services, db, now, caller, trial, access, participant, places, query }) => {
    const { limit = PAGE } = query
    const before = messageNumberOf(db, participant._id, query.before, Number.MAX_SAFE_INTEGER)
    const reader = { _id: caller.user._id, upTo: lastRead(db, participant._id, caller.user._id) }
    const page = { participant: participant._id, before, limit: limit + 1 }
    const people = peopleMessages(db, page)
    const automatic = automaticMessages(db, page, automaticVisibleTo(access, configuration(db, trial)))
    const view = (rows: typeof people) => teamView(db, rows.slice(-limit), reader, hourLinkMaker(services, now))
    return {
      participant: participantView(db, participant, places, armsVisibleTo(access)),
      messages: view(people),
      automaticMessages: [...(query.before ? [] : [welcomeMessage(participant, trial)]), ...view(automatic)],
      earlierMessages: people.length > limit,
      earlierAutomaticMessages: automatic.length > limit,
      unreadCount: unreadByUser(db, participant._id, caller.user._id),
    }
  },
})

const markRead = operation({
  id: 'markMessagesRead',
  method: 'PUT',
  path: PATH,
  summary: 'Mark the messages of a participant as read',
  description: 'For the caller and for the team. With `upTo`, what the participant has written meanwhile stays unread.',
  scope: participant,
  needs: 'trial.support',
  logs: 'readMessages',
  body: ReadPosition,
  returns: UnreadCount,
  run: ({ db, now, caller, participant: { _id }, body, record }) => {
    const upTo = messageNumberOf(db, _id, body.upTo, newestNumber(db, _id))
    recordReadPosition(db, _id, [caller.user._id, TEAM], upTo, now)
    record({ event: { upTo } })
    return { unreadCount: unreadByUser(db, _id, caller.user._id) }
  },
})

type SendContext = { services: Services; db: Db; now: Instant; trial: SharedTrial; participant: ParticipantRow }

/** Sends a message of the team by channels. Attachments stay in the app: the message says where. */
function sendByChannels(
  { services, db, now, trial, participant }: SendContext,
  message: MessageRow,
  by: readonly Channel[],
): void {
  const { _id, attachments } = message
  const where = () =>
    attachmentsText(writerOf(trial, participant.language), attachments.length, `${services.publicUrl}/join`)
  const written = authoredText(message.message)
  const body = attachments.length ? joinTexts(written, authoredText('\n\n'), where()) : written
  const text = { subject: notificationTitle(trial, participant), body, message: _id }
  messageByEachChannel(db, now, participant, text, by)
}

const sendMessage = operation({
  id: 'sendMessage',
  method: 'POST',
  path: PATH,
  summary: 'Write to a participant',
  description: 'The participant finds it in the app at once, and it cannot be recalled.',
  scope: participant,
  needs: 'trial.support',
  logs: 'sendMessage',
  body: NewTeamMessage,
  returns: ThreadMessage,
  run: (context) => {
    const { services, db, now, id, caller, participant, body, record } = context
    if (participant.isArchived) throw refuse.bad('archivedGetsNoMessages')
    const { message, sendVia = [] } = body
    const attachments = usableAttachments(db, threadUploads(participant._id), body.attachments)
    const author = { _id: id(), participant: participant._id, user: caller.user._id }
    const row = insertMessage(db, now, { ...author, type: 'message', message, attachments })
    sendByChannels(context, row, sendVia)
    record({ event: { message: row._id, sendVia, attachments: attachments.length } })
    const reader = { _id: caller.user._id, upTo: row.number }
    return teamView(db, [{ ...row, readAt: null }], reader, hourLinkMaker(services, now))[0]!
  },
})

export const messageOperations = [readThread, markRead, sendMessage] as const
