/**
 * In which rows of the trail of reads a participant is named with others (docs/security.md, "Who looked"). It is written when a block is
 * full, for all its rows at once: to add a row that names 80 participants costs no more than one that names two.
 */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { ID_BYTES, packIds } from './packedIds'
import type { FullBlock } from './readStore'

/** A block by its number, and which rows it has. */
type BlockRows = Pick<FullBlock, 'trial' | 'number' | 'firstRow' | 'rowCount'>

/**
 * Those of participants whose `_id` ends with that byte. `places`: in ascending order, numbers of four bytes, the least significant first:
 * 22 bits of the `_id` before its last byte, then 10 bits of the row's place in its block. Another `_id` may have the same bits; compare with
 * the row itself.
 */
type Mentions = { ending: number; places: Uint8Array }

const PLACE_BITS = 10
const ENDINGS = 256

/** The bits of an `_id` in its place, from the byte on that is four before its end. */
const bitsAt = (ids: Uint8Array, at: number): number =>
  ((ids[at]! << 26) | (ids[at + 1]! << 18) | (ids[at + 2]! << PLACE_BITS)) >>> 0

const rowsOf = ({ $client }: Db, { trial, firstRow, rowCount }: BlockRows) =>
  $client
    .query<{ number: number; participants: Uint8Array }, [{ trial: Id; first: number; last: number }]>(
      `SELECT number, participants FROM reads WHERE trial = $trial AND number BETWEEN $first AND $last
         AND participant IS NULL AND isFilter = 0 ORDER BY number`,
    )
    .all({ trial, first: firstRow, last: firstRow + rowCount - 1 })

/** The mentions in the rows of a block, in the order of the table. */
function mentionsIn(db: Db, block: BlockRows): Mentions[] {
  const rows = rowsOf(db, block)
  const starts = new Uint32Array(ENDINGS + 1)
  for (const { participants } of rows)
    for (let at = ID_BYTES - 1; at < participants.length; at += ID_BYTES) starts[participants[at]! + 1]!++
  for (let ending = 0; ending < ENDINGS; ending++) starts[ending + 1]! += starts[ending]!
  const places = new Uint32Array(starts[ENDINGS]!)
  const next = starts.slice()
  for (const { number, participants } of rows)
    for (let at = ID_BYTES - 4; at < participants.length; at += ID_BYTES)
      places[next[participants[at + 3]!]!++] = bitsAt(participants, at) + number - block.firstRow
  const mentions: Mentions[] = []
  for (let ending = 0; ending < ENDINGS; ending++) {
    const own = places.subarray(starts[ending], starts[ending + 1]).sort()
    // Every machine for which Trialbox is built has the least significant byte first in memory, too.
    if (own.length) mentions.push({ ending, places: new Uint8Array(own.buffer, own.byteOffset, own.byteLength) })
  }
  return mentions
}

/** Writes the mentions of a block that is full. */
export function insertMentions(db: Db, block: BlockRows): void {
  const insert = db.$client.query<unknown, [Mentions & { trial: Id; block: number }]>(
    'INSERT INTO readMentions (trial, block, ending, places) VALUES ($trial, $block, $ending, $places)',
  )
  for (const each of mentionsIn(db, block)) insert.run({ trial: block.trial, block: block.number, ...each })
}

/** Removes the mentions of a block, after `removedAt` says that its rows are removed. */
export const removeMentions = ({ $client }: Db, trial: Id, block: number) =>
  $client
    .query<unknown, [{ trial: Id; block: number }]>('DELETE FROM readMentions WHERE trial = $trial AND block = $block')
    .run({ trial, block })

/** Whether the mentions of a block that are stored match its rows; there must be none if the rows were removed. */
export function mentionsFit(db: Db, block: BlockRows): boolean {
  const expected = mentionsIn(db, block)
  const stored = db.$client
    .query<Mentions, [{ trial: Id; block: number }]>(
      'SELECT ending, places FROM readMentions WHERE trial = $trial AND block = $block ORDER BY ending',
    )
    .all({ trial: block.trial, block: block.number })
  return (
    stored.length === expected.length &&
    stored.every(({ ending, places }, at) => {
      const own = expected[at]!
      return ending === own.ending && Buffer.compare(places, own.places) === 0
    })
  )
}

/** Whether there are mentions of a block after that number. */
export const hasMentionsAfter = ({ $client }: Db, trial: Id, block: number): boolean =>
  $client
    .query<unknown, [{ trial: Id; block: number }]>(
      'SELECT 1 FROM readMentions WHERE trial = $trial AND block > $block LIMIT 1',
    )
    .get({ trial, block }) !== null

/** The places of a participant among those of their ending: which rows of the block, newest first. */
function placesOf(bits: number, places: Uint8Array): number[] {
  const view = new DataView(places.buffer, places.byteOffset, places.length)
  const at = (place: number) => view.getUint32(place * 4, true)
  let [low, high] = [0, places.length / 4]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(middle) < bits) low = middle + 1
    else high = middle
  }
  const found: number[] = []
  for (; low < places.length / 4 && at(low) >>> PLACE_BITS === bits >>> PLACE_BITS; low++) found.push(at(low) - bits)
  return found.reverse()
}

/** The number of blocks that are looked up at once. */
const BLOCKS = 50

type MentionQuery = { trial: Id; participant: Id; first: number; last: number }

/**
 * The numbers of the rows of full blocks, from the first to the last that is asked for, that may name a participant with others: newest
 * first, in lists.
 */
export function* mentionsOf({ $client }: Db, { trial, participant, first, last }: MentionQuery): Generator<number[]> {
  const id = packIds([participant])
  const bits = bitsAt(id, ID_BYTES - 4)
  const statement = $client.query<
    { number: number; firstRow: number; places: Uint8Array },
    [{ trial: Id; ending: number; first: number; last: number; before: number; limit: number }]
  >(
    `SELECT b.number, b.firstRow, m.places FROM readBlocks b
       CROSS JOIN readMentions m ON m.trial = b.trial AND m.block = b.number AND m.ending = $ending
     WHERE b.trial = $trial AND b.number < $before AND b.firstRow <= +$last AND b.firstRow + b.rowCount > +$first
     ORDER BY b.number DESC LIMIT +$limit`,
  )
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const blocks = statement.all({ trial, ending: id[ID_BYTES - 1]!, first, last, before, limit: BLOCKS })
    yield blocks.flatMap(({ firstRow, places }) => placesOf(bits, places).map((place) => firstRow + place))
    if (blocks.length < BLOCKS) return
    before = blocks.at(-1)!.number
  }
}
