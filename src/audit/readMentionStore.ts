/**
 * In which rows of the trail of reads a participant is named with others (docs/security.md, "Who looked"). It is written when a block is
 * full, for all its rows at once: to add a row that names 80 participants costs no more than one that names two.
 */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { FullBlock, ReadRow } from './readStore'

/** A block by its number, and which rows it has. */
type Rows = Pick<FullBlock, 'trial' | 'number' | 'firstRow' | 'rowCount'>

/** `numbers`: JSON of the numbers of rows by participant, of those whose `_id` ends with the two characters of `ending`. */
type Mentions = { ending: string; numbers: string }

/** Collects mentions from rows in the order of their numbers. */
export function mentionsCollector() {
  const numbers = new Map<Id, number[]>()
  return {
    add({ number, participants }: Pick<ReadRow, 'number' | 'participants'>): void {
      if (participants === '[]') return
      for (const participant of JSON.parse(participants) as Id[]) {
        const own = numbers.get(participant)
        if (own) own.push(number)
        else numbers.set(participant, [number])
      }
    },
    /** All of them, in the order of the table. */
    all(): Mentions[] {
      const byEnding = new Map<string, string[]>()
      for (const [participant, own] of numbers) {
        const ending = participant.slice(-2)
        const mention = `${JSON.stringify(participant)}:[${own.join()}]`
        const others = byEnding.get(ending)
        if (others) others.push(mention)
        else byEnding.set(ending, [mention])
      }
      return [...byEnding.keys()].sort().map((ending) => ({ ending, numbers: `{${byEnding.get(ending)!.join()}}` }))
    },
  }
}

/** Writes the mentions of a block that is full. */
export function insertMentions({ $client }: Db, { trial, number: block, firstRow, rowCount }: Rows): void {
  const mentions = mentionsCollector()
  const rows = $client
    .query<Pick<ReadRow, 'number' | 'participants'>, [{ trial: Id; first: number; last: number }]>(
      'SELECT number, participants FROM reads WHERE trial = $trial AND number BETWEEN $first AND $last ORDER BY number',
    )
    .all({ trial, first: firstRow, last: firstRow + rowCount - 1 })
  for (const row of rows) mentions.add(row)
  const insert = $client.query<unknown, [Mentions & { trial: Id; block: number }]>(
    'INSERT INTO readMentions (trial, block, ending, numbers) VALUES ($trial, $block, $ending, $numbers)',
  )
  for (const each of mentions.all()) insert.run({ trial, block, ...each })
}

/** Removes the mentions of a block, after `removedAt` says that its rows are removed. */
export const removeMentions = ({ $client }: Db, trial: Id, block: number) =>
  $client
    .query<unknown, [{ trial: Id; block: number }]>('DELETE FROM readMentions WHERE trial = $trial AND block = $block')
    .run({ trial, block })

/** Whether these are the mentions of a block that are stored. */
export function areMentions({ $client }: Db, trial: Id, block: number, expected: readonly Mentions[]): boolean {
  const stored = $client
    .query<Mentions, [{ trial: Id; block: number }]>(
      'SELECT ending, numbers FROM readMentions WHERE trial = $trial AND block = $block ORDER BY ending',
    )
    .all({ trial, block })
  return (
    stored.length === expected.length &&
    stored.every(({ ending, numbers }, at) => ending === expected[at]?.ending && numbers === expected[at].numbers)
  )
}

/** Whether there are mentions of a block after that number. */
export const hasMentionsAfter = ({ $client }: Db, trial: Id, block: number): boolean =>
  $client
    .query<unknown, [{ trial: Id; block: number }]>(
      'SELECT 1 FROM readMentions WHERE trial = $trial AND block > $block LIMIT 1',
    )
    .get({ trial, block }) !== null
