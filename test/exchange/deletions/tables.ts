/** All rows of a database, to compare what was before a deletion with what is after its restoration. */
import type { Db } from '#db/open'

/** Tables that grow with every act, and columns that background work sets anew. */
const GROWING = [
  'auditEntries',
  'auditHeads',
  'deletions',
  'deletedRows',
  'keptFiles',
  'cacheVersions',
  'idempotencyKeys',
]
const ENDED = ['participantTokens', 'grants', 'sessions', 'attempts', 'outbox', 'cursors', 'responseEvents']
const RECALCULATED = ['progressDueAt', 'revision', 'progressRevision', 'lastSeenAt', 'participantCount', 'lastUsedAt']
/** Read again in the background. */
const READ_AGAIN = ['masterFileKeys', 'masterFileTexts', 'masterFileVersionTexts']

/** Rows of tables, but counts of 0, as text in any order. */
export function allRows({ $client: sqlite }: Db, without: readonly string[] = []): Record<string, string[]> {
  const tables = sqlite
    .query<{ name: string }, []>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => ![...GROWING, ...ENDED, ...READ_AGAIN, ...without].includes(name))
  return Object.fromEntries(
    tables.map((name) => {
      const rows = sqlite.query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`).all()
      const isCount = (row: Record<string, unknown>) => [row.count, row.enrolled, row.queries].includes(0)
      const isZero = (row: Record<string, unknown>) => row.completed === 0 && row.overdue === 0
      const texts = rows
        .filter((row) => !isCount(row) && !isZero(row))
        .map((row) => JSON.stringify(row, (key, value) => (RECALCULATED.includes(key) ? undefined : value)))
      return [name, texts.sort()]
    }),
  )
}
