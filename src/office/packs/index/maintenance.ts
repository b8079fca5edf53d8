/**
 * Maintains the index of packs: rebuilds it if another version of the program made it or if packs are missing, and takes the trigrams of deleted
 * packs out of its pages (docs/packs.md, "Lists").
 */
import { runInTransaction } from '#db/commit'
import type { CoreServices } from '#db/core'
import { cursorOf, endCursor, setCursor } from '#db/cursors'
import type { Db, Sqlite } from '#db/open'
import { type Connection, connectionOf, createIndexMerge } from '#db/textIndex'
import { fault } from '#kernel/fault'
import type { Id } from '#kernel/id'
import {
  completeIndex,
  emptyIndex,
  indexCounts,
  indexPacks,
  isComplete,
  keysWith,
  PACK_INDEX,
  packsAfter,
} from './store'
import { wordsOf } from './trigrams'

/** The cursor with the key of the last pack that is in the index while it is made anew. Searches do without it meanwhile. */
const REBUILT = 'packTrigramsRebuilt'

/** Packs in one commit: some milliseconds of work. */
const PACKS = 200

/**
 * The first pack whose trigrams are not those that the index has for it. Each trigram is looked up once: to look up each pack takes
 * a thousand times as long.
 */
function packDifferingFromIndex(db: Connection): Id | undefined {
  const words = new Set<string>()
  /** By key: the sum of the hashes of its trigrams, which the index then brings to 0. */
  const sums = new Map<number, number>()
  const add = (key: number, hash: number) => void sums.set(key, (sums.get(key) ?? 0) + hash)
  for (let some = packsAfter(db, 0, PACKS); some.length; some = packsAfter(db, some.at(-1)!.key, PACKS))
    for (const { key, trial, searchText } of some)
      for (const word of wordsOf(trial, searchText)) {
        words.add(word)
        add(key, Bun.hash.xxHash32(word))
      }
  for (const word of words) {
    const hash = Bun.hash.xxHash32(word)
    for (const key of keysWith(db, word)) add(key, -hash)
  }
  for (const [key, sum] of sums) if (sum !== 0) return packsAfter(db, key - 1, 1)[0]?._id
  return undefined
}

/** Returns a summary. @throws a fault that names the first pack that is not found. An index that is being rebuilt is not a fault. */
export function verifyPackIndex(sqlite: Sqlite): string {
  const db = connectionOf(sqlite)
  const { packs, indexed } = indexCounts(db)
  if (!isComplete(db)) return `${packs} packs; their index is made anew by the server`
  if (indexed !== packs) throw fault(`the index has ${indexed} of ${packs} packs: the next start makes it anew`)
  const lost = packDifferingFromIndex(db)
  if (lost !== undefined) throw fault(`pack ${lost} is not found by its name and batch number`)
  return `${packs} packs are found by their names and batch numbers`
}

/** Lets the index be made anew if this one is not that of this program, or does not have all packs. */
export function repairPackIndex(db: Db): void {
  const { packs, indexed } = indexCounts(db)
  if (isComplete(db) && packs === indexed) return
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

/** Makes the whole index anew, at once, in transactions of their own. */
export function rebuildPackIndex(db: Db): void {
  runInTransaction(db, () => {
    emptyIndex(db)
    setCursor(db, REBUILT, 0)
  })
  for (let after = cursorOf(db, REBUILT); after !== undefined; after = cursorOf(db, REBUILT)) {
    const from = after
    runInTransaction(db, () => indexNext(db, from))
  }
}

/** Makes a function for the background, which does a part of the work that is due. It returns whether more may be left. */
export function createPackIndexMaintenance(): (services: Pick<CoreServices, 'db' | 'commit'>) => Promise<boolean> {
  let isChecked = false
  const mergeSome = createIndexMerge([PACK_INDEX])

  return async ({ db, commit }) => {
    if (!isChecked) await commit(() => repairPackIndex(db))
    isChecked = true
    const after = cursorOf(db, REBUILT)
    if (after === undefined) return mergeSome({ db, commit })
    await commit(() => indexNext(db, after))
    return true
  }
}
