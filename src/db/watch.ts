/**
 * Notes which watched rows a connection changes, in temporary triggers and a temporary table: only what this program writes is
 * noted, and a rollback undoes the note with the change. Another program's changes are noted nowhere.
 */
import { once } from '#kernel/once'
import { markChanges } from './commit'
import type { Db, Sqlite } from './open'
import { type WatchedTable, watchedTables } from './watchedTables'

/** The database whose changes are noted. */
export type Connection = Pick<Db, '$client'>

const watching = new WeakSet<Sqlite>()

/** Whether changes on this connection are noted. */
const isWatching = ({ $client }: Connection): boolean => watching.has($client)

/** Notes a row, unless it was noted before: `before` is its text from before the first change, NULL if there was no row. */
const insertChange = (name: string, key: string, before: string) =>
  `INSERT INTO changedRows SELECT '${name}', ${key}, ${before} WHERE TRUE ON CONFLICT DO NOTHING`

function triggersOf({ name, columns, key, text, owner, ownerExists }: WatchedTable): string {
  const trigger = (event: string, suffix: string, body: string, when = '') =>
    `CREATE TEMP TRIGGER "${name}Watch${suffix}" AFTER ${event} ON main."${name}" ${when} BEGIN ${body}; END;`
  const of = columns.map((column) => `"${column}"`).join(', ')
  return [
    trigger('INSERT', 'Insert', insertChange(name, key('NEW'), 'NULL')),
    trigger(
      `UPDATE OF ${of}`,
      'Update',
      `${insertChange(name, key('OLD'), text('OLD'))}; ${insertChange(name, key('NEW'), 'NULL')}`,
    ),
    trigger('DELETE', 'Delete', insertChange(name, key('OLD'), text('OLD')), `WHEN ${ownerExists(owner('OLD'))}`),
  ].join('\n')
}

const setup = once(() => {
  const text = [
    'CREATE TEMP TABLE changedRows ("table" TEXT NOT NULL, key TEXT NOT NULL, before TEXT, PRIMARY KEY ("table", key)) WITHOUT ROWID;',
    ...Array.from(watchedTables().values(), triggersOf),
  ].join('\n')
  return () => text
})

/** Begins to note the changes of this connection. Call it when the tables are those of this version, and again if they were dropped. */
export function watchRows({ $client: sqlite }: Connection): void {
  sqlite.run('DROP TABLE IF EXISTS temp.changedRows')
  sqlite.run(setup())
  watching.add(sqlite)
}

/** Begins to note the changes of this connection, unless it does already. */
export function watchRowsOnce(db: Connection): void {
  if (!isWatching(db)) watchRows(db)
}

export type ChangedRow = { table: string; key: string; before: string | null }

// One statement, as every act runs it twice: the next act needs to know how many rows were changed before it.
const CHANGED = 'SELECT EXISTS (SELECT 1 FROM temp.changedRows) AS isChanged, total_changes() AS rows'

/** Whether any change is noted. */
export function hasChanges(db: Connection): boolean {
  if (!isWatching(db)) return false
  const { isChanged, rows } = db.$client.query<{ isChanged: number; rows: number }, []>(CHANGED).get()!
  markChanges(db, isChanged === 1, rows)
  return isChanged === 1
}

/** The noted changes; they may be forgotten one by one meanwhile. */
export const changedRows = ({ $client: sqlite }: Connection): ChangedRow[] =>
  sqlite.query<ChangedRow, []>('SELECT "table", key, before FROM temp.changedRows').all()

/** Forgets a noted change. */
export const forgetChange = ({ $client: sqlite }: Connection, { table, key }: Pick<ChangedRow, 'table' | 'key'>) =>
  sqlite
    .query<unknown, [{ table: string; key: string }]>(
      'DELETE FROM temp.changedRows WHERE "table" = $table AND key = $key',
    )
    .run({ table, key })

/** The text of a row as it is now; undefined if there is no such row. */
export function textOfRow(
  { $client: sqlite }: Connection,
  { name, primary, text }: WatchedTable,
  key: string,
): string | undefined {
  const values = key.split(' ').slice(-primary.length)
  const where = primary.map((column, at) => `r."${column}" = $p${at}`).join(' AND ')
  return sqlite
    .query<{ text: string }, [Record<string, string>]>(`SELECT ${text('r')} AS text FROM "${name}" AS r WHERE ${where}`)
    .get(Object.fromEntries(values.map((value, at) => [`p${at}`, value])))?.text
}

/** Whether another trial, or a participant of another trial, owns the row of this key. */
export function isOfOtherTrial({ $client: sqlite }: Connection, key: string, trial: string): boolean {
  const owner = key.slice(0, key.indexOf(' '))
  if (owner === trial) return false
  const found = sqlite
    .query<{ trial: string }, [{ owner: string }]>(
      `SELECT trial FROM participants WHERE _id = +$owner UNION ALL SELECT _id FROM trials WHERE _id = +$owner`,
    )
    .get({ owner })
  return found !== null && found.trial !== trial
}

/** Whether what owned the row of this key still exists. */
export const ownerOfKeyExists = (
  { $client: sqlite }: Connection,
  { ownerExists }: WatchedTable,
  key: string,
): boolean =>
  sqlite
    .query<{ is: number }, [{ owner: string }]>(`SELECT ${ownerExists('$owner')} AS "is"`)
    .get({ owner: key.slice(0, key.indexOf(' ')) })?.is === 1
