/** Puts rows back that `capture` kept: with what triggers count, and with digests that fit the audit trail. */
import { refuse } from '#kernel/problem'
import { type CapturedRow, type Literals, literalValue, primaryKeys } from './capture'
import type { Db } from './open'
import {
  COLUMNS_SET_LAST,
  COUNTED_COLUMNS,
  DERIVED_TABLES,
  MADE_BY_TRIGGERS,
  READ_BY_TRIGGERS,
  SIGN_IN_TABLES,
} from './restoreRules'
import { changedRows, forgetChange } from './watch'

type Connection = Pick<Db, '$client'>
type Value = string | number | bigint | Buffer | null

const quoted = (name: string) => `"${name}"`

/** Performs a statement with the values of these literals, by position. */
const run = ({ $client: sqlite }: Connection, sql: string, values: readonly Value[]): number =>
  sqlite.query<unknown, Value[]>(sql).run(...values).changes

const conditionOf = (columns: readonly string[]) => columns.map((column) => `${quoted(column)} IS ?`).join(' AND ')

const valuesOf = (row: Literals, columns: readonly string[]): Value[] =>
  columns.map((column) => literalValue(row[column]!))

/** Whether a table has such a row. */
const hasRow = (
  { $client: sqlite }: Connection,
  table: string,
  columns: readonly string[],
  values: readonly Value[],
): boolean =>
  sqlite
    .query<unknown, Value[]>(`SELECT 1 FROM ${quoted(table)} WHERE ${conditionOf(columns)} LIMIT 1`)
    .get(...values) !== null

/** What follows the values: a row that a trigger made first gets the kept values, and a key that was used again meanwhile stays. */
function conflict(db: Connection, table: string, columns: readonly string[]): string {
  if (table === 'idempotencyKeys') return 'ON CONFLICT DO NOTHING'
  if (!MADE_BY_TRIGGERS.includes(table)) return ''
  const primary = primaryKeys(db, table)
  const set = columns
    .filter((column) => !primary.includes(column))
    .map((column) => `${quoted(column)} = excluded.${quoted(column)}`)
  return `ON CONFLICT (${primary.map(quoted).join(', ')}) DO UPDATE SET ${set.join(', ')}`
}

function insertRow(db: Connection, { table, before }: CapturedRow): void {
  const columns = Object.keys(before)
  const counted = COUNTED_COLUMNS[table] ?? []
  const values = columns.map((column) => (counted.includes(column) ? 0 : literalValue(before[column]!)))
  const places = columns.map(() => '?').join(', ')
  run(
    db,
    `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES (${places}) ${conflict(db, table, columns)}`,
    values,
  )
}

/**
 * The rows with integer keys that are free: SQLite may have given the key of a deleted row to a newer one. What refers to it gets the
 * new key too.
 */
function withFreeKeys(db: Connection, rows: readonly CapturedRow[]): CapturedRow[] {
  const keys = new Map<string, string>()
  for (const { table, before, after } of rows) {
    if (table !== 'participants' || after || !hasRow(db, table, ['key'], [literalValue(before.key!)])) continue
    const free = db.$client.query<{ key: number }, []>('SELECT max(key) + 1 AS key FROM participants').get()!.key
    keys.set(before.key!, `${free + keys.size}`)
  }
  if (!keys.size) return [...rows]
  const column: Record<string, string> = { participants: 'key', storedResponses: 'participant' }
  return rows.map((row) => {
    const name = column[row.table]
    const key = name === undefined ? undefined : keys.get(row.before[name]!)
    return key === undefined ? row : { ...row, before: { ...row.before, [name!]: key } }
  })
}

/** Sets again what the deletion set in rows that stayed, unless it was changed since. */
function undoChange(db: Connection, { table, before, after = {} }: CapturedRow): void {
  const primary = primaryKeys(db, table)
  const changed = Object.keys(before).filter((column) => before[column] !== after[column])
  if (!changed.length) return
  const sql = `UPDATE ${quoted(table)} SET ${changed.map((column) => `${quoted(column)} = ?`).join(', ')}
    WHERE ${conditionOf(primary)} AND ${conditionOf(changed)}`
  run(db, sql, [...valuesOf(before, changed), ...valuesOf(before, primary), ...valuesOf(after, changed)])
}

