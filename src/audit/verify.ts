import { drizzled, type Sqlite } from '#db/open'
import { rowWhere } from '#db/rows'
import { auditHeads } from '#db/tables/index'
import { sha256 } from '#kernel/id'
import { chainStart, linkHash } from './append'
import { unknownVersion } from './digest'
import { chainsOf, entriesAfter, type LinkRow } from './store'

/** The first entry of a chain that does not fit, or how many were checked, the last of which has that hash. */
export type ChainReport = { chain: string; entries: number; hash: string; fault?: { number: number; problem: string } }

/**
 * Walks every chain from its start (docs/decisions.md, "The audit trail"). Reads by pages, so that a long trail needs
 * no memory.
 */
export const verifyChains = (sqlite: Sqlite): ChainReport[] =>
  chainsOf(sqlite).map((chain) => verifyChain(sqlite, chain))

function verifyChain(sqlite: Sqlite, chain: string): ChainReport {
  let previous = chainStart(chain)
  let number = 0
  for (;;) {
    const rows = entriesAfter(sqlite, chain, number)
    if (!rows.length) return { chain, entries: number, hash: previous, ...cut(sqlite, chain, number, previous) }
    for (const row of rows) {
      const problem = fault(row, previous, number + 1)
      if (problem) return { chain, entries: number, hash: previous, fault: { number: row.number, problem } }
      previous = row.hash
      number = row.number
    }
  }
}

function fault(row: LinkRow, previous: string, expected: number): string | undefined {
  if (row.number !== expected) return `entry ${expected} is missing`
  const unknown = unknownVersion(row.hash, 1)
  if (unknown) return `it ${unknown}`
  if (linkHash(previous, row) !== row.hash) return 'its hash does not follow from what it says and the entry before it'
  if (row.personal !== null && sha256(row.personal) !== row.personalHash) return 'its personal part was changed'
  return undefined
}

/** Whether the chain ends where it was written to last: what is cut off at its end leaves a chain that fits. */
function cut(sqlite: Sqlite, chain: string, number: number, hash: string): Pick<ChainReport, 'fault'> {
  const head = rowWhere(drizzled(sqlite), auditHeads, { chain })
  if (head?.entries === number && head.hash === hash) return {}
  const problem = `the chain was given ${head?.entries ?? 0} entries, and ${number} are there`
  return { fault: { number: number + 1, problem: head?.entries === number ? 'the chain ends in another' : problem } }
}
