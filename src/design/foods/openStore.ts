/** The table of foods that a service uses: the imported one beside its database, else the built-in one. */
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Db, openSqlite, type Sqlite } from '#db/open'
import { refuse } from '#kernel/problem'
import { builtInTable } from './builtIn'
import { tableInfoOf } from './tableStore'
import { FOODS_FILE } from './types'

/** The opened tables by the path of the database beside them, and which file each is. */
const opened = new Map<string, { table: Sqlite; file: string }>()
let builtIn: Sqlite | undefined

/** Which file it is at the moment; an import puts another one in its place. */
function fileAt(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
  return stat && `${stat.ino} ${stat.mtimeNs} ${stat.size}`
}

/** Opens the table of a file. @throws 503 if it is damaged or another program's */
function openTable(path: string): Sqlite {
  try {
    const table = openSqlite(path, { readonly: true })
    if (tableInfoOf(table)) return table
    table.close()
  } catch {
    // reported below
  }
  throw refuse.unavailable('foodsUnreadable')
}

/**
 * The table beside a database, the imported or the built-in one. An imported one is seen at once, without a restart.
 * @throws 503 if the imported table is damaged: the built-in values never replace it silently
 */
export function foodsBeside(database: string): Sqlite {
  const path = join(dirname(database), FOODS_FILE)
  const file = database && database !== ':memory:' ? fileAt(path) : undefined
  const known = opened.get(path)
  if (known && known.file !== file) {
    known.table.close()
    opened.delete(path)
  }
  if (file === undefined) return (builtIn ??= builtInTable())
  if (known?.file === file) return known.table
  const table = openTable(path)
  opened.set(path, { table, file })
  return table
}

/** The table that searches and entries use now. @throws what `foodsBeside` throws */
export const foodsFor = ({ $client }: Pick<Db, '$client'>): Sqlite => foodsBeside($client.filename)
