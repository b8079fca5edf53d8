/**
 * Triggers that keep, for each participant and each trial, how many messages of participants nobody in the team has read. The
 * messages themselves are never changed: only their content can be erased.
 */
import { exists, refuseDeletions, refuseUpdates, trigger } from './triggerWords'

const KEPT = 'messages are not changed'
const READ = 'what was read is not changed'

const isFromParticipant = 'isAutomatic = 0 AND user IS NULL'

/** The unread messages of a participant as its trial counts them: those of archived participants are hidden. */
const counted = (row: string) => `iif(${row}.isArchived, 0, ${row}.unreadCount)`

const addToTrial = (by: string, trial: string) =>
  `UPDATE trials SET unreadCount = unreadCount + ${by} WHERE _id = ${trial}`

export const messageTriggers: readonly string[] = [
  refuseUpdates('messages', KEPT, {
    when: `NEW.message <> '' OR NEW.title IS NOT NULL OR NEW.attachments <> '[]' OR NEW._id <> OLD._id
  OR NEW.createdAt <> OLD.createdAt OR NEW.participant <> OLD.participant OR NEW.number <> OLD.number
  OR NEW.isAutomatic <> OLD.isAutomatic OR NEW.type <> OLD.type OR NEW.user IS NOT OLD.user OR NEW.reveals <> OLD.reveals`,
  }),
  refuseDeletions('messages', 'messages are kept', exists('participants', 'OLD.participant')),
  refuseUpdates('messageReads', READ),
  refuseDeletions('messageReads', READ, exists('participants', 'OLD.participant')),
  trigger(
    'messagesUnread',
    'AFTER INSERT',
    'messages',
    `UPDATE participants SET unreadCount = unreadCount + 1, lastMessageAt = NEW.createdAt WHERE _id = NEW.participant`,
    'NEW.isAutomatic = 0 AND NEW.user IS NULL',
  ),
  trigger(
    'messageReadsUnread',
    'AFTER INSERT',
    'messageReads',
    `UPDATE participants SET unreadCount = (SELECT count(*) FROM messages
      WHERE participant = NEW.participant AND ${isFromParticipant} AND number > NEW.upTo) WHERE _id = NEW.participant`,
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
