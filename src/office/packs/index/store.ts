/** The index of packs by the trigrams of their names and batch numbers. */
import type { Db } from '#db/open'
import { type Connection, markRowsReplaced } from '#db/textIndex'
import type { Id } from '#kernel/id'
import { expressionOf, TRIGRAMS_VERSION, wordsOf } from './trigrams'

export const PACK_INDEX = 'packTrigrams'

/** The row that is there while the index has all packs, as this version of the program finds their trigrams. */
const COMPLETE_ROW = -TRIGRAMS_VERSION

type IndexedPack = { _id: Id; trial: Id; searchText: string }

/**
 * Puts packs into the index, in place of their trigrams from before. Give it all packs of a request at once: the index writes what it
 * has to its pages before each further statement, which would make an import take half as long again.
 */
export function indexPacks(db: Db, packs: readonly IndexedPack[]): void {
  if (!packs.length) return
  const words = packs.map(({ _id, trial, searchText }) => [_id, wordsOf(trial, searchText).join(' ')])
  db.$client
    .query<unknown, [{ words: string }]>(
      `INSERT OR REPLACE INTO packTrigrams (rowid, trigrams)
       SELECT p.key, w.value ->> 1 FROM json_each($words) AS w CROSS JOIN packs AS p ON p._id = w.value ->> 0`,
    )
    .run({ words: JSON.stringify(words) })
}

/** The same for packs that had other names or batch numbers. */
export function reindexPacks(db: Db, packs: readonly IndexedPack[]): void {
  indexPacks(db, packs)
  if (packs.length) markRowsReplaced(db, PACK_INDEX)
}

/** Whether the index has all packs. It says so itself, so that an empty one that came about in any way is not relied upon. */
export const isComplete = (db: Connection): boolean =>
  db.$client
    .query<unknown, [{ row: number }]>('SELECT 1 FROM packTrigrams_docsize WHERE id = +$row')
    .get({ row: COMPLETE_ROW }) !== null

/**
 * The keys of the packs of a trial whose name or batch number may contain a term; undefined if the index cannot say, or if they are
 * more than `most`. Packs that the caller may not see are among them.
 * @param term in the form of `searchText`
 */
export function findCandidates(db: Db, trial: Id, term: string, most: number): number[] | undefined {
  const match = expressionOf(trial, term)
  if (match === undefined || !isComplete(db)) return undefined
  const found = db.$client
    .query<{ key: number }, [{ match: string; limit: number }]>(
      'SELECT rowid AS key FROM packTrigrams WHERE packTrigrams MATCH +$match LIMIT +$limit',
    )
    .all({ match, limit: most + 1 })
  return found.length > most ? undefined : found.map(({ key }) => key)
}

export const emptyIndex = (db: Db): void =>
  void db.$client.run(`INSERT INTO packTrigrams (packTrigrams) VALUES ('delete-all')`)

/** Notes that the index has all packs from now on. */
export const completeIndex = (db: Db): void =>
  void db.$client
    .query<unknown, [{ row: number }]>(`INSERT OR REPLACE INTO packTrigrams (rowid, trigrams) VALUES ($row, '')`)
    .run({ row: COMPLETE_ROW })

/** Packs after this key, in the order of their keys. */
export const packsAfter = (db: Connection, after: number, limit: number): (IndexedPack & { key: number })[] =>
  db.$client
    .query<IndexedPack & { key: number }, [{ after: number; limit: number }]>(
      'SELECT key, _id, trial, searchText FROM packs WHERE key > +$after ORDER BY key LIMIT +$limit',
    )
    .all({ after, limit })

/** How many packs there are, and how many rows of packs the index has. */
export const indexCounts = ({ $client }: Connection): { packs: number; indexed: number } =>
  $client
    .query<{ packs: number; indexed: number }, []>(
      `SELECT (SELECT count(*) FROM packs) AS packs, (SELECT count(*) FROM packTrigrams_docsize WHERE id > 0) AS indexed`,
    )
    .get()!

/** The keys of all packs that have a trigram. @param word as `wordsOf` has it */
export function* keysWith({ $client }: Connection, word: string): Generator<number> {
  const found = $client
    .query<{ key: number }, [{ match: string }]>(
      'SELECT rowid AS key FROM packTrigrams WHERE packTrigrams MATCH +$match',
    )
    .iterate({ match: `"${word}"` })
  for (const { key } of found) yield key
}
