/** The ends of chains. A copy of them outside the service shows later that no entry before was removed or replaced. */
import { drizzleOf, type Sqlite } from '#db/open'
import { rowWhere } from '#db/rows'
import { auditEntries, deletedChains } from '#db/tables/index'
import { fault } from '#kernel/fault'
import { findWronglyDeletedChain, type Head } from './store'

/** A head as a line of text, for a copy outside the service. */
export const headLine = ({ chain, entries, hash }: Head): string => `head ${chain} ${entries} ${hash}`

/** Finds the heads in a text that may hold other lines. */
export const headsIn = (text: string): Head[] =>
  [...text.matchAll(/^head (\S+) (\d+) ([0-9a-f]{64})\s*$/gm)].map(([, chain, entries, hash]) => ({
    chain: chain!,
    entries: Number(entries),
    hash: hash!,
  }))

/**
 * Verifies that chains still contain the entries that they ended with at an earlier time. A chain may be deleted with its
 * trial. @throws a fault that names the first chain that does not
 */
export function verifyHeads(sqlite: Sqlite, heads: readonly Head[]): void {
  const db = drizzleOf(sqlite)
  for (const { chain, entries, hash } of heads) {
    const isThere = rowWhere(db, auditEntries, { chain, number: entries })?.hash === hash
    if (isThere || (rowWhere(db, deletedChains, { chain })?.number ?? 0) >= entries) continue
    throw fault(`chain ${chain} no longer contains the entry with which it ended: entry ${entries}`)
  }
}

/**
 * Verifies that for every chain that was deleted with its trial, the team's chain has an entry, and no entries remain.
 * @throws a fault that names the first chain for which this is not so
 */
export function verifyDeletedChains(sqlite: Sqlite): void {
  const chain = findWronglyDeletedChain(sqlite)
  if (chain) throw fault(`chain ${chain} is marked as deleted with its trial, but no team's log records the deletion`)
}
