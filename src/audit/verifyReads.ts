/** Verifies the trail of reads (docs/backup.md, "Verify"): no row was changed, removed before its time, or put in. */
import { type Db, drizzleOf, type Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import type { Id } from '#kernel/id'
import { DAY } from '#kernel/time'
import { hasMentionsAfter, mentionsFit } from './readMentionStore'
import {
  blocksAfter,
  countReads,
  type FullBlock,
  isRemovalRecorded,
  type ReadBlock,
  readHeadOf,
  readRowsAfter,
  trialsWithReads,
} from './readStore'
import { readHash, readsStart } from './reads'

/** The shortest time for which rows are kept, whatever a trial says. */
const SHORTEST = 365 * DAY

type BlockKey = { trial: Id; number: number }

const blockName = ({ trial, number }: BlockKey, { firstRow, rowCount }: ReadBlock) =>
  `block ${number} of the reads of trial ${trial} (reads ${firstRow} to ${firstRow + rowCount - 1})`

/** Verifies the rows of a block that is kept. */
function verifyRows(db: Db, place: BlockKey, block: ReadBlock): void {
  const end = block.firstRow + block.rowCount
  let hash = block.previousHash
  let expected = block.firstRow
  while (expected < end) {
    const rows = readRowsAfter(db, place.trial, expected - 1, Math.min(1000, end - expected))
    if (!rows.length) throw fault(`read ${expected} of trial ${place.trial} is missing`)
    for (const row of rows) {
      if (row.number !== expected) throw fault(`read ${expected} of trial ${place.trial} is missing`)
      hash = readHash(hash, row)
      expected++
    }
  }
  if (hash !== block.hash) throw fault(`${blockName(place, block)}: a row was changed`)
}

/** Verifies that the rows of a block were removed when their time was over, and that the audit trail says so. */
function verifyRemoval(db: Db, block: FullBlock): void {
  const name = blockName(block, block)
  const [next] = readRowsAfter(db, block.trial, block.firstRow - 1, 1)
  if (next && next.number < block.firstRow + block.rowCount)
    throw fault(`${name} was removed, but some of its rows still exist`)
  if (!mentionsFit(db, block)) throw fault(`${name} was removed, but the index of its participants still exists`)
  if (block.removedAt! - block.endedAt < SHORTEST) throw fault(`${name} was removed before its time`)
  if (!isRemovalRecorded(db, block)) throw fault(`${name} was removed, but the audit trail has no entry for that`)
}

/** Verifies the trail of a trial. Returns how many rows are kept. */
function verifyTrial(db: Db, trial: Id): number {
  let [number, hash, next, kept] = [0, readsStart(trial), 1, 0]
  const verifySequence = (place: BlockKey, block: ReadBlock) => {
    if (place.number !== number + 1) throw fault(`block ${number + 1} of the reads of trial ${trial} is missing`)
    if (block.previousHash !== hash || block.firstRow !== next)
      throw fault(`${blockName(place, block)} does not follow the block before it`)
    ;[number, hash, next] = [place.number, block.hash, block.firstRow + block.rowCount]
  }
  for (;;) {
    const blocks = blocksAfter(db, trial, number)
    if (!blocks.length) break
    for (const block of blocks) {
      verifySequence(block, block)
      if (block.removedAt !== null) verifyRemoval(db, block)
      else {
        verifyRows(db, block, block)
        if (!mentionsFit(db, block))
          throw fault(`${blockName(block, block)}: the index of its participants does not fit`)
        kept += block.rowCount
      }
    }
  }
  const head = readHeadOf(db, trial)
  if (!head) throw fault(`the end of the reads of trial ${trial} is missing`)
  const open = { trial, number: head.block }
  verifySequence(open, head)
  verifyRows(db, open, head)
  if (readRowsAfter(db, trial, next - 1, 1).length) throw fault(`trial ${trial} has reads after the last one`)
  if (hasMentionsAfter(db, trial, number - 1))
    throw fault(`trial ${trial} has an index of participants of reads that is not of a full block`)
  kept += head.rowCount
  if (countReads(db, trial) !== kept) throw fault(`trial ${trial} does not have the reads that were recorded`)
  return kept
}

/** Verifies the trails of reads of all trials. Returns a summary. @throws a fault that names the first that does not fit */
export function verifyReads(sqlite: Sqlite): string {
  const db = drizzleOf(sqlite)
  const trials = trialsWithReads(db)
  const rows = trials.reduce((sum, trial) => sum + verifyTrial(db, trial), 0)
  return `${rows} reads of ${trials.length} trials fit`
}
