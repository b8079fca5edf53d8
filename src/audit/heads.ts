/** Where chains end: written down elsewhere, it shows later that nothing before it was cut off or written anew. */
import { drizzled, type Sqlite } from '#db/open'
import { rowWhere } from '#db/rows'
import { auditEntries, deletedChains } from '#db/tables/index'
import { fault } from '#kernel/fault'
import { type Head, untoldChain } from './store'

/** A head as a line of text, to be kept outside of the service. */
export const headLine = ({ chain, entries, hash }: Head): string => `head ${chain} ${entries} ${hash}`

/** The heads in a text, whatever else it holds. */
export const headsIn = (text: string): Head[] =>
  [...text.matchAll(/^head (\S+) (\d+) ([0-9a-f]{64})\s*$/gm)].map(([, chain, entries, hash]) => ({
    chain: chain!,
    entries: Number(entries),
    hash: hash!,
  }))

/**
 * Whether chains still hold what they ended with once. A chain may have gone with its trial.
 * @throws a fault that names the first that does not
 */
export function verifyHeads(sqlite: Sqlite, noted: readonly Head[]): void {
  const db = drizzled(sqlite)
  for (const { chain, entries, hash } of noted) {
    const isHeld = rowWhere(db, auditEntries, { chain, number: entries })?.hash === hash
    if (isHeld || (rowWhere(db, deletedChains, { chain })?.number ?? 0) >= entries) continue
    throw fault(`chain ${chain} does not hold what it ended with at entry ${entries}`)
  }
}

/**
 * Whether every chain that went is remembered by the team whose trial it was.
 * @throws a fault that names the first that is not
 */
export function verifyDeletedChains(sqlite: Sqlite): void {
  const lost = untoldChain(sqlite)
  if (lost) throw fault(`chain ${lost} is said to have gone with its trial, and no team's log says so`)
}
