/** Writes the digest of the tables that all migrations make. `bun scripts/manual.ts` calls it; a test checks that it is current. */
import { join } from 'node:path'
import { migrate, openSqlite } from '#db/open'
import { digestOfTables } from '#db/schemaVersion'

/** The digest, computed from the migrations. */
export function digestOfMigrations(): string {
  const sqlite = openSqlite(':memory:')
  try {
    migrate(sqlite)
    return digestOfTables(sqlite)
  } finally {
    sqlite.close()
  }
}

export async function writeTablesDigest(): Promise<void> {
  const path = join(import.meta.dir, '../src/db/migrations/tablesDigest.ts')
  const text = await Bun.file(path).text()
  await Bun.write(
    path,
    text.replace(/(TABLES_DIGEST = )'.*'/, (_, start: string) => `${start}'${digestOfMigrations()}'`),
  )
}
