/** Copies what can be read of a damaged database into a new one. */
import { type Migration, migrations } from '#db/migrations/list'
import { dropDerived } from './derivedSchema'
import { migrate, type Sqlite } from './open'
import { schemaVersion } from './schemaVersion'

type Value = string | number | bigint | Uint8Array | null
type Row = Record<string, Value>

/** How many rows of a table could be copied, and whether a part of the table could not be read. */
export type SalvagedTable = { table: string; rows: number; isWhole: boolean }

/** Numbers of rows that are skipped, one after the other, to get past a damaged page. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000]

/**
 * Copies every row that can be read into an empty database. Rows on damaged pages are left out.
 * @param list migrations; the new database gets the version of the damaged one
 */
export function salvageInto(damaged: Sqlite, fresh: Sqlite, list: readonly Migration[] = migrations): SalvagedTable[] {
  const version = Math.min(schemaVersion(damaged) || list.length, list.length)
  migrate(fresh, list.slice(0, version))
  dropDerived(fresh) // triggers would count again, and refuse rows that refer to lost ones
  fresh.run('PRAGMA foreign_keys = OFF')
  const tables = fresh
    .query<{ name: string; wr: number }, []>(
      `SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all()
  return tables.map(({ name, wr }) => fresh.transaction(() => copyTable(damaged, fresh, name, wr === 0))())
}

function copyTable(damaged: Sqlite, fresh: Sqlite, table: string, hasRowid: boolean): SalvagedTable {
  const columns = fresh
    .query<{ name: string; pk: number }, [{ table: string }]>('SELECT name, pk FROM pragma_table_info($table)')
    .all({ table })
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const insert = fresh.query<unknown, [Row]>(
    `INSERT OR IGNORE INTO "${table}" (${names}) VALUES (${columns.map(({ name }) => `$${name}`).join(', ')})`,
  )
  const key = hasRowid
    ? ['rowid']
    : columns
        .filter(({ pk }) => pk)
        .sort((a, b) => a.pk - b.pk)
        .map(({ name }) => `"${name}"`)
  let rows = 0
  let last: number | undefined
  /** Copies rows until the end or a damaged page. Returns whether it reached the end. */
  const copy = (condition: string, direction: 'ASC' | 'DESC'): boolean => {
    const order = key.map((column) => `${column} ${direction}`).join(', ')
    try {
      const select = `SELECT ${hasRowid ? 'rowid AS "rowid of the row", ' : ''}${names} FROM "${table}" NOT INDEXED WHERE ${condition} ORDER BY ${order}`
      for (const row of damaged.query<Row, []>(select).iterate()) {
        const { 'rowid of the row': rowid, ...values } = row
        if (direction === 'ASC' && typeof rowid === 'number') last = rowid
        try {
          rows += insert.run(values).changes
        } catch {
          // What the tables of a sound database cannot hold is damage, too.
        }
      }
      return true
    } catch {
      return false
    }
  }
  if (copy('TRUE', 'ASC')) return { table, rows, isWhole: true }
  if (hasRowid)
    for (let at = 0; at < STEPS.length; at++) {
      const from = last
      if (copy(`rowid >= ${(last ?? 0) + STEPS[at]!}`, 'ASC')) return { table, rows, isWhole: false }
      if (last !== from) at = -1 // past that page; the next damaged one may follow
    }
  copy('TRUE', 'DESC')
  return { table, rows, isWhole: false }
}
