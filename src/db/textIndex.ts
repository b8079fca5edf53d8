/**
 * What the indexes of texts (FTS5) have in common: their pages keep the words of deleted and replaced rows until background work
 * merges them.
 */

import type { CoreServices } from './core'
import { cursorOf, endCursor, setCursor } from './cursors'
import type { Db, Sqlite } from './open'

/** The database, which `verify` opens without Drizzle. */
export type Connection = Pick<Db, '$client'>
export const connectionOf = (sqlite: Sqlite): Connection => ({ $client: sqlite })

/** Values of the cursor that has the name of an index: it holds words of deleted rows, and a merge is taking them out. */
const [DUE, MERGING] = [1, 2]
/** Pages of the index in one merge: some milliseconds of work. */
const PAGES = 30

/** Notes that rows of an index were replaced: their words are still in its pages, until a merge. Triggers note deleted ones. */
export const markRowsReplaced = (db: Db, index: string): void => setCursor(db, index, DUE)

const changes = (db: Db) => db.$client.query<{ rows: number }, []>('SELECT total_changes() AS rows').get()!.rows

/** Merges some pages of an index. @param isFirst whether this begins a merge of the whole index. Returns whether pages are left. */
function mergePages(db: Db, index: string, isFirst: boolean): boolean {
  const before = changes(db)
  db.$client
    .query<unknown, [{ pages: number }]>(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', $pages)`)
    .run({ pages: isFirst ? -PAGES : PAGES })
  return changes(db) - before >= 2
}

/** Makes a function for the background, which does a part of the merges of these indexes that are due. It returns whether any was. */
export function createIndexMerge(
  indexes: readonly string[],
): (services: Pick<CoreServices, 'db' | 'commit'>) => Promise<boolean> {
  /** The merge that this process has begun. One that a stop interrupted is begun again. */
  let merging: string | undefined

  function merge(db: Db, index: string): void {
    const isFirst = merging !== index || cursorOf(db, index) === DUE
    if (isFirst) setCursor(db, index, MERGING)
    merging = index
    if (mergePages(db, index, isFirst)) return
    endCursor(db, index, MERGING)
    merging = undefined
  }

  return async ({ db, commit }) => {
    const index = indexes.find((each) => cursorOf(db, each) !== undefined)
    if (index !== undefined) await commit(() => merge(db, index))
    return index !== undefined
  }
}
