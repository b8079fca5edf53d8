/** Triggers of the audit trail: it is append-only, whatever program writes. */
import { abortWith, refuseDeletions, refuseUpdates, trigger } from './builders'

const AUDIT = 'the audit trail is append-only'
const UNDELETED = 'NOT EXISTS (SELECT 1 FROM deletedChains WHERE chain = OLD.chain)'

export const auditTriggers: readonly string[] = [
  refuseUpdates('auditEntries', AUDIT, {
    name: 'auditIsNotChanged',
    of: '_id, chain, number, createdAt, type, userType, user, userEmail, apiToken, participant, event, address, device, personalHash, rows, hash',
  }),
  // The only change allowed is to erase personal information.
  trigger(
    'auditPersonalIsOnlyErased',
    'BEFORE UPDATE OF personal',
    'auditEntries',
    abortWith(AUDIT),
    'NEW.personal IS NOT NULL',
  ),
  refuseDeletions('auditEntries', AUDIT, UNDELETED, 'auditIsKept'),
  trigger(
    'auditIsCounted',
    'AFTER INSERT',
    'auditEntries',
    `INSERT INTO auditHeads VALUES (NEW.chain, 1, NEW.hash)
    ON CONFLICT (chain) DO UPDATE SET entries = entries + 1, hash = excluded.hash`,
  ),
  refuseUpdates('auditHeads', AUDIT, {
    name: 'auditHeadsOnlyGrow',
    when: `NEW.chain <> OLD.chain OR NEW.entries <> OLD.entries + 1
  OR NEW.hash IS NOT (SELECT hash FROM auditEntries WHERE chain = NEW.chain AND number = NEW.entries)`,
  }),
  refuseDeletions('auditHeads', AUDIT, UNDELETED),
  trigger('auditHeadsEnd', 'AFTER INSERT', 'deletedChains', 'DELETE FROM auditHeads WHERE chain = NEW.chain'),
]
