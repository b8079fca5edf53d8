/** Who read what about the participants, in a study record: as a table, and as the hashes cover it. */
import { unpackIds } from '#audit/packedIds'
import { blocksAfter, type FullBlock, type ReadHead, type ReadRow, readHeadOf, readRowsAfter } from '#audit/readStore'
import type { Db } from '#db/open'
import type { Trial } from '#design/trials/store'
import { participantIds } from '#exchange/logs/store'
import type { Id } from '#kernel/id'
import type { Cell, Sheet } from '#writers/cell'
import { sheet } from '#writers/cell'

export const READS = 'reads-chain.jsonl'

/** The end of a trail of reads: how many rows it has had, and the hash of the last. */
export type ReadsEnd = { rows: number; hash: string }

/** The current end of a trial's trail; undefined if the trail is empty. */
export function readsEnd(db: Db, trial: Id): ReadsEnd | undefined {
  const head: ReadHead | undefined = readHeadOf(db, trial)
  return head && { rows: head.firstRow + head.rowCount - 1, hash: head.hash }
}

/** Pages of the rows that are kept, oldest first. */
function* pagesOf(db: Db, trial: Id, until: number, after = 0): Generator<ReadRow[]> {
  for (let last = after; last < until; ) {
    const rows = readRowsAfter(db, trial, last, 500).filter(({ number }) => number <= until)
    if (!rows.length) return
    last = rows.at(-1)!.number
    yield rows
  }
}

const HEADERS = [
  ...['number', 'createdAt', 'operation', 'userEmail', 'apiToken', 'address', 'participantIds', 'isFilter', 'filter'],
  'user',
]

/** The rows that are kept. @param until the number of the last one */
export function readsTable(db: Db, { _id }: Trial, until: number): Sheet {
  function* rows(): Generator<Cell[]> {
    for (const page of pagesOf(db, _id, until)) {
      const about = page.map(({ participant, participants }): Id[] =>
        participant === null ? unpackIds(participants) : [participant],
      )
      const ids = participantIds(db, [...new Set(about.flat())])
      for (const [
        at,
        { number, createdAt, operation, userEmail, apiToken, address, isFilter, filter, user },
      ] of page.entries())
        yield [
          ...[number, { at: createdAt }, operation, userEmail, apiToken, address],
          about[at]!.map((each) => ids.get(each) ?? each).join('; ') || null,
          ...[isFilter === 1, isFilter ? filter : null, user],
        ]
    }
  }
  return sheet('reads', HEADERS, rows())
}

/** A row with the ids of its participants. */
export type ReadsRow = Omit<ReadRow, 'participants'> & { participants: Id[] }

/** A line: a row that is kept, or a block whose rows were removed when their time was over. */
export type ReadsLine = ReadsRow | (Omit<FullBlock, 'trial' | 'removedAt'> & { removedAt: number })

/** The lines of a trail as the hashes cover it, so that anybody can compute them again. */
export function* readsText(db: Db, { _id }: Trial, until: number): Generator<string> {
  const line = (each: ReadsLine) => `${JSON.stringify(each)}\n`
  let last = 0
  for (let number = 0; ; ) {
    const blocks = blocksAfter(db, _id, number)
    if (!blocks.length) break
    number = blocks.at(-1)!.number
    for (const { trial: _, removedAt, ...block } of blocks)
      if (removedAt !== null) {
        last = block.firstRow + block.rowCount - 1
        yield line({ ...block, removedAt })
      }
  }
  for (const rows of pagesOf(db, _id, until, last))
    yield rows.map((row) => line({ ...row, participants: unpackIds(row.participants) })).join('')
}
