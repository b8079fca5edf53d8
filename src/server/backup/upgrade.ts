/** Upgrades a database of an older version to this version after making a copy, or reads one without changing it. */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isEmpty, sizeOf } from '#db/file'
import { type Migration, migrations } from '#db/migrations/list'
import { migrate, openSqlite, type Sqlite } from '#db/open'
import { checkSchema, schemaVersion } from '#db/schemaVersion'
import { randomBytes } from '#kernel/cryptography'
import { fault } from '#kernel/fault'
import { syncDirectory } from '#server/process/durableFile'
import { freeSpaceAt } from '#server/process/freeSpace'
import { snapshotOf } from './snapshot'

type Options = {
  /** Called with one line that says what was done. */
  report?: (line: string) => void
  list?: readonly Migration[]
  /** Returns the free bytes on the disk of a path. */
  freeAt?: (path: string) => number
}

const MEGABYTE = 1024 ** 2
/** Disk space that an upgrade may need besides the copy: the write-ahead log may become as large as the database. */
const SPARE = 64 * MEGABYTE
const UNFINISHED = /^((before|after)-\d+\.db|(upgraded|rolledback)-[0-9a-f]{12})\.part(-\w+)?$/

/** A name for a database that takes the place of another one when it is complete. */
export const unfinishedName = (): string => `rolledback-${randomBytes(6).toString('hex')}.part`

/**
 * Opens the database of a data directory for writing, in this program's version. A database of an older version is copied to
 * `before-<version>.db` in the backups first; the copy replaces that of an earlier attempt.
 * @throws a fault if a newer version wrote it, if there is no space for the copy, or if a migration fails, after
 * which nothing is changed
 */
export function openUpgraded(database: string, backups: string, options: Options = {}): Sqlite {
  const { report = () => {}, list = migrations, freeAt = freeSpaceAt } = options
  const sqlite = openSqlite(database)
  try {
    for (const folder of [backups, dirname(database)]) clearUnfinished(folder)
    checkSchema(sqlite, list)
    const from = schemaVersion(sqlite)
    if (from === list.length || isEmpty(sqlite)) {
      migrate(sqlite, list)
      return sqlite
    }
    const copy = copyBefore(sqlite, join(backups, `before-${list.length}.db`), freeAt)
    try {
      migrate(sqlite, list)
    } catch (error) {
      throw fault(
        `The database could not be upgraded from schema version ${from} to ${list.length}: ${(error as Error).message} Nothing was changed, and a copy of it is ${copy}.`,
      )
    }
    report(`The database was upgraded from schema version ${from} to ${list.length}; a copy from before is ${copy}`)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Removes incomplete copies of a run that was killed. */
export function clearUnfinished(backups: string): void {
  if (!existsSync(backups)) return
  for (const name of readdirSync(backups)) if (UNFINISHED.test(name)) rmSync(join(backups, name), { force: true })
}

function copyBefore(sqlite: Sqlite, path: string, freeAt: (path: string) => number): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const needed = 2 * sizeOf(sqlite) + SPARE
  const free = freeAt(dirname(path))
  if (free < needed) {
    const [needs, has] = [needed, free].map((bytes) => `${Math.ceil(bytes / MEGABYTE)} MB`)
    throw fault(
      `The database must be upgraded, and a copy of it is kept first: this needs ${needs} of free space in ${dirname(path)}, which has ${has}. Nothing was changed.`,
    )
  }
  const part = `${path}.part`
  try {
    snapshotOf(sqlite, part)
    renameSync(part, path)
    syncDirectory(dirname(path))
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  return path
}

/**
 * Calls a function with a database in this program's version: itself, or a copy that is upgraded and removed afterwards. The
 * database itself is not changed.
 * @param folder in which the copy is made; it is created if there is none
 */
export function inThisVersion<T>(
  sqlite: Sqlite,
  folder: string,
  use: (sqlite: Sqlite) => T,
  list: readonly Migration[] = migrations,
): T {
  checkSchema(sqlite, list)
  if (schemaVersion(sqlite) === list.length) return use(sqlite)
  const path = join(folder, `upgraded-${randomBytes(6).toString('hex')}.part`)
  let copy: Sqlite | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 }) // a restored directory has none before the server starts
    snapshotOf(sqlite, path)
    copy = openSqlite(path)
    migrate(copy, list)
    return use(copy)
  } finally {
    copy?.close()
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true })
  }
}
