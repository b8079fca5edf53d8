/** Triggers that keep the message boards of sites as they were written: content can be erased, a board is deleted with its site only. */
import { refuseDeletions, refuseUpdates, rowExists } from './builders'

const SITE = rowExists('sites', 'OLD.site')
const KEPT = 'messages of sites are not changed'
const READ = 'what was read of a board is not changed'

export const siteMessageTriggers: readonly string[] = [
  refuseUpdates('siteMessages', KEPT, {
    when: `OLD.erasedAt IS NOT NULL OR NEW.erasedAt IS NULL OR NEW.message <> '' OR NEW.attachments <> '[]'
  OR NEW._id <> OLD._id OR NEW.createdAt <> OLD.createdAt OR NEW.site <> OLD.site OR NEW.number <> OLD.number
  OR NEW.user <> OLD.user OR NEW.userNumber <> OLD.userNumber OR NEW.broadcast IS NOT OLD.broadcast`,
  }),
  refuseDeletions('siteMessages', KEPT, SITE),
  refuseUpdates('siteMessageReads', READ),
  refuseDeletions('siteMessageReads', READ, SITE),
]
