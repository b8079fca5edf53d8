/** Another program with an older SQLite finds a database of this program sound, also one that was upgraded. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { restoreBackup } from '#server/backup/restore'
import { openUpgraded } from '#server/backup/upgrade'
import { readDataDirectory } from '#server/process/dataDirectory'
import { freshFolder } from '../server/process/folder'
import { frozen, frozenVersions, makeStudy } from './frozen'
import { verifyAll } from './upgrade.shared'

/** What the Python of the system has; undefined if there is none. Debian 12 has 3.40. */
const python = '/usr/bin/python3'
const version = Bun.which(python)
  ? Bun.spawnSync([python, '-c', 'import sqlite3; print(sqlite3.sqlite_version)']).stdout.toString().trim()
  : undefined
const isOlder = version !== undefined && Bun.semver.order(version, '3.45.0') < 0

const CHECK = `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(db.execute('PRAGMA integrity_check').fetchall(), db.execute('PRAGMA foreign_key_check').fetchall())
`

function checkedByOlder(database: string): string {
  new Database(database).run('PRAGMA wal_checkpoint(TRUNCATE)')
  const { stdout, stderr } = Bun.spawnSync([python, '-c', CHECK, database])
  return `${stdout}${stderr}`.trim()
}

test.skipIf(!isOlder)(`a new database is sound to SQLite ${version}`, async () => {
  const data = join(freshFolder(), 'data')
  await makeStudy(data)
  expect(checkedByOlder(readDataDirectory(data).database)).toBe(`[('ok',)] []`)
})

test.skipIf(!isOlder).each(frozenVersions())(
  `a database of version %d that was upgraded is sound to SQLite ${version}`,
  (schema) => {
    const [folder, data] = [freshFolder(), join(freshFolder(), 'data')]
    const archive = join(folder, 'kept.tar')
    writeFileSync(archive, frozen(schema).archive)
    restoreBackup(archive, data, 1, verifyAll)
    const { database, backups } = readDataDirectory(data)
    openUpgraded(database, backups).close()
    expect(checkedByOlder(database)).toBe(`[('ok',)] []`)
  },
)
