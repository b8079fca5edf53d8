/** A database whose tables are not those of its schema version is refused by the server and by each command, and not changed. */
import { expect, test } from 'bun:test'
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command as backup } from '#cli/backup'
import { verify } from '#cli/checks'
import { onDatabase } from '#cli/database'
import { type Migration, migrations } from '#db/migrations/list'
import { migrate, openSqlite } from '#db/open'
import { checkSchema, digestOfTables, newestDigest } from '#db/schemaVersion'
import { isFault } from '#kernel/fault'
import { openUpgraded } from '#server/backup/upgrade'
import { configure } from '#server/config/settings'
import { examine } from '#server/health/health'
import { openDataDirectory } from '#server/process/dataDirectory'
import { openNew } from '../newDatabase'
import { freshFolder } from '../server/process/folder'

/** What the tables of a version between two releases may be, and which of them is named. */
const otherwise = [
  ['lacks a column', 'ALTER TABLE taskLanes DROP COLUMN description', 'taskLanes'],
  ['has a column more', 'ALTER TABLE participants ADD COLUMN shoeSize INTEGER', 'participants'],
  ['lacks a table', 'DROP TABLE layouts', 'layouts'],
  ['computes a column', 'ALTER TABLE sites ADD COLUMN two INTEGER GENERATED ALWAYS AS (2) VIRTUAL', 'sites'],
] as const

/** A database that says it has this program's schema version. */
function database(change: string): string {
  const path = join(freshFolder(), 'trialbox.db')
  const sqlite = openNew(path)
  sqlite.run(change)
  sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)') // so that all of it is in one file
  sqlite.close()
  return path
}

const messageOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (isFault(error)) return error.message
    throw error
  }
  return 'nothing was refused'
}

test.each(otherwise)('a database that %s is refused with the name of the table', (_, change, table) => {
  const path = database(change)
  const message = messageOf(() => openUpgraded(path, join(freshFolder(), 'backups')))
  expect(message).toContain(
    `This data directory has schema version ${migrations.length}, but its table "${table}" is not`,
  )
})

test('an index or a table that somebody added does no harm', () => {
  const path = database('CREATE TABLE mine (x TEXT); CREATE INDEX ours ON sites (name, trial)')
  openUpgraded(path, join(freshFolder(), 'backups')).close()
})

test('the tables of a version are those that its own migrations make', () => {
  const added: Migration = { name: '9999-added', sql: 'ALTER TABLE sites ADD COLUMN floor INTEGER' }
  const list = [...migrations, added]
  const sqlite = openNew()
  expect(messageOf(() => checkSchema(sqlite, list))).toBe('nothing was refused')
  migrate(sqlite, list)
  expect(messageOf(() => checkSchema(sqlite, list))).toBe('nothing was refused')
  sqlite.run(`PRAGMA user_version = ${migrations.length}`)
  expect(messageOf(() => checkSchema(sqlite, list))).toContain('table "sites"')
  sqlite.close()
})

test('the server and each command refuse it and change nothing', async () => {
  const root = join(freshFolder(), 'data')
  const { directory, lock } = openDataDirectory(root)
  const { database: path, backups } = directory
  copyFileSync(database(otherwise[0][1]), path)
  lock.release()
  const before = readFileSync(path)
  const call = { flags: { data: root }, words: [], env: {}, print: () => {} }
  const refusals = [
    messageOf(() => openUpgraded(path, backups)),
    messageOf(() => verify(call)),
    messageOf(() => onDatabase(call, () => expect.unreachable())),
    await Promise.resolve(backup.run(call)).then(
      () => '',
      (error: Error) => error.message,
    ),
  ]
  for (const message of refusals) expect(message).toContain('its table "taskLanes" is not')
  const findings = await Array.fromAsync(examine(configure({ data: root }, {}), 1))
  expect(findings.find(({ name }) => name === 'database')).toMatchObject({ isFine: false })
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(readdirSync(backups)).toEqual([])
})

test('the digest of the tables is what a migrated database has, and differs for a table that somebody changed or added', () => {
  const migrated = openSqlite(':memory:')
  migrate(migrated)
  expect(digestOfTables(migrated)).toBe(newestDigest())
  migrated.close()
  for (const statement of [
    'ALTER TABLE sites ADD COLUMN extra TEXT',
    'CREATE TABLE extra (a TEXT)',
    'DROP TABLE taskLanes',
  ]) {
    const sqlite = openNew()
    sqlite.run(statement)
    expect(digestOfTables(sqlite)).not.toBe(newestDigest())
    sqlite.close()
  }
})
