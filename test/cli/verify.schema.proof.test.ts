/** What a database is made of: `verify` and `doctor` name each trigger, view, index and table that is not the one of this program. */
import { Database } from 'bun:sqlite'
import { beforeAll, expect, test } from 'bun:test'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command as backup } from '#cli/backup'
import { problemsIn } from '#cli/checks'
import { command as restore } from '#cli/restore'
import { command } from '#cli/verify'
import { schemaProblems } from '#db/verifySchema'
import { restoreBackup } from '#server/backup/restore'
import { openUpgraded } from '#server/backup/upgrade'
import { configure } from '#server/config/settings'
import { examine } from '#server/health/health'
import { readDataDirectory } from '#server/process/dataDirectory'
import { frozen, frozenVersions, makeStudy } from '../db/frozen'
import { freshFolder } from '../server/process/folder'

let study: string
beforeAll(async () => {
  study = join(freshFolder(), 'data')
  await makeStudy(study)
}, 180_000)

/** The study's data directory, changed by another program. */
function changed(change: (sqlite: Database) => void): string {
  const root = join(freshFolder(), 'data')
  cpSync(study, root, { recursive: true })
  const sqlite = new Database(join(root, 'trialbox.db'))
  change(sqlite)
  sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)')
  sqlite.close()
  return root
}

async function verified(data: string, ...words: string[]) {
  const lines: string[] = []
  const code = await command.run({ flags: { data }, words, env: {}, print: (line) => lines.push(line) })
  return { code, faults: lines.filter((line) => line.startsWith('fault')).join() }
}

/** The statement that made something, with a change. */
function remade(sqlite: Database, type: string, name: string, change: (sql: string) => string): void {
  const made = sqlite.query<{ sql: string }, [string]>('SELECT sql FROM sqlite_schema WHERE name = ?').get(name)
  sqlite.run(`DROP ${type} "${name}"`)
  if (made) sqlite.run(change(made.sql))
}

/** The first trigger that refuses changes of the audit trail. */
const guard = (sqlite: Database): string =>
  sqlite
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'auditEntries' AND sql LIKE '%RAISE%' ORDER BY name`,
    )
    .get()?.name ?? ''

test.each<[string, (sqlite: Database) => void, RegExp]>([
  [
    'a dropped trigger',
    (sqlite) => sqlite.run(`DROP TRIGGER "${guard(sqlite)}"`),
    /schema +trigger audit\w+ is missing/,
  ],
  [
    'a trigger with a harmless-looking edit',
    (sqlite) =>
      remade(sqlite, 'TRIGGER', guard(sqlite), (sql) =>
        sql.replace(/\bBEGIN\b/, 'WHEN OLD._id < 0 BEGIN').replace(/WHEN ([\s\S]*?)WHEN OLD/, 'WHEN $1 AND OLD'),
      ),
    /schema +trigger audit\w+ is not the one of this program/,
  ],
  [
    'a trigger that somebody added',
    (sqlite) => sqlite.run(`CREATE TRIGGER mine AFTER INSERT ON groups BEGIN UPDATE groups SET name = 'x'; END`),
    /schema +trigger mine is not of this program/,
  ],
  [
    'a view that shows other rows',
    (sqlite) => {
      sqlite.run('DROP VIEW answers')
      sqlite.run('CREATE VIEW answers AS SELECT 1 AS value')
    },
    /schema +view answers is not the one of this program/,
  ],
  ['a dropped index', (sqlite) => sqlite.run('DROP INDEX stagesByTrial'), /schema +index stagesByTrial is missing/],
  [
    'a table that takes other values',
    (sqlite) => remade(sqlite, 'TABLE', 'cursors', (sql) => sql.replace('STRICT', '')),
    /schema +table cursors is not the one of this program/,
  ],
])('%s is named by verify and doctor', async (_, change, problem) => {
  const data = changed(change)
  const { code, faults } = await verified(data)
  expect([code, faults]).toEqual([1, expect.stringMatching(problem)])
  const findings = await Array.fromAsync(examine(configure({ data }, {}), Date.now() * 1000))
  expect(findings.find(({ name }) => name === 'schema')?.detail).toMatch(
    new RegExp(problem.source.replace('schema +', '')),
  )
  // The next start makes triggers and views anew. Indexes and tables stay: nobody knows what else was done to them.
  openUpgraded(join(data, 'trialbox.db'), join(data, 'backups')).close()
  const isMadeAnew = /trigger|view/.test(problem.source)
  expect((await verified(data)).code).toBe(isMadeAnew ? 0 : 1)
})

const swap = (sqlite: Database, one: string, other: string) => {
  sqlite.run('PRAGMA foreign_keys = OFF')
  for (const [from, to] of [
    [one, '-1'],
    [other, one],
    ['-1', other],
  ])
    sqlite.run(`UPDATE stages SET key = ${to} WHERE key = ${from}`)
}

test('stages.key: answers that would be those of another form are named', async () => {
  const used = (sqlite: Database) =>
    sqlite
      .query<{ key: number; other: number }, []>(
        `SELECT s.key, (SELECT max(key) FROM stages WHERE key <> s.key) AS other FROM stages s
       WHERE key IN (SELECT stage FROM storedResponses) LIMIT 1`,
      )
      .get() ?? { key: 0, other: 0 }
  const swapped = changed((sqlite) => {
    const { key, other } = used(sqlite)
    swap(sqlite, `${key}`, `${other}`)
  })
  expect(await verified(swapped)).toEqual({
    code: 1,
    faults: expect.stringMatching(/responses +response \w+: submission \d+ is of another participant, stage or trial/),
  })
  const moved = changed((sqlite) => {
    sqlite.run('PRAGMA foreign_keys = OFF')
    sqlite.run(`UPDATE stages SET key = 4711 WHERE key = ${used(sqlite).key}`)
  })
  expect(await verified(moved)).toEqual({
    code: 1,
    faults: expect.stringMatching(/references +row \S+ of \w+ refers to nothing in stages/),
  })
})

test('a clean directory, one that was restored, and an archive have no such fault; a backup is good whatever its triggers', async () => {
  expect(await verified(study)).toEqual({ code: 0, faults: '' })
  const data = changed((sqlite) => sqlite.run(`DROP TRIGGER "${guard(sqlite)}"`))
  const archive = join(freshFolder(), 'a.tar')
  const run = (each: typeof backup, flags: Record<string, string>, ...words: string[]) =>
    each.run({ flags, words, env: {}, print: () => {} })
  expect(await run(backup, { data, out: archive })).toBeFalsy()
  const restored = join(freshFolder(), 'restored')
  expect(await run(restore, { data: restored }, archive)).toBeFalsy()
  // The study is of March: its derived values are not those of the day of the backup.
  expect((await verified(study, archive)).faults).toBe('')
  openUpgraded(join(restored, 'trialbox.db'), join(restored, 'backups')).close()
  expect((await verified(restored)).faults).toBe('')
})

test.each(frozenVersions().map((version) => [version]))(
  'version %i, upgraded, has the schema of a new directory',
  (version) => {
    const folder = freshFolder()
    writeFileSync(join(folder, 'a.tar'), frozen(version).archive)
    const data = join(folder, 'data')
    restoreBackup(join(folder, 'a.tar'), data, 1, (sqlite) => void problemsIn(sqlite))
    const directory = readDataDirectory(data)
    const sqlite = openUpgraded(directory.database, directory.backups)
    expect(schemaProblems(sqlite)).toEqual([])
    sqlite.close()
  },
)
