/** A new database with all tables. To migrate one takes a third of a second of CPU, so each process does it once. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate, openSqlite, type Sqlite } from '#db/open'
import { once } from '#kernel/once'
import { freshFolder } from './server/process/folder'

/** Its file. */
export const newDatabase = once(() => {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const file = sqlite.serialize()
  sqlite.close()
  return () => file
})

/** Makes one, and opens it. */
export function openNew(path = join(freshFolder(), 'trialbox.db')): Sqlite {
  writeFileSync(path, newDatabase())
  return openSqlite(path)
}
