/** A data directory of an older version is upgraded completely or not at all; one of a newer version is refused. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command as backup } from '#cli/backup'
import { onDatabase } from '#cli/database'
import { command as restore } from '#cli/restore'
import { checks, command as verify } from '#cli/verify'
import { isDerived } from '#db/derive'
import { type Migration, migrations } from '#db/migrations/list'
import { drizzleOf, migrate, openSqlite, type Sqlite } from '#db/open'
import { newestSchema, schemaVersion } from '#db/schemaVersion'
import { isFault } from '#kernel/fault'
import { makeBackup } from '#server/backup/make'
import { restoreBackup } from '#server/backup/restore'
import { inThisVersion, openUpgraded } from '#server/backup/upgrade'
import { configure } from '#server/config/settings'
import { examine } from '#server/health/health'
import { type DataDirectory, readDataDirectory } from '#server/process/dataDirectory'
import { freshFolder } from '../server/process/folder'
import { exportedFrom, frozen, frozenVersions, makeStudy } from './frozen'

const NEXT = newestSchema + 1

/** A migration that rebuilds the table of participants, to which many tables refer, and adds a column to two tables with digests. */
const rebuild: Migration = { name: '9999-rebuild', sql: rebuilt('participants') }

function rebuilt(name: string): string {
  const all = migrations.map(({ sql }) => sql).join('\n')
  const table = new RegExp(`CREATE TABLE ${name} \\([\\s\\S]+?\\) STRICT;`).exec(all)![0]
  const indexes = all.match(new RegExp(`CREATE (UNIQUE )?INDEX \\w+ ON ${name} .+;`, 'g'))!
  const columns = [...table.matchAll(/^ {2}(\w+) (?!INTEGER NOT NULL GENERATED)[A-Z]/gm)]
    .map(([, column]) => column!)
    .filter((column) => column !== 'UNIQUE')
    .join(', ')
  return `
    ${table.replace(`TABLE ${name} (`, `TABLE made (\n  shoeSize INTEGER,`)}
    INSERT INTO made (${columns}) SELECT ${columns} FROM ${name};
    DROP TABLE ${name};
    ALTER TABLE made RENAME TO ${name};
    ${indexes.join('\n')}
    ALTER TABLE submissions ADD COLUMN weather TEXT;
    ALTER TABLE auditEntries ADD COLUMN weather TEXT;`
}

const LIST = [...migrations, rebuild]

let study: string
let exported: string
beforeAll(async () => {
  study = join(freshFolder(), 'data')
  await makeStudy(study)
  const { database } = readDataDirectory(study)
  const sqlite = openSqlite(database)
  exported = exportedFrom(drizzleOf(sqlite), freshFolder())
  sqlite.close()
}, 120_000)

/** A data directory with the study of this version. */
function older(): DataDirectory {
  const root = join(freshFolder(), 'data')
  cpSync(study, root, { recursive: true })
  return readDataDirectory(root)
}

/** Calls `act` with the database and closes it. */
function on<T>(sqlite: Sqlite, act: (sqlite: Sqlite) => T): T {
  try {
    return act(sqlite)
  } finally {
    sqlite.close()
  }
}

const verifyAll = (sqlite: Sqlite) => {
  for (const { run } of checks) run(sqlite)
}

/** Every row of every table, as it was under the first version that the test knows. */
function contentOf(database: string): unknown[] {
  return on(openSqlite(database, { readonly: true }), (sqlite) => {
    const tables = sqlite
      .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
      .all()
    return tables
      .map(({ name }) => name)
      .sort()
      .map((name) => {
        const rows = sqlite.query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`).all()
        return [name, rows.map(({ shoeSize: _, weather: __, ...row }) => JSON.stringify(row)).sort()]
      })
  })
}

const schemaOf = (sqlite: Sqlite) =>
  sqlite
    .query<{ name: string; sql: string }, []>('SELECT name, sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name')
    .all()

const messageOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (isFault(error)) return error.message
    throw error
  }
  return 'nothing was refused'
}

describe('an upgrade', () => {
  test('keeps a copy from before, says so, and leaves everything as it was', () => {
    const { database, backups } = older()
    const before = contentOf(database)
    const lines: string[] = []
    const copy = join(backups, `before-${NEXT}.db`)
    on(openUpgraded(database, backups, { list: LIST, say: (line) => lines.push(line) }), (sqlite) => {
      expect(schemaVersion(sqlite)).toBe(NEXT)
      expect(isDerived(sqlite)).toBe(true)
      expect(sqlite.query('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 })
      expect(sqlite.query('SELECT shoeSize FROM participants').all().length).toBeGreaterThan(5)
      expect(() => sqlite.run('DELETE FROM submissions')).toThrow('append-only')
      verifyAll(sqlite)
      expect(exportedFrom(drizzleOf(sqlite), freshFolder())).toBe(exported)
    })
    expect(lines).toEqual([
      `The database was upgraded from schema version ${newestSchema} to ${NEXT}; a copy from before is ${copy}`,
    ])
    expect(contentOf(database)).toEqual(before)
    expect(contentOf(copy)).toEqual(before)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    on(openSqlite(copy), (sqlite) => expect(schemaVersion(sqlite)).toBe(newestSchema))
    expect(readdirSync(backups).filter((name) => !/-(wal|shm)$/.test(name))).toEqual([`before-${NEXT}.db`])
  })

  test('is not made of a database of this version, nor of a new one', () => {
    const { database, backups } = older()
    const say = () => expect.unreachable()
    on(openUpgraded(database, backups, { say }), (sqlite) => expect(schemaVersion(sqlite)).toBe(newestSchema))
    const copyPath = join(freshFolder(), 'trialbox.db')
    on(openUpgraded(copyPath, backups, { say, list: LIST }), (sqlite) => expect(schemaVersion(sqlite)).toBe(NEXT))
    expect(readdirSync(backups)).toEqual([])
  })

  const failing = {
    'leaves rows without what they refer to': `${rebuild.sql} DELETE FROM participants;`,
    'cannot be read': `${rebuild.sql} ALTER TABLE nothing ADD COLUMN x TEXT;`,
  }
  test.each(Object.entries(failing))('that %s changes nothing, and says where the copy is', (_, sql) => {
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
    // The next attempt takes the place of the copy, and succeeds.
    on(openUpgraded(database, backups, { list: LIST }), verifyAll)
  })

  test('needs room for the copy, and says how much', () => {
    const { database, backups } = older()
    const before = contentOf(database)
    const message = messageOf(() => openUpgraded(database, backups, { list: LIST, freeAt: () => 65 * 1024 ** 2 }))
    expect(message).toMatch(/this needs \d+ MB of free space in .+, which has 65 MB\. Nothing was changed\.$/)
    expect(contentOf(database)).toEqual(before)
    expect(readdirSync(backups)).toEqual([])
  })

  test('clears the copy that a killed run did not finish, and nothing else', () => {
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
  test('is verified by a copy that is upgraded, and not changed', () => {
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

  test('is restored as it was kept, and upgraded when it is opened', () => {
    const archive = join(freshFolder(), 'kept.tar')
    const { manifest } = makeBackup(older(), archive, 1)
    expect(manifest.schema).toBe(newestSchema)
    const data = join(freshFolder(), 'data')
    let verified = 0
    restoreBackup(archive, data, 1, (sqlite) => (verified = schemaVersion(sqlite)), LIST)
    expect(verified).toBe(NEXT)
    const { database, backups } = readDataDirectory(data)
    on(openSqlite(database), (sqlite) => {
      expect(schemaVersion(sqlite)).toBe(newestSchema)
      inThisVersion(sqlite, backups, verifyAll, LIST) // although no server has made the folder of backups yet
    })
    on(openUpgraded(database, backups, { list: LIST }), (sqlite) => {
      verifyAll(sqlite)
      expect(exportedFrom(drizzleOf(sqlite), freshFolder())).toBe(exported)
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

  test('is refused by the server and by every command, which change nothing', async () => {
    const directory = newer()
    const { root, database, backups } = directory
    const before = contentOf(database)
    const call = { flags: { data: root }, words: [], env: {}, print: () => {} }
    const refusals = [
      messageOf(() => openUpgraded(database, backups)),
      messageOf(() => verify.run(call)),
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

  test('is not restored, and nothing is left', async () => {
    const archive = join(freshFolder(), 'newer.tar')
    makeBackup(newer(), archive, 1, LIST)
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

describe('released versions', () => {
  test('are all kept, but for the newest, whose schema may still change', () => {
    const missing = Array.from({ length: newestSchema - 1 }, (_, at) => at + 1).filter(
      (version) => !frozenVersions().includes(version),
    )
    expect(missing).toEqual([])
    expect(frozenVersions().filter((version) => version > newestSchema)).toEqual([])
  })

  for (const version of frozenVersions()) {
    test(`version ${version} is restored, upgraded, verified, exported as it was, and kept again`, () => {
      const folder = freshFolder()
      const { archive, exported } = frozen(version)
      const [kept, again] = ['kept.tar', 'again.tar'].map((name) => join(folder, name)) as [string, string]
      writeFileSync(kept, archive)
      const [data, second] = ['data', 'second'].map((name) => join(folder, name)) as [string, string]
      restoreBackup(kept, data, 1, verifyAll)
      const directory = readDataDirectory(data)
      on(openUpgraded(directory.database, directory.backups), (sqlite) => {
        verifyAll(sqlite)
        expect(exportedFrom(drizzleOf(sqlite), folder)).toBe(exported)
        const fresh = openSqlite(':memory:')
        migrate(fresh)
        const [names, expected] = [sqlite, fresh].map((each) => schemaOf(each).map(({ name }) => name))
        expect(names).toEqual(expected!)
      })
      makeBackup(directory, again, 2)
      restoreBackup(again, second, 2, verifyAll)
      on(openSqlite(readDataDirectory(second).database), (sqlite) =>
        expect(exportedFrom(drizzleOf(sqlite), folder)).toBe(exported),
      )
      expect(readFileSync(join(second, 'secrets'))).toEqual(readFileSync(join(data, 'secrets')))
    })
  }
})
