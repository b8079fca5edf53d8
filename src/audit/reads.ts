/**
 * The trail of reads: which account read what about which participants. Rows are only added. The hash of each covers the hash of the row before it in its
 * trial; the hashes at the ends of blocks are kept, so that a block can be removed when its time is over and the rest still verifies
 * (docs/security.md, "Who looked").
 */
import type { Db } from '#db/open'
import { type Id, sha256 } from '#kernel/id'
import type { JsonObject } from '#kernel/json'
import { storedJson } from '#kernel/text'
import { DAY, type Instant } from '#kernel/time'
import { appendEntry } from './append'
import { ID_BYTES, unpackIds } from './packedIds'
import { insertMentions, removeMentions } from './readMentionStore'
import {
  blocksEndedBy,
  type FullBlock,
  insertRead,
  insertReadBlock,
  type ReadHead,
  type ReadRow,
  readHeadOf,
  removeRowsOf,
  saveReadHead,
} from './readStore'
import { isTrial } from './store'

/** A response that contained data about participants. */
export type ReadEntry = {
  trial: Id
  createdAt: Instant
  /** The operation, by its id. */
  operation: string
  user: Id | null
  userEmail: string | null
  apiToken: Id | null
  address: string | null
  /** The participants in the response: by their packed ids (one may occur twice), or all that a filter finds. */
  about: { participants: Uint8Array } | { filter: JsonObject }
}

/** A block is full when it has this many rows, or is this old. */
const [MOST_ROWS, LONGEST] = [1000, DAY]

/** The hash before the first row of a trial. */
export const readsStart = (trial: Id): string => sha256(`trialbox reads chain ${trial}`)

/** The hash of a row: it covers the hash of the row before it and all fields of this one, of the participants the hash of their bytes. */
export const readHash = (previous: string, row: ReadRow): string =>
  sha256(
    storedJson([
      ...[previous, row.trial, row.number, row.block, row.createdAt, row.operation, row.user, row.userEmail],
      ...[row.apiToken, row.address, row.participant, sha256(row.participants), row.isFilter, row.filter],
    ]),
  )

const newHead = (trial: Id, now: Instant, before?: ReadHead): ReadHead => {
  const hash = before?.hash ?? readsStart(trial)
  const firstRow = before ? before.firstRow + before.rowCount : 1
  const block = (before?.block ?? 0) + 1
  return { trial, block, firstRow, rowCount: 0, startedAt: now, endedAt: now, previousHash: hash, hash }
}

const isFull = ({ rowCount, startedAt }: ReadHead, now: Instant) =>
  rowCount >= MOST_ROWS || (rowCount > 0 && now - startedAt >= LONGEST)

/** Closes a block with its rows until now, and begins the next one. */
function nextBlock(db: Db, head: ReadHead, now: Instant): ReadHead {
  saveReadHead(db, head)
  insertReadBlock(db, head)
  insertMentions(db, { ...head, number: head.block })
  const next = newHead(head.trial, now, head)
  saveReadHead(db, next)
  return next
}

const NO_PARTICIPANTS = new Uint8Array()

function rowOf({ about, trial, createdAt, operation, user, userEmail, apiToken, address }: ReadEntry, head: ReadHead) {
  const participants = 'participants' in about ? about.participants : NO_PARTICIPANTS
  const [only] = participants.length === ID_BYTES ? unpackIds(participants) : []
  return {
    ...{ trial, number: head.firstRow + head.rowCount, block: head.block, createdAt, operation },
    ...{ user, userEmail, apiToken, address, participant: only ?? null },
    participants: only === undefined ? participants : NO_PARTICIPANTS,
    isFilter: 'filter' in about ? 1 : 0,
    filter: storedJson('filter' in about ? about.filter : {}),
  } as const
}

/** Adds rows to the trails of their trials, inside a transaction. Those of a trial that was deleted meanwhile are dropped. */
export function appendReads(db: Db, reads: readonly ReadEntry[]): void {
  for (const trial of new Set(reads.map(({ trial }) => trial))) {
    if (!isTrial(db, trial)) continue
    const own = reads.filter((read) => read.trial === trial)
    let head = readHeadOf(db, trial) ?? newHead(trial, own[0]!.createdAt)
    for (const read of own) {
      if (isFull(head, read.createdAt)) head = nextBlock(db, head, read.createdAt)
      const row = rowOf(read, head)
      insertRead(db, row)
      const times = [Math.min(head.startedAt, read.createdAt), Math.max(head.endedAt, read.createdAt)] as const
      const [startedAt, endedAt] = times
      head = { ...head, rowCount: head.rowCount + 1, startedAt, endedAt, hash: readHash(head.hash, row) }
    }
    saveReadHead(db, head)
  }
}

/**
 * Removes the blocks of a trial that ended by this moment, and records that in its audit trail. Returns how many it removed: at most
 * `limit`. Call it inside a transaction.
 */
export function removeReads(db: Db, trial: Id, { before, now, limit }: RemovalOptions): number {
  const head = readHeadOf(db, trial)
  if (head && head.rowCount > 0 && head.endedAt <= before) nextBlock(db, head, now)
  const ended = blocksEndedBy(db, trial, before, limit)
  for (const block of ended) {
    removeRowsOf(db, block, now)
    removeMentions(db, trial, block.number)
    appendEntry(db, {
      chain: trial,
      createdAt: now,
      type: 'removeReads',
      userType: 'system',
      event: removalEvent(block),
    })
  }
  return ended.length
}

/** @param before blocks that ended by this moment are removed; @param limit the most blocks at once */
type RemovalOptions = { before: Instant; now: Instant; limit: number }

const removalEvent = ({ number, firstRow, rowCount, startedAt, endedAt, hash }: FullBlock) => ({
  ...{ block: number, firstRow, rowCount, startedAt, endedAt, hash },
})
