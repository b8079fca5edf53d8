/** Reads the database in an export of Health Connect. The file is not trusted: nothing in it is run, and it is opened for reading only. */
import { Database } from 'bun:sqlite'
import { refuse } from '#kernel/problem'

/** What is read, by table: the columns that it must have. Times are milliseconds since 1970, offsets are seconds. */
const TABLES = {
  steps_record_table: ['start_time', 'start_zone_offset', 'count', 'app_info_id'],
  distance_record_table: ['start_time', 'start_zone_offset', 'distance', 'app_info_id'],
  floors_climbed_record_table: ['start_time', 'start_zone_offset', 'floors', 'app_info_id'],
  resting_heart_rate_record_table: ['time', 'zone_offset', 'beats_per_minute', 'app_info_id'],
  sleep_session_record_table: [
    'row_id',
    'start_time',
    'end_time',
    'start_zone_offset',
    'end_zone_offset',
    'app_info_id',
  ],
  sleep_stages_table: ['parent_key', 'stage_start_time', 'stage_end_time', 'stage_type'],
  exercise_session_record_table: ['start_time', 'end_time', 'start_zone_offset', 'exercise_type', 'app_info_id'],
} as const
export type HealthTable = keyof typeof TABLES
export type HealthRow = Readonly<Record<string, unknown>>

export type HealthDatabase = {
  /** The rows of a table; none if the database has no such table. */
  rows(table: HealthTable): Iterable<HealthRow>
  /** How many other tables have records. */
  others: number
  close(): void
}

/** @throws 400 if it is no database, or has none of the tables */
export function openHealthDatabase(bytes: Uint8Array): HealthDatabase {
  const sqlite = openDatabase(bytes)
  try {
    sqlite.run('PRAGMA trusted_schema = OFF')
    sqlite.run('PRAGMA query_only = ON')
    // Tables only: a view of a stranger could run anything that SQL can.
    const names = sqlite
      .query<{ name: string }, []>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`,
      )
      .all()
      .map(({ name }) => name)
    const known = Object.keys(TABLES).filter((table) => names.includes(table))
    if (!known.length) throw refuse.bad('noHealthConnectTables')
    const records = names.filter((name) => /_record_table$/i.test(name))
    return {
      *rows(table) {
        if (!known.includes(table)) return
        const columns = columnsOf(sqlite, table)
        if (TABLES[table].some((column) => !columns.includes(column))) return
        yield* sqlite.query<HealthRow, []>(`SELECT ${TABLES[table].join(', ')} FROM ${table} ORDER BY rowid`).iterate()
      },
      others: records.filter((name) => !known.includes(name)).length,
      close: () => sqlite.close(),
    }
  } catch (error) {
    sqlite.close()
    throw error instanceof Error && error.name === 'SQLiteError' ? damaged() : error
  }
}

const damaged = () => refuse.bad('damagedHealthConnect')

const columnsOf = (sqlite: Database, table: HealthTable): string[] =>
  sqlite
    .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name)

function openDatabase(bytes: Uint8Array): Database {
  try {
    return Database.deserialize(bytes)
  } catch {
    throw damaged()
  }
}
