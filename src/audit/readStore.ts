/** The rows of the trail of reads, and its blocks (docs/security.md, "Who looked"). */
import type { Db } from '#db/open'
import { rowWhere } from '#db/rows'
import { readHeads } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

type Connection = Pick<Db, '$client'>

/** A row as the hashes cover it: the filter as the stored text, and `participants` packed. */
export type ReadRow = {
  trial: Id
  number: number
  block: number
  createdAt: Instant
  operation: string
  user: Id | null
  userEmail: string | null
  apiToken: Id | null
  address: string | null
  participant: Id | null
  participants: Uint8Array
  isFilter: 0 | 1
  filter: string
}

/** A block: its rows begin with `firstRow`. `hash` covers `previousHash`, which is that of the block before, and all rows. */
export type ReadBlock = {
  firstRow: number
  rowCount: number
  startedAt: Instant
  endedAt: Instant
  previousHash: string
  hash: string
}

/** The block of a trial to which rows are added. */
export type ReadHead = ReadBlock & { trial: Id; block: number }

/** A block that is full. `removedAt`: when its rows were removed; null while they are kept. */
export type FullBlock = ReadBlock & { trial: Id; number: number; removedAt: Instant | null }

const COLUMNS = `trial, number, block, createdAt, operation, user, userEmail, apiToken, address, participant, participants,
  isFilter, filter`

export const insertRead = ({ $client }: Db, row: ReadRow) =>
  $client
    .query<unknown, [ReadRow]>(
      `INSERT INTO reads (${COLUMNS}) VALUES ($trial, $number, $block, $createdAt, $operation, $user, $userEmail, $apiToken,
         $address, $participant, $participants, $isFilter, $filter)`,
    )
    .run(row)

export const readHeadOf = (db: Db, trial: Id): ReadHead | undefined => rowWhere(db, readHeads, { trial })

export const saveReadHead = ({ $client }: Db, head: ReadHead) =>
  $client
    .query<unknown, [ReadHead]>(
      `INSERT INTO readHeads (trial, block, firstRow, rowCount, startedAt, endedAt, previousHash, hash)
       VALUES ($trial, $block, $firstRow, $rowCount, $startedAt, $endedAt, $previousHash, $hash)
       ON CONFLICT (trial) DO UPDATE SET block = excluded.block, firstRow = excluded.firstRow, rowCount = excluded.rowCount,
         startedAt = excluded.startedAt, endedAt = excluded.endedAt, previousHash = excluded.previousHash, hash = excluded.hash`,
    )
    .run(head)

export const insertReadBlock = ({ $client }: Db, { block: number, ...head }: ReadHead) =>
  $client
    .query<unknown, [Omit<FullBlock, 'removedAt'>]>(
      `INSERT INTO readBlocks (trial, number, firstRow, rowCount, startedAt, endedAt, previousHash, hash)
       VALUES ($trial, $number, $firstRow, $rowCount, $startedAt, $endedAt, $previousHash, $hash)`,
    )
    .run({ number, ...head })

/** The trials whose trail of reads has begun, but those that are being purged. */
export const trialsWithHeads = ({ $client }: Connection): Id[] =>
  $client
    .query<{ trial: Id }, []>(
      'SELECT trial FROM readHeads WHERE EXISTS (SELECT 1 FROM trials WHERE _id = trial AND purgedAt IS NULL)',
    )
    .all()
    .map(({ trial }) => trial)

/** The same for `verify`, which does not rely on the heads: it looks at all rows. */
export const trialsWithReads = ({ $client }: Connection): Id[] =>
  $client
    .query<{ trial: Id }, []>(
      // Of a trial that is being purged, blocks go before others.
      `SELECT trial FROM (SELECT trial FROM readHeads UNION SELECT trial FROM readBlocks UNION SELECT trial FROM reads
         UNION SELECT trial FROM readMentions)
       WHERE EXISTS (SELECT 1 FROM trials WHERE _id = trial AND purgedAt IS NULL) ORDER BY trial`,
    )
    .all()
    .map(({ trial }) => trial)

/** The full blocks of a trial after that number, oldest first. */
export const blocksAfter = ({ $client }: Connection, trial: Id, number: number, limit = 1000): FullBlock[] =>
  $client
    .query<FullBlock, [{ trial: Id; number: number; limit: number }]>(
      'SELECT * FROM readBlocks WHERE trial = $trial AND number > $number ORDER BY number LIMIT +$limit',
    )
    .all({ trial, number, limit })

/** The rows of a trial after that number, oldest first. */
export const readRowsAfter = ({ $client }: Connection, trial: Id, number: number, limit = 1000): ReadRow[] =>
  $client
    .query<ReadRow, [{ trial: Id; number: number; limit: number }]>(
      `SELECT ${COLUMNS} FROM reads WHERE trial = $trial AND number > $number ORDER BY number LIMIT +$limit`,
    )
    .all({ trial, number, limit })

/** How many rows of a trial there are, whatever their numbers. */
export const countReads = ({ $client }: Connection, trial: Id): number =>
  $client.query<{ n: number }, [{ trial: Id }]>('SELECT count(*) AS n FROM reads WHERE trial = $trial').get({ trial })!
    .n

/** The blocks whose rows were kept and ended by this moment, oldest first. */
export const blocksEndedBy = ({ $client }: Db, trial: Id, before: Instant, limit: number): FullBlock[] =>
  $client
    .query<FullBlock, [{ trial: Id; before: Instant; limit: number }]>(
      `SELECT * FROM readBlocks WHERE trial = $trial AND removedAt IS NULL AND endedAt <= $before ORDER BY number LIMIT +$limit`,
    )
    .all({ trial, before, limit })

/** Whether a block whose rows are kept, or the last one, ended by this moment. */
export const hasEndedReads = ({ $client }: Db, trial: Id, before: Instant): boolean =>
  $client
    .query<unknown, [{ trial: Id; before: Instant }]>(
      `SELECT 1 FROM readBlocks WHERE trial = $trial AND removedAt IS NULL AND endedAt <= $before
       UNION ALL SELECT 1 FROM readHeads WHERE trial = $trial AND rowCount > 0 AND endedAt <= $before LIMIT 1`,
    )
    .get({ trial, before }) !== null

/** Removes the rows of a block; its hashes stay. */
export function removeRowsOf(
  { $client }: Db,
  { trial, number, firstRow, rowCount }: FullBlock,
  removedAt: Instant,
): void {
  $client
    .query<unknown, [{ trial: Id; number: number; removedAt: Instant }]>(
      'UPDATE readBlocks SET removedAt = $removedAt WHERE trial = $trial AND number = $number',
    )
    .run({ trial, number, removedAt })
  $client
    .query<unknown, [{ trial: Id; first: number; last: number }]>(
      'DELETE FROM reads WHERE trial = $trial AND number BETWEEN $first AND $last',
    )
    .run({ trial, first: firstRow, last: firstRow + rowCount - 1 })
}

/** Whether the trial's audit trail says that the rows of a block were removed, and names its hash. */
export const isRemovalRecorded = ({ $client }: Connection, { trial, number, hash }: FullBlock): boolean =>
  $client
    .query<unknown, [{ trial: Id; number: number; hash: string }]>(
      `SELECT 1 FROM auditEntries WHERE chain = $trial AND type = 'removeReads' AND event ->> 'block' = $number
         AND event ->> 'hash' = $hash`,
    )
    .get({ trial, number, hash }) !== null
