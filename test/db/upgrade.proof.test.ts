/** A data directory of an older version is upgraded completely or not at all; one of a newer version is refused. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command as backup } from '#cli/backup'
import { verify } from '#cli/checks'
import { onDatabase } from '#cli/database'
import { command as restore } from '#cli/restore'
import { isDerivedSchemaCurrent } from '#db/derivedSchema'
import { drizzleOf, migrate, openSqlite } from '#db/open'
import { newestSchema, schemaVersion } from '#db/schemaVersion'
import { makeBackup } from '#server/backup/make'
import { restoreBackup } from '#server/backup/restore'
import { inThisVersion, openUpgraded } from '#server/backup/upgrade'
import { configure } from '#server/config/settings'
import { examine } from '#server/health/health'
import { type DataDirectory, readDataDirectory } from '#server/process/dataDirectory'
import { freshFolder } from '../server/process/folder'
import { exportedFrom, makeStudy } from './frozen'
import { contentOf, LIST, messageOf, NEXT, on, onLater, rebuild, schemaOf, verifyAll } from './upgrade.shared'

let study: string
let exported: string
beforeAll(async () => {
  study = join(freshFolder(), 'data')
  await makeStudy(study)
  const { database } = readDataDirectory(study)
  const sqlite = openSqlite(database)
  exported = await exportedFrom(drizzleOf(sqlite), freshFolder())
  sqlite.close()
}, 180_000)

/** A data directory with the study of this version. */
function older(): DataDirectory {
  const root = join(freshFolder(), 'data')
  cpSync(study, root, { recursive: true })
  return readDataDirectory(root)
}

