/** The index of words is whole, and has nothing of what was deleted. */
import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Sqlite } from '#db/open'
import { migrate, openSqlite } from '#db/open'
import { salvageInto } from '#db/salvage'
import { verifyMasterFiles } from '#office/files/verify'
import { afterKill } from '../../../harness'
import { keepNothing, purgeTrial } from '../../../purge'
import { temporaryFolder } from '../../../temporary'
import { type Master, searching, workDone } from './search.study'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** All words that the pages of the indexes hold, deleted ones among them. */
function wordsIn(sqlite: Sqlite): string[] {
  return ['masterFileNameWords', 'masterFileTextWords'].flatMap((index) => {
    sqlite.run(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', '${index}', 'row')`)
    const words = sqlite.query<{ term: string }, []>('SELECT term FROM temp.vocabulary').all()
    sqlite.run('DROP TABLE temp.vocabulary')
    return words.map(({ term }) => term.slice(5))
  })
}

const SECRET = 'zqxjkvwyp'
/** Whether the word is anywhere in the database: in a text, or in a page of an index, where a beginning may be left out. */
const holds = ({ directory, db }: Pick<Master, 'directory' | 'db'>): boolean => {
  db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  return readFileSync(join(directory, 'trialbox.db')).includes(SECRET.slice(1))
}

describe('what is deleted', () => {
  test.each(['the file', 'the trial'])('with %s is in no text, no page of the index and no search', async (what) => {
    const m = await searching()
    const file = await m.document(SECRET, [`about ${SECRET}`, 'other'], { tags: [SECRET] })
    if (what === 'the file') await m.document('Kept', ['kept words'])
    await m.read()
    expect([holds(m), wordsIn(m.db.$client).includes(SECRET)]).toEqual([true, true])
    // The audit trail keeps the name of the file on purpose; of a deleted trial it goes, too.
    keepNothing(m)
    if (what === 'the file') await m.owner.do('deleteFile', file)
    else await purgeTrial(m, m.trial)
    const { n } = m.db.$client
      .query<{ n: number }, []>(`SELECT count(*) AS n FROM masterFileTexts WHERE text LIKE '%zqx%'`)
      .get()!
    expect(n).toBe(0)
    await m.read()
    expect(wordsIn(m.db.$client).filter((word) => word.startsWith('zqx'))).toEqual([])
    for (const table of ['masterFileNameWords_data', 'masterFileTextWords_data', 'masterFileTexts'])
      expect([
        table,
        JSON.stringify(
          m.db.$client.query(`SELECT hex(${table.endsWith('Texts') ? 'text' : 'block'}) AS block FROM ${table}`).all(),
        ),
      ]).toEqual([table, expect.not.stringContaining(Buffer.from(SECRET.slice(1)).toString('hex').toUpperCase())])
    verifyMasterFiles(m.db.$client)
    if (what === 'the file') expect(await m.found('kept')).toEqual(['Kept'])
  })

  test('leaves no word after any order of additions, changes and deletions, also if a kill interrupts the merge', async () => {
    const m = await searching()
    const ids: string[] = []
    for (let n = 0; n < 30; n++)
      ids.push(await m.document(`Name${n}x`, [`text${n}x ${'common words '.repeat(n)}`], { tags: [`tag${n}x`] }))
    await m.read()
    for (let n = 0; n < 30; n += 3) {
      await m.owner.do('deleteFile', ids[n])
      await m.owner.do('updateFile', ids[n + 1], { name: `New${n}x`, tags: [] })
    }
    const check = (sqlite: Sqlite) => {
      const words = new Set(wordsIn(sqlite))
      for (let n = 0; n < 30; n++) {
        const [isDeleted, isRenamed] = [n % 3 === 0, n % 3 === 1]
        expect([n, words.has(`text${n}x`), words.has(`name${n}x`), words.has(`tag${n}x`)]).toEqual([
          n,
          !isDeleted,
          !isDeleted && !isRenamed,
          !isDeleted && !isRenamed,
        ])
        if (isRenamed) expect(words.has(`new${n - 1}x`)).toBe(true)
      }
      verifyMasterFiles(sqlite)
    }
    // As a process leaves it that has begun the merge and was killed.
    m.db.$client.run(`UPDATE cursors SET value = 2 WHERE name IN ('masterFileNameWords', 'masterFileTextWords')`)
    const after = afterKill(m)
    await workDone({ service: after, db: after.services.db, now: m.now })
    check(after.services.db.$client)
    await m.read()
    check(m.db.$client)
    expect(m.db.$client.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  })
})

describe('an index that is not whole', () => {
  const filled = async () => {
    const m = await searching()
    await m.document('Protocol', ['alpha words', 'beta words'], { tags: ['tagged'] })
    await m.document('Approval', ['gamma words'], { site: m.north })
    await m.filed('bad.pdf', 'nothing')
    await m.read()
    return m
  }
  const finds = async (m: Awaited<ReturnType<typeof filled>>) =>
    Promise.all(
      ['protocol', 'tagged', 'alpha', 'beta', 'gamma', 'bad'].map(async (word) => (await m.found(word)).length),
    )

  test.each([
    [`INSERT INTO masterFileTextWords (masterFileTextWords) VALUES ('delete-all')`],
    [`INSERT INTO masterFileNameWords (masterFileNameWords) VALUES ('delete-all')`],
    ['DELETE FROM masterFileTextWords WHERE rowid = (SELECT min(key) FROM masterFileVersionTexts)'],
    ['INSERT INTO masterFileTextWords (rowid, words) VALUES (7, 7)'],
    [`UPDATE cursors SET value = value - 1 WHERE name = 'masterFileWordsVersion'`],
    [`DELETE FROM cursors WHERE name = 'masterFileWordsVersion'`],
    ['PRAGMA foreign_keys = OFF; DELETE FROM masterFileKeys; PRAGMA foreign_keys = ON'],
    ['DELETE FROM masterFileVersionTexts'],
    ['DELETE FROM masterFileVersionTexts; DELETE FROM masterFileKeys'],
  ])('%s: the next start makes it anew, without reading documents again', async (sql) => {
    const m = await filled()
    for (const each of sql.split('; ')) m.db.$client.run(each)
    if (!sql.includes('cursors'))
      expect(() => verifyMasterFiles(m.db.$client)).toThrow(/index of words|row about its text/)
    else verifyMasterFiles(m.db.$client)
    const after = afterKill(m)
    await workDone({ service: after, db: after.services.db, now: m.now })
    verifyMasterFiles(after.services.db.$client)
    const { n } = after.services.db.$client
      .query<{ n: number }, []>('SELECT count(*) AS n FROM masterFileVersionTexts')
      .get()!
    expect(n).toBe(4)
    expect(
      wordsIn(after.services.db.$client)
        .filter((word) => ['protocol', 'tagged', 'alpha', 'beta', 'gamma', 'bad'].includes(word))
        .sort(),
    ).toEqual(['alpha', 'bad', 'beta', 'gamma', 'protocol', 'tagged'])
  })

  test.each([
    [`UPDATE masterFileVersionTexts SET state = 'none' WHERE state = 'read'`, 'does not agree with its text'],
    ['UPDATE masterFileVersionTexts SET problem = NULL', 'does not agree with its text'],
    [`INSERT INTO masterFileTexts (text, isCut) VALUES ('x', 0)`, 'there is a text that no version has'],
    ['UPDATE masterFileKeys SET key = key + 100', 'has no row about its text'],
  ])('%s is noticed', async (sql, problem) => {
    const m = await filled()
    m.db.$client.run(sql)
    expect(() => verifyMasterFiles(m.db.$client)).toThrow(problem)
  })

  test('a database that was brought back from a damaged one is searched as before', async () => {
    const m = await filled()
    expect(await finds(m)).toEqual([2, 1, 1, 1, 1, 1])
    const directory = temporaryFolder()
    folders.push(directory)
    m.db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
    const fresh = openSqlite(join(directory, 'trialbox.db'))
    salvageInto(new Database(join(m.directory, 'trialbox.db'), { readonly: true, strict: true }), fresh)
    migrate(fresh)
    fresh.close()
    const after = afterKill({ directory, now: m.now })
    const sqlite = after.services.db.$client
    expect(() => verifyMasterFiles(sqlite)).toThrow('the index of words lacks')
    await workDone({ service: after, db: after.services.db, now: m.now })
    verifyMasterFiles(sqlite)
    expect(wordsIn(sqlite)).toContain('gamma')
  })
})
