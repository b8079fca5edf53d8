import { drizzleOf, type Sqlite } from '#db/open'
import { rowWhere } from '#db/rows'
import { auditHeads, deletedChains } from '#db/tables/index'
import { sha256 } from '#kernel/id'
import { chainStart, entryHash } from './append'
import { unknownVersion } from './digest'
import { type ChainRow, chainsOf, entriesAfter } from './store'

/** The result for a chain: how many entries were verified, the hash of the last one, and the first fault, if any. */
export type ChainReport = { chain: string; entries: number; hash: string; fault?: { number: number; problem: string } }

/**
 * Verifies every chain from its start (docs/decisions.md, "The audit trail"). Reads page by page, so that a long trail needs
 * little memory.
 */
export const verifyChains = (sqlite: Sqlite): ChainReport[] =>
  chainsOf(sqlite).map((chain) => verifyChain(sqlite, chain))

function verifyChain(sqlite: Sqlite, chain: string): ChainReport {
  let previous = chainStart(chain)
  let number = 0
  for (;;) {
    const rows = entriesAfter(sqlite, chain, number)
    if (!rows.length) return { chain, entries: number, hash: previous, ...verifyEnd(sqlite, chain, number, previous) }
    for (const row of rows) {
      const problem = entryProblem(row, previous, number + 1)
      if (problem) return { chain, entries: number, hash: previous, fault: { number: row.number, problem } }
      previous = row.hash
      number = row.number
    }
  }
}

function entryProblem(row: ChainRow, previous: string, expected: number): string | undefined {
  if (row.number !== expected) return `entry ${expected} is missing`
  const unknown = unknownVersion(row.hash, 1)
  if (unknown) return `it ${unknown}`
  if (entryHash(previous, row) !== row.hash) return 'its hash does not fit its content and the entry before it'
  if (row.personal !== null && sha256(row.personal) !== row.personalHash) return 'its personal part was changed'
  return undefined
}

/** Verifies the end of the chain: if the last entries were removed, the rest would still be a valid chain. */
function verifyEnd(sqlite: Sqlite, chain: string, number: number, hash: string): Pick<ChainReport, 'fault'> {
  const db = drizzleOf(sqlite)
  // Of a trial that was deleted, the last entries go first, until none is left.
  if (rowWhere(db, deletedChains, { chain })) return {}
  const head = rowWhere(db, auditHeads, { chain })
  if (head?.entries === number && head.hash === hash) return {}
  const problem = `the chain recorded ${head?.entries ?? 0} entries, and ${number} are there`
  return {
    fault: {
      number: number + 1,
      problem: head?.entries === number ? 'its last entry is not the one that was recorded' : problem,
    },
  }
}