describe('an upgrade', () => {
  test('keeps a copy of the old database, reports it, and changes no data', async () => {
    const { database, backups } = older()
    const before = contentOf(database)
    const lines: string[] = []
    const copy = join(backups, `before-${NEXT}.db`)
    await onLater(
      openUpgraded(database, backups, { list: LIST, report: (line) => lines.push(line) }),
      async (sqlite) => {
        expect(schemaVersion(sqlite)).toBe(NEXT)
        expect(isDerivedSchemaCurrent(sqlite)).toBe(true)
        expect(sqlite.query('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 })
        expect(sqlite.query('SELECT shoeSize FROM participants').all().length).toBeGreaterThan(5)
        expect(() => sqlite.run('DELETE FROM storedSubmissions')).toThrow('append-only')
        verifyAll(sqlite)
        expect(await exportedFrom(drizzleOf(sqlite), freshFolder())).toBe(exported)
      },
    )
    expect(lines).toEqual([
      `The database was upgraded from schema version ${newestSchema} to ${NEXT}; a copy from before is ${copy}`,
    ])
    expect(contentOf(database)).toEqual(before)
    expect(contentOf(copy)).toEqual(before)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    on(openSqlite(copy), (sqlite) => expect(schemaVersion(sqlite)).toBe(newestSchema))
    expect(readdirSync(backups).filter((name) => !/-(wal|shm)$/.test(name))).toEqual([`before-${NEXT}.db`])
  })

  test('does nothing to a database of this version, nor to a new one', () => {
    const { database, backups } = older()
    const report = () => expect.unreachable()
    on(openUpgraded(database, backups, { report }), (sqlite) => expect(schemaVersion(sqlite)).toBe(newestSchema))
    const copyPath = join(freshFolder(), 'trialbox.db')
    on(openUpgraded(copyPath, backups, { report, list: LIST }), (sqlite) => expect(schemaVersion(sqlite)).toBe(NEXT))
    expect(readdirSync(backups)).toEqual([])
  })

  const failing = {
    'leaves rows without what they refer to': `${rebuild.sql} DELETE FROM participants;`,
    'cannot be read': `${rebuild.sql} ALTER TABLE nothing ADD COLUMN x TEXT;`,
  }
  test.each(Object.entries(failing))('that %s changes nothing, and names the copy', (_, sql) => {
    const { database, backups } = older()
    const before = contentOf(database)
    const schema = on(openSqlite(database), schemaOf)
    const list = [...LIST, { name: '9999-fails', sql }]
    const copy = join(backups, `before-${list.length}.db`)
    const message = messageOf(() => openUpgraded(database, backups, { list }))
    expect(message).toContain(`could not be upgraded from schema version ${newestSchema} to ${list.length}`)
    expect(message).toEndWith(`Nothing was changed, and a copy of it is ${copy}.`)
    expect([contentOf(database), contentOf(copy)]).toEqual([before, before])
    expect(on(openSqlite(database), (sqlite) => [schemaVersion(sqlite), schemaOf(sqlite)])).toEqual([
      newestSchema,
      schema,
    ])
    // The next attempt overwrites the copy, and succeeds.
    on(openUpgraded(database, backups, { list: LIST }), verifyAll)
  })

  test('needs space for the copy, and reports how much', () => {
    const { database, backups } = older()
    const before = contentOf(database)
    const message = messageOf(() => openUpgraded(database, backups, { list: LIST, freeAt: () => 65 * 1024 ** 2 }))
    expect(message).toMatch(/this needs \d+ MB of free space in .+, which has 65 MB\. Nothing was changed\.$/)
    expect(contentOf(database)).toEqual(before)
    expect(readdirSync(backups)).toEqual([])
  })

  test('removes an unfinished copy of a killed run, and nothing else', () => {
    const { database, backups } = older()
    for (const name of [
      'before-2.db.part',
      'before-2.db.part-journal',
      'upgraded-0123456789ab.part',
      'mine.part',
      'old.tar',
    ])
      writeFileSync(join(backups, name), 'half')
    on(openUpgraded(database, backups), () => {})
    expect(readdirSync(backups).sort()).toEqual(['mine.part', 'old.tar'])
  })
})

describe('a database of an older version', () => {
  test('is verified through an upgraded copy, and not changed', () => {
    const { database, backups } = older()
    const before = contentOf(database)
    on(openSqlite(database, { readonly: true }), (sqlite) => {
      const report = inThisVersion(sqlite, backups, (copy) => [schemaVersion(copy), verifyAll(copy)], LIST)
      expect(report).toEqual([NEXT, undefined])
      expect(schemaVersion(sqlite)).toBe(newestSchema)
    })
    expect(contentOf(database)).toEqual(before)
    expect(readdirSync(backups)).toEqual([])
  })

  test('is upgraded when it is restored', async () => {
    const archive = join(freshFolder(), 'kept.tar')
    const { manifest } = await makeBackup(older(), archive, 1)
    expect(manifest.schema).toBe(newestSchema)
    const data = join(freshFolder(), 'data')
    let verified = 0
    restoreBackup(archive, data, 1, (sqlite) => (verified = schemaVersion(sqlite)), { list: LIST })
    expect(verified).toBe(NEXT)
    const { database, backups } = readDataDirectory(data)
    on(openSqlite(database), (sqlite) => {
      expect(schemaVersion(sqlite)).toBe(NEXT)
      verifyAll(sqlite)
    })
    await onLater(openUpgraded(database, backups, { list: LIST }), async (sqlite) => {
      verifyAll(sqlite)
      expect(await exportedFrom(drizzleOf(sqlite), freshFolder())).toBe(exported)
    })
  })
})

describe('a database of a newer version', () => {
  const both = `written by schema version ${NEXT}; this program knows up to ${newestSchema}.`

  function newer(): DataDirectory {
    const directory = older()
    on(openSqlite(directory.database), (sqlite) => migrate(sqlite, LIST))
    return directory
  }

  test('is refused by the server and every command without changes', async () => {
    const directory = newer()
    const { root, database, backups } = directory
    const before = contentOf(database)
    const call = { flags: { data: root }, words: [], env: {}, print: () => {} }
    const refusals = [
      messageOf(() => openUpgraded(database, backups)),
      messageOf(() => verify(call)),
      messageOf(() => onDatabase(call, () => expect.unreachable())),
      await Promise.resolve(backup.run(call)).then(
        () => '',
        (error: Error) => error.message,
      ),
    ]
    for (const message of refusals) expect(message).toContain(both)
    const findings = await Array.fromAsync(examine(configure({ data: root }, {}), 1))
    expect(findings.find(({ name }) => name === 'database')).toMatchObject({
      isFine: false,
      detail: expect.stringContaining(both),
    })
    expect(contentOf(database)).toEqual(before)
    expect(readdirSync(backups)).toEqual([])
  })

  test('is not restored, and leaves nothing behind', async () => {
    const archive = join(freshFolder(), 'newer.tar')
    await makeBackup(newer(), archive, 1, { list: LIST })
    const data = join(freshFolder(), 'data')
    const call = { flags: { data }, words: [archive], env: {}, print: () => {} }
    const message = await Promise.resolve(restore.run(call)).then(
      () => '',
      (error: Error) => error.message,
    )
    expect(message).toContain(`with schema version ${NEXT}; this program knows up to ${newestSchema}.`)
    expect(existsSync(data)).toBe(false)
  })
})
