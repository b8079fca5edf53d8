/** Takes the rows of a trial away, a few at a time, so that its purge does not hold up requests. */

import { primaryKeys } from '#db/capture'
import type { Db } from '#db/open'
import { isDerivedTable } from '#db/restoreRules'
import { deleteWhere } from '#db/rows'
import { responseEvents, storedSubmissions } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { once } from '#kernel/once'
import { uncascadedTableNames } from './deletionStore'

/** Rows per statement. */
const ROWS = 100

/** Tables that are not kept with a deletion, but are the trial's own. */
const OWN_TABLES = ['deletions', 'jobs']

/** Tables whose rows go with those that they repeat. */
const PART_TABLES = ['masterFileTags', 'masterFileAssignees', 'masterFileVersions', 'fileApprovals']

type Reference = { table: string; parent: string }

/**
 * The tables whose rows are found by their trial; those first whose rows refer to others. Counts are few, and go with the trial; what has
 * no index by trial went with the participants.
 */
const tablesOfTrial = once(() => {
  let known: string[] | undefined
  return ({ $client: sqlite }: Db): string[] => {
    if (known) return known
    const references = sqlite
      .query<Reference, []>(
        `SELECT m.name AS "table", f."table" AS parent FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
         WHERE m.type = 'table' ORDER BY m.name`,
      )
      .all()
    const ordered = new Set<string>()
    const visited = new Set<string>()
    const add = (table: string): void => {
      if (visited.has(table)) return
      visited.add(table)
      for (const each of references) if (each.parent === table) add(each.table)
      ordered.add(table)
    }
    add('trials')
    for (const table of uncascadedTableNames) ordered.add(table)
    const named = sqlite.query<{ table: string }, []>(
      `SELECT DISTINCT m.name AS "table" FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_info(i.name) c
       WHERE m.type = 'table' AND NOT i.partial AND c.seqno = 0 AND c.name = 'trial'`,
    )
    const ofTrial = new Set(named.all().map(({ table }) => table))
    const isLeft = (table: string) =>
      (isDerivedTable(table) && !OWN_TABLES.includes(table)) || PART_TABLES.includes(table)
    known = [...ordered].filter((table) => ofTrial.has(table) && !isLeft(table))
    return known
  }
})

/** Deletes some rows of a table. Returns how many they were; `files` gets the stored names of uploads whose rows went. */
function deleteRows(db: Db, table: string, trial: Id, files: string[]): number {
  const { $client: sqlite } = db
  const primary = primaryKeys(db, table)
  const key = (primary.length ? primary : ['rowid']).map((column) => `"${column}"`).join(', ')
  const some = `SELECT ${key} FROM "${table}" WHERE trial = +$trial LIMIT ${ROWS}`
  const values = { trial }
  type StoredNameRow = { storedName: string }
  if (table === 'deletions')
    files.push(
      ...sqlite
        .query<StoredNameRow, [typeof values]>(`SELECT storedName FROM keptFiles WHERE deletion IN (${some})`)
        .all(values)
        .map(({ storedName }) => storedName),
    )
  const statement = `DELETE FROM "${table}" WHERE (${key}) IN (${some})`
  if (table !== 'files') return sqlite.query<unknown, [typeof values]>(statement).run(values).changes
  const rows = sqlite.query<StoredNameRow, [typeof values]>(`${statement} RETURNING storedName`).all(values)
  files.push(...rows.map(({ storedName }) => storedName))
  return rows.length
}

/** Deletes some responses that no participant has, with their history, and the history of some that were deleted before. */
function deleteResponses(db: Db, trial: Id): number {
  const { $client: sqlite } = db
  const responses = sqlite
    .query<{ response: Id }, [{ trial: Id }]>(
      `SELECT _id AS response FROM storedResponses WHERE stage IN (SELECT key FROM stages WHERE trial = +$trial)
       UNION ALL SELECT response FROM responseEvents WHERE trial = +$trial LIMIT ${ROWS}`,
    )
    .all({ trial })
  for (const { response } of responses) {
    deleteWhere(db, storedSubmissions, { response })
    deleteWhere(db, responseEvents, { response })
    sqlite.query<unknown, [{ response: Id }]>('DELETE FROM storedResponses WHERE _id = $response').run({ response })
  }
  return responses.length
}

/**
 * Deletes rows of a trial that has no participants, until the time is over.
 * @returns the stored names of the files to be removed; undefined if there was nothing to delete
 */
export function removeRows(db: Db, trial: Id, isOver: () => boolean): string[] | undefined {
  const files: string[] = []
  let count = 0
  const removeAll = (remove: () => number): boolean => {
    for (let removed = remove(); removed; removed = remove()) {
      count += removed
      if (isOver()) return false
    }
    return true
  }
  const isDone =
    removeAll(() => deleteResponses(db, trial)) &&
    tablesOfTrial(db).every((table) => removeAll(() => deleteRows(db, table, trial, files)))
  return isDone && !count ? undefined : files
}

/** Deletes the last entries of the audit chain of a deleted trial, until the time is over. Returns whether none is left. */
export function removeEntries({ $client: sqlite }: Db, chain: Id, isOver: () => boolean): boolean {
  const remove = sqlite.query<unknown, [{ chain: Id }]>(
    `DELETE FROM auditEntries WHERE chain = $chain
       AND number > (SELECT max(number) FROM auditEntries WHERE chain = $chain) - ${ROWS}`,
  )
  for (;;) {
    if (!remove.run({ chain }).changes) return true
    if (isOver()) return false
  }
}
