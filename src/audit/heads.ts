/** The ends of chains. A copy outside the service shows later whether entries were removed or rewritten. */
import type { Sqlite } from '#db/open'
import { rowWhere } from '#db/rows'
import { auditEntries, deletedChains } from '#db/tables/index'
import { fault } from '#kernel/fault'

/** The end of a chain: the number of its entries, and the hash of the last one, which covers all of them. */
export type Head = { chain: string; entries: number; hash: string }

export const headsOf = (sqlite: Sqlite): Head[] =>
  sqlite.query<Head, []>('SELECT chain, entries, hash FROM auditHeads ORDER BY chain').all()

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
  const db = { $client: sqlite }
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
  const lost = sqlite
    .query<{ chain: string }, []>(
      `SELECT chain FROM deletedChains d WHERE NOT EXISTS (SELECT 1 FROM auditEntries WHERE type = 'deleteTrial'
         AND event ->> 'trialId' = d.chain AND event ->> 'auditEntries' = d.number AND event ->> 'auditHash' = d.hash)
       OR EXISTS (SELECT 1 FROM auditEntries e WHERE e.chain = d.chain) LIMIT 1`,
    )
    .get()
  if (lost) throw fault(`chain ${lost.chain} is said to have gone with its trial, and no team's log says so`)
}