type Claim = { rule: string; response: string }

/** The payments that completions claim, of these responses. */
const claimsOf = ({ $client: sqlite }: Connection, responses: readonly Value[]): Claim[] =>
  sqlite
    .query<Claim, [{ responses: string }]>(
      'SELECT rule, response FROM incentiveClaims WHERE response IN (SELECT value FROM json_each($responses))',
    )
    .all({ responses: JSON.stringify(responses) })

/** A response that returns claims no payment that it had not claimed before. */
function insertWithoutNewClaims(db: Connection, rows: readonly CapturedRow[], insertAll: () => void): void {
  const valuesIn = (table: string, column: string) =>
    rows.flatMap((row) => (row.table === table ? [literalValue(row.before[column]!)] : []))
  const responses = valuesIn('storedResponses', '_id')
  const name = ({ rule, response }: Claim) => `${rule} ${response}`
  const rules = valuesIn('incentiveClaims', 'rule')
  const known = new Set(valuesIn('incentiveClaims', 'response').map((response, at) => `${rules[at]} ${response}`))
  for (const claim of claimsOf(db, responses)) known.add(name(claim))
  insertAll()
  for (const claim of claimsOf(db, responses))
    if (!known.has(name(claim)))
      db.$client
        .query<unknown, [Claim]>('DELETE FROM incentiveClaims WHERE rule = $rule AND response = $response')
        .run(claim)
}

type MarksOfSite = { site: string; hour: number; trial: string; verified: number }

/** The history of each site's marks stays as it is: the marks that return were counted when they were made. */
function insertWithoutHistory(db: Connection, rows: readonly CapturedRow[], insertAll: () => void): void {
  const { $client: sqlite } = db
  const returned = rows.flatMap(({ table, before }) =>
    table === 'participantSites' ? [literalValue(before.site!)] : [],
  )
  const sites = JSON.stringify([...new Set(returned)])
  const OF_SITES = 'siteVerifications WHERE site IN (SELECT value FROM json_each($sites))'
  const before = sqlite.query<MarksOfSite, [{ sites: string }]>(`SELECT * FROM ${OF_SITES}`).all({ sites })
  insertAll()
  sqlite.query<unknown, [{ sites: string }]>(`DELETE FROM ${OF_SITES}`).run({ sites })
  const insert = sqlite.query<unknown, [MarksOfSite]>(
    'INSERT INTO siteVerifications (site, hour, trial, verified) VALUES ($site, $hour, $trial, $verified)',
  )
  for (const row of before) insert.run(row)
}

/** Sets columns that triggers changed while the rows behind them were put back. */
function setAtEnd(db: Connection, { table, before }: CapturedRow): void {
  const columns = COLUMNS_SET_LAST[table]
  if (!columns) return
  const primary = primaryKeys(db, table)
  const sql = `UPDATE ${quoted(table)} SET ${columns.map((column) => `${quoted(column)} = ?`).join(', ')} WHERE ${conditionOf(primary)}`
  run(db, sql, [...valuesOf(before, columns), ...valuesOf(before, primary)])
}

const deleteRow = (db: Connection, { table, before }: CapturedRow): void => {
  const primary = primaryKeys(db, table)
  run(db, `DELETE FROM ${quoted(table)} WHERE ${conditionOf(primary)}`, valuesOf(before, primary))
}

type Reference = { table: string; from: string[]; to: string[]; action: string }

/** What the rows of a table refer to. */
function referencesOf(db: Connection, table: string): Reference[] {
  type Row = { id: number; table: string; from: string; to: string | null; on_delete: string }
  const rows = db.$client
    .query<Row, [{ name: string }]>(
      'SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list($name) ORDER BY id, seq',
    )
    .all({ name: table })
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((columns) => {
    const [{ table, on_delete: action }] = columns as [Row]
    const primary = primaryKeys(db, table)
    return { table, from: columns.map(({ from }) => from), to: columns.map(({ to }, at) => to ?? primary[at]!), action }
  })
}

