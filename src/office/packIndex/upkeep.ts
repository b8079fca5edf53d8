/**
 * Keeps the index of packs whole: makes it anew where it is not that of this program or lacks packs, and takes the trigrams of deleted
 * packs out of its pages (docs/packs.md, "Lists").
 */
import type { Core } from '#db/core'
import type { Db, Sqlite } from '#db/open'
import { cursorOf, endCursor, indexMerges, onSqlite, setCursor } from '#db/textIndex'
import { fault } from '#kernel/fault'
import { completeIndex, emptyIndex, hasAll, indexCounts, indexPacks, isFound, PACK_INDEX, packsAfter } from './store'

/** The cursor with the key of the last pack that is in the index while it is made anew. Searches do without it meanwhile. */
const REBUILT = 'packTrigramsRebuilt'

/** Packs in one commit: some milliseconds of work. */
const PACKS = 200

/** Returns a summary. @throws a fault that names the first pack that is not found. An index that is made anew is none. */
export function verifyPackIndex(sqlite: Sqlite): string {
  const db = onSqlite(sqlite)
  const { packs, indexed } = indexCounts(db)
  if (!hasAll(db)) return `${packs} packs; their index is made anew by the server`
  if (indexed !== packs) throw fault(`the index has ${indexed} of ${packs} packs: the next start makes it anew`)
  for (let some = packsAfter(db, 0, PACKS); some.length; some = packsAfter(db, some.at(-1)!.key, PACKS)) {
    const lost = some.find((pack) => !isFound(db, pack))
    if (lost) throw fault(`pack ${lost._id} is not found by its name and batch number`)
  }
  return `${packs} packs are found by their names and batch numbers`
}

/** Lets the index be made anew if this one is not that of this program, or does not have all packs. */
export function repairPackIndex(db: Db): void {
  const { packs, indexed } = indexCounts(db)
  if (hasAll(db) && packs === indexed) return
  emptyIndex(db)
  setCursor(db, REBUILT, 0)
}

/** Puts the next packs into an index that is made anew. */
function indexNext(db: Db, after: number): void {
  const packs = packsAfter(db, after, PACKS)
  indexPacks(db, packs)
  if (packs.length === PACKS) setCursor(db, REBUILT, packs.at(-1)!.key)
  else {
    endCursor(db, REBUILT, after)
    completeIndex(db)
  }
}

/** Makes a function for the background, which does a part of the work that is due. It returns whether more may be left. */
export function packIndexUpkeep(): (services: Pick<Core, 'db' | 'commit'>) => Promise<boolean> {
  let isChecked = false
  const mergeSome = indexMerges([PACK_INDEX])

  return async ({ db, commit }) => {
    if (!isChecked) await commit(() => repairPackIndex(db))
    isChecked = true
    const after = cursorOf(db, REBUILT)
    if (after === undefined) return mergeSome({ db, commit })
    await commit(() => indexNext(db, after))
    return true
  }
}
