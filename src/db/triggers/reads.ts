/** Triggers of the trail of reads: rows are only added, and only whole blocks are removed. */
import { IN_TRIAL, refuseDeletions, refuseUpdates } from './builders'

const READS = 'the trail of reads is append-only'

/** Rows go with their block, when its time is over. */
const IN_KEPT_BLOCK = `${IN_TRIAL} AND NOT EXISTS (SELECT 1 FROM readBlocks
  WHERE trial = OLD.trial AND number = OLD.block AND removedAt IS NOT NULL)`

export const readTriggers: readonly string[] = [
  refuseUpdates('reads', READS),
  refuseDeletions('reads', READS, IN_KEPT_BLOCK),
  refuseUpdates('readMentions', READS),
  refuseDeletions('readMentions', READS, IN_KEPT_BLOCK),
  refuseUpdates('readBlocks', READS, {
    of: 'trial, number, firstRow, rowCount, startedAt, endedAt, previousHash, hash',
  }),
  refuseUpdates('readBlocks', READS, {
    name: 'readBlocksAreRemovedOnce',
    of: 'removedAt',
    when: 'OLD.removedAt IS NOT NULL OR NEW.removedAt < OLD.endedAt',
  }),
  refuseDeletions('readBlocks', READS, IN_TRIAL),
  refuseUpdates('readHeads', READS, {
    name: 'readHeadsOnlyGrow',
    when: `NEW.trial <> OLD.trial OR NOT (NEW.block = OLD.block + 1 AND NEW.previousHash = OLD.hash
  OR NEW.block = OLD.block AND NEW.previousHash = OLD.previousHash
  AND (NEW.rowCount > OLD.rowCount OR NEW.rowCount = OLD.rowCount AND NEW.hash = OLD.hash))`,
  }),
  refuseDeletions('readHeads', READS, IN_TRIAL),
]
