/** Who read what about whom (docs/security.md, "Who looked"). */
import type { JsonObject } from '#kernel/json'
import { blob, bool, integer, json, key, moment, primaryKey, table, text } from './columns'

/** A response that showed data of participants. Rows are numbered by trial, from 1. */
export const reads = table('reads', () => ({
  _id: integer().primaryKey(),
  trial: text().notNull(),
  number: integer().notNull(),
  block: integer().notNull(),
  createdAt: moment().notNull(),
  operation: text().notNull(),
  user: text(),
  userEmail: text(),
  apiToken: text(),
  address: text(),
  /** The participant whose data the response showed, if there was only one. */
  participant: text(),
  /** The participants whose data it showed, if there were several: 12 bytes of each `_id`. */
  participants: blob({ mode: 'buffer' }).notNull(),
  /** Whether it showed data of all participants whom the filter finds. */
  isFilter: bool().notNull(),
  filter: json<JsonObject>().notNull(),
}))

/** The block to which rows are added. `hash` covers all rows until now. */
export const readHeads = table('readHeads', () => ({
  trial: key(),
  block: integer().notNull(),
  firstRow: integer().notNull(),
  rowCount: integer().notNull(),
  startedAt: moment().notNull(),
  endedAt: moment().notNull(),
  previousHash: text().notNull(),
  hash: text().notNull(),
}))

/** Blocks that are full. The rows of one can be removed; its hashes stay. */
export const readBlocks = table(
  'readBlocks',
  () => ({
    trial: text().notNull(),
    number: integer().notNull(),
    firstRow: integer().notNull(),
    rowCount: integer().notNull(),
    startedAt: moment().notNull(),
    endedAt: moment().notNull(),
    previousHash: text().notNull(),
    hash: text().notNull(),
    removedAt: moment(),
  }),
  (row) => [primaryKey({ columns: [row.trial, row.number] })],
)

/** In which rows of a full block participants are named with others: what the rows say, for searches. */
export const readMentions = table(
  'readMentions',
  () => ({
    trial: text().notNull(),
    block: integer().notNull(),
    /** The last byte of the `_id`s of these participants. */
    ending: integer().notNull(),
    /** More bits of their `_id`s, each with the place of a row in the block (src/audit/readMentionStore.ts). */
    places: blob({ mode: 'buffer' }).notNull(),
  }),
  (row) => [primaryKey({ columns: [row.trial, row.block, row.ending] })],
)
