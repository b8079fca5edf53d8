/**
 * The heads of all chains in a file beside the database, outside its write-ahead log: a log that was deleted, or an older copy of the
 * database in its place, is noticed at the next start (docs/backup.md, "Lost changes").
 */
import { existsSync, readFileSync } from 'node:fs'
import { type Db, drizzleOf, type Sqlite } from '#db/open'
import { rowWhere } from '#db/rows'
import { deletedChains } from '#db/tables/index'
import { fault } from '#kernel/fault'
import type { Instant } from '#kernel/time'
import { appendEntry } from './append'
import { headLine, headsIn } from './heads'
import { type Head, hashOfEntry, headsOf } from './store'

const FIRST_LINE =
  '# The ends of the audit trail, which Trialbox compares with the database at each start. Do not edit.'

/** The text of the file for this state of the database. */
export const headsFileText = (sqlite: Sqlite): string =>
  `${[FIRST_LINE, ...headsOf(sqlite).map(headLine)].join('\n')}\n`

/** Reads the file. Without one, there are no heads to compare. @throws a fault if it is not one that Trialbox wrote */
export function readHeadsFile(path: string): Head[] {
  if (!existsSync(path)) return []
  const text = readFileSync(path, 'utf8')
  const heads = headsIn(text)
  const lines = text.split('\n').filter((line) => line !== '')
  if (lines[0] === FIRST_LINE && lines.length === heads.length + 1) return heads
  throw fault(`${path} is damaged: it does not contain the ends of the audit trail.`)
}

/** A chain that lacks its end: it had `entries`, and `left` of them are there. */
export type LostHead = Head & { left: number }

/** The chains that do not hold the entries with which they ended. A chain may have been deleted with its trial. */
export function findLostHeads(sqlite: Sqlite, heads: readonly Head[]): LostHead[] {
  const db = drizzleOf(sqlite)
  const now = new Map(headsOf(sqlite).map(({ chain, entries }) => [chain, entries]))
  return heads
    .filter(({ chain, entries, hash }) => {
      if (hashOfEntry(sqlite, chain, entries) === hash) return false
      return (rowWhere(db, deletedChains, { chain })?.number ?? 0) < entries
    })
    .map((head) => ({ ...head, left: Math.min(now.get(head.chain) ?? 0, head.entries) }))
}

/** What is lost, as the end of a sentence. */
export const lossText = ([first, ...more]: readonly LostHead[]): string =>
  first === undefined
    ? 'nothing'
    : `chain ${first.chain} ended with entry ${first.entries}, which is not there${more.length ? `, and ${more.length} other chains lack their ends` : ''}`

/** Records in the service's log that an operator accepted the loss. */
export const recordAcceptedLoss = (db: Db, ends: readonly LostHead[], now: Instant) =>
  appendEntry(db, {
    chain: 'service',
    createdAt: now,
    type: 'acceptLoss',
    userType: 'system',
    event: { chains: ends.map(({ chain, entries, hash, left }) => ({ chain, entries, hash, left })) },
  })
