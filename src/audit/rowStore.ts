/** The SQL of the check of current rows: what the trail says of each row is collected in a temporary table, on disk if it is large. */
import type { Sqlite } from '#db/open'
import type { WatchedTable } from '#db/watchedTables'

/** An entry that vouches for rows. `rows` is the JSON of `RowChanges`. */
export type RowEntry = { chain: string; number: number; rows: string }

/** What the trail says of a row: its digest (null if it was deleted), and the last entry that names it. */
export type ExpectedRow = { digest: string | null; chain: string; number: number }

type RowKey = { table: string; key: string }

/** The entries that vouch for rows, in the order in which they were written. */
export const rowEntries = (sqlite: Sqlite) =>
  sqlite
    .query<RowEntry, []>('SELECT chain, number, rows FROM auditEntries WHERE rows IS NOT NULL ORDER BY _id')
    .iterate()

/** Whether any trial was deleted, and the entries of its chain with it. */
export const hasDeletedChains = (sqlite: Sqlite): boolean =>
  sqlite.query('SELECT 1 FROM deletedChains LIMIT 1').get() !== null

const create = (sqlite: Sqlite) =>
  sqlite.run(
    `CREATE TEMP TABLE expectedRows ("table" TEXT NOT NULL, key TEXT NOT NULL, digest TEXT, chain TEXT NOT NULL,
       number INTEGER NOT NULL, PRIMARY KEY ("table", key)) WITHOUT ROWID`,
  )

/** Calls a function while the temporary table of expected rows exists. */
export function withExpectedRows<T>(sqlite: Sqlite, use: () => T): T {
  create(sqlite)
  try {
    return sqlite.transaction(use)()
  } finally {
    sqlite.run('DROP TABLE temp.expectedRows')
  }
}

export const expectedRow = (sqlite: Sqlite, row: RowKey): ExpectedRow | null =>
  sqlite
    .query<ExpectedRow, [RowKey]>(
      'SELECT digest, chain, number FROM temp.expectedRows WHERE "table" = $table AND key = $key',
    )
    .get(row)

export const saveExpectedRow = (sqlite: Sqlite, row: RowKey & ExpectedRow) =>
  sqlite
    .query<unknown, [RowKey & ExpectedRow]>(
      `INSERT INTO temp.expectedRows ("table", key, digest, chain, number) VALUES ($table, $key, $digest, $chain, $number)
       ON CONFLICT DO UPDATE SET digest = excluded.digest, chain = excluded.chain, number = excluded.number`,
    )
    .run(row)

/** Forgets a row that was found. Those left at the end are missing. */
export const deleteExpectedRow = (sqlite: Sqlite, row: RowKey) =>
  sqlite.query<unknown, [RowKey]>('DELETE FROM temp.expectedRows WHERE "table" = $table AND key = $key').run(row)

/** The rows of a table that were not found, although the trail says that they exist. */
export const missingRows = (sqlite: Sqlite, table: string) =>
  sqlite
    .query<ExpectedRow & RowKey, [{ table: string }]>(
      'SELECT * FROM temp.expectedRows WHERE "table" = $table AND digest IS NOT NULL',
    )
    .iterate({ table })

/** The key and the text of every row. */
export const rowTexts = (sqlite: Sqlite, { name, key, text }: WatchedTable) =>
  sqlite
    .query<{ key: string; text: string }, []>(`SELECT ${key('r')} AS key, ${text('r')} AS text FROM "${name}" AS r`)
    .iterate()
