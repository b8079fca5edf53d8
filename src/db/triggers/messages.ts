/**
 * Triggers that keep, for each participant and each trial, how many messages of participants nobody in the team has read. The
 * messages themselves are never changed: only their content is erased, with the personal information of their participant.
 */
import { allowErasureOnly, refuseDeletions, refuseUpdates, rowExists, trigger } from './builders'

const KEPT = 'messages are not changed'
const READ = 'what was read is not changed'

/** The SQL condition that the participant wrote the message. @param row the name of the row or the table in the statement */
export const isFromParticipant = (row: string) => `${row}.isAutomatic = 0 AND ${row}.user IS NULL`

/** The unread messages of a participant as its trial counts them: those of archived participants are hidden. */
const counted = (row: string) => `iif(${row}.isArchived, 0, ${row}.unreadCount)`

const addToTrial = (by: string, trial: string) =>
  `UPDATE trials SET unreadCount = unreadCount + ${by} WHERE _id = ${trial}`

export const messageTriggers: readonly string[] = [
  refuseUpdates('messages', KEPT, { of: '_id, createdAt, participant, number, isAutomatic, type, user, reveals' }),
  allowErasureOnly('messages', KEPT, 'title, message, attachments', 'OLD.participant'),
  refuseUpdates('messages', KEPT, {
    name: 'messagesAreOnlyEmptied',
    when: `NEW.message <> '' OR NEW.title IS NOT NULL OR NEW.attachments <> '[]'`,
  }),
  refuseDeletions('messages', 'messages are kept', rowExists('participants', 'OLD.participant')),
  refuseUpdates('messageReads', READ),
  refuseDeletions('messageReads', READ, rowExists('participants', 'OLD.participant')),
  trigger(
    'messagesUnread',
    'AFTER INSERT',
    'messages',
    `UPDATE participants SET unreadCount = unreadCount + 1, lastMessageAt = NEW.createdAt WHERE _id = NEW.participant`,
    isFromParticipant('NEW'),
  ),
  trigger(
    'messageReadsUnread',
    'AFTER INSERT',
    'messageReads',
    `UPDATE participants SET unreadCount = (SELECT count(*) FROM messages m
      WHERE m.participant = NEW.participant AND ${isFromParticipant('m')} AND m.number > NEW.upTo) WHERE _id = NEW.participant`,
    `NEW.reader = 'team'`,
  ),
  trigger(
    'participantsUnreadInsert',
    'AFTER INSERT',
    'participants',
    addToTrial(counted('NEW'), 'NEW.trial'),
    'NEW.unreadCount > 0',
  ),
  trigger(
    'participantsUnreadUpdate',
    'AFTER UPDATE OF unreadCount, isArchived',
    'participants',
    addToTrial(`${counted('NEW')} - ${counted('OLD')}`, 'NEW.trial'),
    `${counted('NEW')} <> ${counted('OLD')}`,
  ),
  trigger(
    'participantsUnreadDelete',
    'AFTER DELETE',
    'participants',
    addToTrial(`- ${counted('OLD')}`, 'OLD.trial'),
    'OLD.unreadCount > 0',
  ),
]
