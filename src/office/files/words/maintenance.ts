/**
 * Maintains the index of words: rebuilds it if another version of the program made it or if rows are missing, and takes the words of deleted
 * rows out of its pages (docs/master-file.md, "Search").
 */
import type { CoreServices } from '#db/core'
import { cursorOf, endCursor, setCursor } from '#db/cursors'
import type { Db, Sqlite } from '#db/open'
import { type Connection, connectionOf, createIndexMerge } from '#db/textIndex'
import { fault } from '#kernel/fault'
import { addMissingRows, emptyIndexes, filesAfter, indexNames, wordCounts, wordIndexes, wordsFault } from './store'
import { WORDS_VERSION } from './tokens'

/** The cursor with the version of the index, and that with the key of the last file whose name is in it while it is made anew. */
const VERSION = 'masterFileWordsVersion'
const REBUILT = 'masterFileWordsRebuilt'

/** Names in one commit: some milliseconds of work. */
const NAMES = 100

/** Whether the index has all names, and all versions that are not due. */
function isComplete(db: Connection): boolean {
  const { files, names, versions, indexed, due, strays } = wordCounts(db)
  return strays === 0 && names === files && indexed + due === versions
}

/** @throws a fault if the index, or what it is made from, lacks rows. An index that the next start rebuilds is not a fault. */
export function verifyWords(sqlite: Sqlite): void {
  const db = connectionOf(sqlite)
  const problem = wordsFault(db)
  if (problem) throw fault(problem)
  const isCurrent = cursorOf(db, VERSION) === WORDS_VERSION && cursorOf(db, REBUILT) === undefined
  if (isCurrent && !isComplete(db))
    throw fault('the index of words lacks files or versions: the next start makes it anew')
}

/** Makes a whole index due if this one is not that of this program, or lacks rows. */
export function repairWords(db: Db): void {
  addMissingRows(db)
  if (cursorOf(db, VERSION) === WORDS_VERSION && isComplete(db)) return
  emptyIndexes(db)
  setCursor(db, VERSION, WORDS_VERSION)
  setCursor(db, REBUILT, 0)
}

/** Puts the names of the next files into an index that is made anew. */
function indexNextNames(db: Db, after: number): void {
  const files = filesAfter(db, after, NAMES)
  for (const file of files) indexNames(db, file)
  if (files.length === NAMES) setCursor(db, REBUILT, files.at(-1)!.key)
  else endCursor(db, REBUILT, after)
}

/** Makes a function for the background, which does a part of the work that is due. It returns whether more may be left. */
export function createWordMaintenance(): (services: Pick<CoreServices, 'db' | 'commit'>) => Promise<boolean> {
  let isChecked = false
  const mergeSome = createIndexMerge(wordIndexes)

  return async ({ db, commit }) => {
    if (!isChecked) await commit(() => repairWords(db))
    isChecked = true
    const after = cursorOf(db, REBUILT)
    if (after !== undefined) {
      await commit(() => indexNextNames(db, after))
      return true
    }
    return mergeSome({ db, commit })
  }
}
