/** Where chains end: written down elsewhere, it shows later that nothing before it was cut off or written anew. */
import { drizzleOf, type Sqlite } from '#db/open'
import { rowWhere } from '#db/rows'
import { auditEntries, deletedChains } from '#db/tables/index'
import { fault } from '#kernel/fault'
import { type Head, untoldChain } from './store'

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
export function verifyHeads(sqlite: Sqlite, noted: readonly Head[]): void {
  const db = drizzleOf(sqlite)
  for (const { chain, entries, hash } of noted) {
    const isHeld = rowWhere(db, auditEntries, { chain, number: entries })?.hash === hash
    if (isHeld || (rowWhere(db, deletedChains, { chain })?.number ?? 0) >= entries) continue
    throw fault(`chain ${chain} does not hold what it ended with at entry ${entries}`)
  }
}

/**
 * Verifies that the team's chain has an entry for every chain that was deleted with its trial.
 * @throws a fault that names the first chain without one
 */
export function verifyDeletedChains(sqlite: Sqlite): void {
  const lost = untoldChain(sqlite)
  if (lost) throw fault(`chain ${lost} is said to have gone with its trial, and no team's log says so`)
}
