/** The thread of a participant, for the participant (docs/messages.md, "Threads"). */
import { self } from '#conduct/participantSessions/scope'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { usableAttachments } from '#storage/attachments'
import { hourLinkMaker } from '#storage/links'
import { NewOwnMessage, OwnMessage, OwnThread, PAGE, ReadPosition, ThreadQuery, UnreadCount } from './model'
import { insertMessage, lastRead, newestNumber, recordReadPosition, threadMessages, unreadByParticipant } from './store'
import { notifyTeam } from './teamMail'
import { messageNumberOf, ownView, threadUploads, welcomeMessage } from './thread'

const PATH = '/participants/messages'

const readOwnThread = operation({
  id: 'listOwnMessages',
  method: 'GET',
  path: PATH,
  summary: 'Read one’s own messages with the team',
  description: `The welcome message, and after it the last ${PAGE} messages, oldest first.`,
  who: 'participant',
  scope: self,
  needs: 'nothing',
  query: ThreadQuery,
  returns: OwnThread,
  run: ({ services, db, now, trial, participant, query: { before, limit = PAGE } }) => {
    const { _id } = participant
    const end = messageNumberOf(db, _id, before, Number.MAX_SAFE_INTEGER)
    const rows = threadMessages(db, { participant: _id, before: end, limit: limit + 1 })
    const upTo = lastRead(db, _id, _id)
    const messages = ownView(db, rows.slice(-limit), upTo, hourLinkMaker(services, now))
    return {
      messages: [...(before ? [] : [welcomeMessage(participant, trial)]), ...messages],
      earlierMessages: rows.length > limit,
      unreadCount: unreadByParticipant(db, _id),
    }
  },
})

const markOwnRead = operation({
  id: 'markOwnMessagesRead',
  method: 'PUT',
  path: PATH,
  summary: 'Mark one’s own messages as read',
  description: 'With `upTo`, what arrived meanwhile stays unread.',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  logs: 'readMessages',
  body: ReadPosition,
  returns: UnreadCount,
  run: ({ db, now, participant: { _id }, body, record }) => {
    const upTo = messageNumberOf(db, _id, body.upTo, newestNumber(db, _id))
    recordReadPosition(db, _id, [_id], upTo, now)
    record({ event: { upTo } })
    return { unreadCount: unreadByParticipant(db, _id) }
  },
})

const writeToTeam = operation({
  id: 'sendOwnMessage',
  method: 'POST',
  path: PATH,
  summary: 'Write to the study team',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  logs: 'sendMessage',
  body: NewOwnMessage,
  returns: OwnMessage,
  run: ({ services, db, now, id, trial, participant, body, record }) => {
    const { message = '' } = body
    const attachments = usableAttachments(db, threadUploads(participant._id), body.attachments)
    if (!message.trim() && !attachments.length) throw refuse.invalid({ message: [reason('emptyMessage')] })
    const author = { _id: id(), participant: participant._id }
    const row = insertMessage(db, now, { ...author, type: 'message', message, attachments })
    notifyTeam(db, now, trial, participant)
    record({ event: { message: row._id, attachments: attachments.length } })
    return ownView(db, [{ ...row, readAt: null }], row.number, hourLinkMaker(services, now))[0]!
  },
})

export const ownMessageOperations = [readOwnThread, markOwnRead, writeToTeam] as const