/** Rows that a statement cannot delete, as they are history: what they refer to must be there. */
const HISTORY = ['consents', 'consentSessions', 'signatures', 'incentives']

/**
 * Removes rows whose site, stage or group was deleted meanwhile: that would have deleted them too. @throws 400 if they cannot be
 * without it
 */
function removeDangling(db: Connection, rows: readonly CapturedRow[]): void {
  const references = new Map<string, Reference[]>()
  const missing = new Map<string, boolean>()
  for (const row of rows) {
    let all = references.get(row.table)
    if (!all) references.set(row.table, (all = referencesOf(db, row.table)))
    for (const { table, from, to, action } of all) {
      const values = valuesOf(row.before, from)
      if (values.includes(null)) continue
      const name = `${table} ${to} ${values}`
      if (!missing.has(name)) missing.set(name, !hasRow(db, table, to, values))
      if (!missing.get(name)) continue
      if (action === 'CASCADE' && !HISTORY.includes(row.table)) {
        deleteRow(db, row)
        break
      }
      if (action !== 'SET NULL') throw refuse.bad('neededWasDeleted', undefined, { missing: table })
      const primary = primaryKeys(db, row.table)
      const set = from.map((column) => `${quoted(column)} = NULL`).join(', ')
      run(db, `UPDATE ${quoted(row.table)} SET ${set} WHERE ${conditionOf(primary)}`, valuesOf(row.before, primary))
    }
  }
  if ([...missing.values()].includes(true)) removeDanglingCounts(db)
}

/** Removes what triggers counted meanwhile for a site, stage or group that is not there. */
function removeDanglingCounts(db: Connection): void {
  for (const derived of DERIVED_TABLES)
    for (const { table, from, to, action } of referencesOf(db, derived)) {
      if (action !== 'CASCADE') continue
      const same = from.map((column, at) => `p.${quoted(to[at]!)} = ${quoted(derived)}.${quoted(column)}`).join(' AND ')
      const isSet = from.map((column) => `${quoted(column)} IS NOT NULL`).join(' AND ')
      run(
        db,
        `DELETE FROM ${quoted(derived)} WHERE ${isSet} AND NOT EXISTS (SELECT 1 FROM ${quoted(table)} AS p WHERE ${same})`,
        [],
      )
    }
}

/** The changes of rows that went with what owned them are no changes: the trail never said that they were gone. */
function forgetRestoredRows(db: Connection, rows: readonly CapturedRow[]): void {
  const owners = new Set(rows.flatMap(({ before }) => (before._id === undefined ? [] : [literalValue(before._id)])))
  for (const change of changedRows(db))
    if (change.before === null && owners.has(change.key.slice(0, change.key.indexOf(' ')))) forgetChange(db, change)
}

/**
 * Puts rows back, in a transaction. Sign-ins end, and rows whose site, stage or group was deleted meanwhile stay away.
 * @param rows as `capturing` returned them
 * @throws 400 if something that they need was deleted since
 */
export function restoreRows(db: Connection, rows: readonly CapturedRow[]): void {
  // Checked at the end of the transaction: a row may come before what it refers to.
  db.$client.run('PRAGMA defer_foreign_keys = ON')
  const all = withFreeKeys(db, rows).reverse()
  const isRead = ({ table }: CapturedRow) => READ_BY_TRIGGERS.includes(table)
  const rowsBack = all.filter(({ after }) => !after)
  const deleted = [...rowsBack.filter(isRead), ...rowsBack.filter((row) => !isRead(row))]
  insertWithoutNewClaims(db, deleted, () =>
    insertWithoutHistory(db, deleted, () => {
      for (const row of deleted) insertRow(db, row)
    }),
  )
  for (const row of all) if (row.after) undoChange(db, row)
  for (const row of deleted) setAtEnd(db, row)
  forgetRestoredRows(db, deleted)
  removeDangling(db, deleted)
  for (const row of deleted) if (SIGN_IN_TABLES.includes(row.table)) deleteRow(db, row)
}
