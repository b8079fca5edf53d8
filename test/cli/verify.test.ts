import type { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { insertOwner } from '#accounts/users/owner'
import { appendEntry, recordRemainingChanges } from '#audit/append'
import { checks } from '#cli/checks'
import { command } from '#cli/verify'
import { drizzleOf } from '#db/open'
import { watchRows } from '#db/watch'
import { openDataDirectory } from '#server/process/dataDirectory'
import { openNew } from '../newDatabase'
import { freshFolder } from '../server/process/folder'
import { insertTrial } from '../trial'

/** A data directory with an owner, a trial and twenty audit entries, changed by `change`. */
function directory(change: (sqlite: Database, trial: string) => void = () => {}): string {
  const root = join(freshFolder(), 'data')
  const { directory, lock } = openDataDirectory(root)
  const sqlite = openNew(directory.database)
  const db = drizzleOf(sqlite)
  watchRows(db)
  const { team } = insertOwner(db, { email: 'o@example.org', name: 'O', team: 'T', passwordHash: null, now: 1 })
  const trial = insertTrial(db, team, 1)
  recordRemainingChanges(db, 1)
  for (let n = 0; n < 20; n++)
    appendEntry(db, {
      chain: trial,
      createdAt: n,
      type: 'test',
      userType: 'system',
      event: { n },
      personal: { name: 'Anna' },
    })
  change(sqlite, trial)
  sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)')
  sqlite.close()
  lock.release()
  return root
}

/** What the command prints, and its exit code. */
async function verified(data: string, more: Record<string, string | true> = {}) {
  const lines: string[] = []
  const code = await command.run({ flags: { data, ...more }, words: [], env: {}, print: (line) => lines.push(line) })
  return { code, lines, last: lines.at(-1)! }
}

test('an intact data directory passes every check', async () => {
  const { code, lines } = await verified(directory())
  expect(code).toBe(0)
  expect(lines).toHaveLength(checks.length + 4) // and the schema, the kept heads, the secrets and the files
  for (const line of lines) expect(line).toStartWith('ok')
  expect(lines.join()).toContain('21 entries in 2 chains fit')
})

test('the manual names the checks, in their order', async () => {
  const { lines } = await verified(directory())
  const performed = lines.map((line) => line.slice(7, 22).trim())
  const page = await Bun.file('docs/backup.md').text()
  const [, table] = /\n\| check \| what must hold \|\n.*\n([\s\S]*?)\n\n/.exec(page)!
  const named = table!.split('\n').map((row) => `${row.split(' | ')[0]}`.slice(2))
  expect(named).toEqual(performed)
})

test.each<[string, (sqlite: Database, trial: string) => void, RegExp]>([
  [
    'a foreign key without its row',
    (sqlite) => sqlite.run(`PRAGMA foreign_keys = OFF; INSERT INTO groups VALUES ('g', 1, 'gone', 'Arm', NULL)`),
    /^fault +references +row \d+ of groups refers to nothing in trials$/,
  ],
  [
    'an entry that was changed',
    (sqlite) => sqlite.run(`DROP TRIGGER auditIsNotChanged; UPDATE auditEntries SET event = '{}' WHERE number = 7`),
    /^fault +audit trail +entry 7 of chain [0-9a-f]{24}: its hash/,
  ],
  [
    'a deleted entry',
    (sqlite) => sqlite.run('DROP TRIGGER auditIsKept; DELETE FROM auditEntries WHERE number = 7'),
    /^fault +audit trail +entry 8 of chain [0-9a-f]{24}: entry 7 is missing$/,
  ],
  [
    'an entry cut off at the end',
    (sqlite) => sqlite.run('DROP TRIGGER auditIsKept; DELETE FROM auditEntries WHERE number > 18'),
    /^fault +audit trail +entry 19 of chain [0-9a-f]{24}: the chain recorded 20 entries, and 18 are there$/,
  ],
  [
    'a personal part that was changed',
    (sqlite) =>
      sqlite.run(`DROP TRIGGER auditPersonalIsOnlyErased; UPDATE auditEntries SET personal = '{}' WHERE number = 7`),
    /^fault +audit trail +entry 7 of chain [0-9a-f]{24}: its personal part was changed$/,
  ],
])('%s is found', async (_what, change, says) => {
  const { code, last } = await verified(directory(change))
  expect(code).toBe(1)
  expect(last).toMatch(says)
})

test('the ends of the chains are printed, and compared later', async () => {
  const printed = await verified(directory(), { heads: true })
  expect(printed.lines.at(-2)).toMatch(/^head [0-9a-f]{24} 20 [0-9a-f]{64}$/)
  expect(printed.last).toMatch(/^head service 1 [0-9a-f]{64}$/)
  const kept = join(freshFolder(), 'heads.txt')
  await Bun.write(kept, printed.lines.join('\n'))
  // The audit trail of another directory: as long, but different.
  const { code, last } = await verified(directory(), { against: kept })
  expect([code, last]).toEqual([1, expect.stringMatching(/^fault +heads +chain [0-9a-f]{24} no longer contains/)])
  const root = directory()
  await Bun.write(kept, (await verified(root, { heads: true })).lines.join('\n'))
  expect(await verified(root, { against: kept })).toMatchObject({
    code: 0,
    last: expect.stringMatching(/^ok +heads +2 chains hold what they ended with$/),
  })
  await Bun.write(kept, 'nothing')
  expect(verified(root, { against: kept })).rejects.toThrow('There are no heads in')
})

test('erased personal information is not an error', async () => {
  const root = directory((sqlite) => sqlite.run('UPDATE auditEntries SET personal = NULL WHERE number < 10'))
  expect((await verified(root)).code).toBe(0)
})

test('a damaged file is found', async () => {
  const root = directory()
  const file = openSync(join(root, 'trialbox.db'), 'r+')
  for (let page = 2; page < 40; page++) writeSync(file, Buffer.alloc(2000, 0xa5), 0, 2000, page * 4096)
  closeSync(file)
  const { code, last } = await verified(root)
  expect(code).toBe(1)
  expect(last).toStartWith('fault  database file')
})

test('a directory without data is refused', async () => {
  expect(verified(join(freshFolder(), 'none'))).rejects.toThrow('There is no data directory')
  const root = join(freshFolder(), 'data')
  openDataDirectory(root).lock.release()
  expect(verified(root)).rejects.toThrow('There are no data')
})
