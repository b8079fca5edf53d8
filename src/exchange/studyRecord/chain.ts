/**
 * The audit trail of a record as its hashes cover it: one entry a line, with every field that is hashed, so that anybody can
 * compute the chain again. Personal information is not in it: the chain covers only its hash.
 */

import { withoutConcealed } from '#access/armConcealment'
import { concealedFrom } from '#access/armConcealmentStore'
import type { Access } from '#access/caller'
import type { ChainRow } from '#audit/store'
import type { Db } from '#db/open'
import type { Trial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { linksAfter } from './store'

export const CHAIN = 'audit-chain.jsonl'

/** A line: an entry with its hash, or only its number and hash if its content is withheld. */
export type ChainLine = Omit<ChainRow, 'personal'> | { number: number; hash: string; isWithheld: true }

/** Tables whose rows say which arm somebody is in, or could be guessed from their digests. */
const ARM_TABLES = [
  ...['randomisations', 'randomisationArms', 'randomisationLists', 'allocations', 'allocationCounts'],
  ...['randomisationDispensing', 'dispensations', 'dispensedPacks', 'groups', 'packTypes', 'packs', 'packEvents'],
]

/**
 * The lines of a trial's chain, a thousand a piece. Entries that show a concealed arm in their content, or in their
 * digests, are withheld from readers who may not see arms: the chain then shows only their place.
 * @param until the number of the last entry
 */
export function* chainText(db: Db, { _id }: Trial, access: Access, until: number): Generator<string> {
  const concealed = concealedFrom(db, _id, access)
  for (let after = 0; after < until; ) {
    const rows = linksAfter(db, _id, after).filter(({ number }) => number <= until)
    if (!rows.length) return
    after = rows.at(-1)!.number
    yield rows.map((row) => `${JSON.stringify(lineOf(row, concealed))}\n`).join('')
  }
}

function lineOf(row: ChainRow, concealed: ReadonlySet<Id>): ChainLine {
  const { number, hash } = row
  if (concealed.size && showsArms(row, concealed)) return { number, hash, isWithheld: true }
  const { personal: _, ...line } = row
  return line
}

function showsArms({ event, rows }: ChainRow, concealed: ReadonlySet<Id>): boolean {
  const content = JSON.parse(event) as Record<string, unknown>
  const changes = rows === null ? {} : (JSON.parse(rows) as Record<string, unknown>)
  if ('concealed' in content || ARM_TABLES.some((table) => table in changes)) return true
  return [content, changes].some((each) => JSON.stringify(withoutConcealed(each, concealed)) !== JSON.stringify(each))
}
