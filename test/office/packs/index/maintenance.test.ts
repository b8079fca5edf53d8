/** The index of packs is made anew where it is not whole, and searches do without it until then. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrate, openSqlite } from '#db/open'
import { salvageInto } from '#db/salvage'
import { createPackIndexMaintenance, repairPackIndex, verifyPackIndex } from '#office/packs/index/maintenance'
import { isComplete } from '#office/packs/index/store'
import { afterKill } from '../../../harness'
import { temporaryFolder } from '../../../temporary'
import { indexedPacks, trigramsIn, upkeepDone } from './index.study'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const FOUND = '3 packs are found by their names and batch numbers'
const ANEW = '3 packs; their index is made anew by the server'

const filled = async () => {
  const s = await indexedPacks()
  await s.create({ name: 'Alpha', batchNumber: 'LOT-1' }, { name: 'Beta' }, {})
  expect(verifyPackIndex(s.db.$client)).toBe(FOUND)
  return s
}

/** A database file with the tables and rows of another one, which may have lost pages. */
function salvaged(from: string) {
  const directory = temporaryFolder()
  folders.push(directory)
  const fresh = openSqlite(join(directory, 'trialbox.db'))
  salvageInto(new Database(join(from, 'trialbox.db'), { readonly: true, strict: true }), fresh)
  migrate(fresh)
  fresh.close()
  return directory
}

test.each([
  [`INSERT INTO packTrigrams (packTrigrams) VALUES ('delete-all')`, ANEW],
  ['DELETE FROM packTrigrams WHERE rowid < 0', ANEW],
  ['DELETE FROM packTrigrams WHERE rowid = (SELECT min(key) FROM packs)', 'the index has 2 of 3 packs'],
  [`INSERT INTO packTrigrams (rowid, trigrams) VALUES (77, 'stray')`, 'the index has 4 of 3 packs'],
])('%s: the next start makes it anew', async (sql, verdict) => {
  const s = await filled()
  s.db.$client.run(sql)
  const said = () => {
    try {
      return verifyPackIndex(s.db.$client)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(said()).toStartWith(verdict)
  const after = afterKill(s)
  await upkeepDone({ service: after, db: after.services.db })
  expect(verifyPackIndex(after.services.db.$client)).toBe(FOUND)
  expect(trigramsIn(after.services.db.$client).toSorted()).toEqual([
    ...['alp', 'a\ue001l', 'bet', 'eta', 'ha\ue001', 'lot', 'lph', 'ot\ue02d', 'pha', 't\ue02d1', '\ue001lo'],
  ])
})

test.each([
  [`UPDATE packTrigrams SET trigrams = 'abc' WHERE rowid = (SELECT min(key) FROM packs)`, 'is not found by its name'],
  ['UPDATE packs SET searchText = searchText || 1 WHERE name IS NOT NULL', 'is not found by its name'],
])('%s is noticed', async (sql, problem) => {
  const s = await filled()
  s.db.$client.run(sql)
  expect(() => verifyPackIndex(s.db.$client)).toThrow(problem)
})

test('while it is made anew, searches find all packs, and packs are created, changed and deleted', async () => {
  const s = await indexedPacks()
  const many = Array.from({ length: 450 }, (_, n) => ({ name: `Kit ${n}` }))
  const ids = (await s.create(...many)).map(({ _id }) => _id)
  const { db, commit } = s.service.services
  await commit(() => {
    s.db.$client.run('DELETE FROM packTrigrams WHERE rowid < 0')
    repairPackIndex(db)
  })
  const next = createPackIndexMaintenance()
  await next({ db, commit }) // the first part
  expect([isComplete(db), s.named('kit')]).toEqual([false, undefined])
  expect(await s.namesOf('?term=kit 449')).toEqual(['Kit 449'])
  await s.owner.do('updatePack', ids[0], { name: 'Changed early' })
  await s.owner.do('updatePack', ids[449], { name: 'Changed late' })
  await s.owner.do('deletePack', ids[1])
  await s.owner.do('deletePack', ids[448])
  await s.one({ name: 'Newest' })
  while (await next({ db, commit }));
  expect(isComplete(db)).toBe(true)
  expect(verifyPackIndex(s.db.$client)).toStartWith('449 packs are found')
  for (const [term, count] of Object.entries({
    changed: 2,
    newest: 1,
    'kit 0': 0,
    'kit 448': 0,
    'kit 447': 1,
    kit: 446,
  }))
    expect([term, s.named(term, 1_000), (await s.namesOf(`?term=${term}`)).length]).toEqual([
      term,
      expect.any(Number),
      count,
    ])
})

test('a merge that a kill interrupts is done again', async () => {
  const s = await filled()
  const { packs } = await s.owner.do('listPacks', s.trial, { term: 'alpha' })
  await s.owner.do('deletePack', packs[0]!._id)
  // As a process leaves it that has begun the merge and was killed.
  s.db.$client.run(`UPDATE cursors SET value = 2 WHERE name = 'packTrigrams'`)
  const after = afterKill(s)
  await upkeepDone({ service: after, db: after.services.db })
  const sqlite = after.services.db.$client
  expect(trigramsIn(sqlite).toSorted()).toEqual(['bet', 'eta'])
  expect(verifyPackIndex(sqlite)).toStartWith('2 packs are found')
  expect(sqlite.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
})

test('a database that was brought back from a damaged one is searched at once, and its index is made anew', async () => {
  const s = await filled()
  s.db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const after = afterKill({ directory: salvaged(s.directory), now: s.now })
  const { db } = after.services
  expect([isComplete(db), verifyPackIndex(db.$client)]).toEqual([false, ANEW])
  await upkeepDone({ service: after, db })
  expect(verifyPackIndex(db.$client)).toBe(FOUND)
})

test('a copy of the database, as a backup holds it, has the index of its packs', async () => {
  const s = await filled()
  const { packs } = await s.owner.do('listPacks', s.trial, { term: 'alpha' })
  await s.owner.do('deletePack', packs[0]!._id) // so that rows may get other numbers
  const directory = temporaryFolder()
  folders.push(directory)
  s.db.$client.run(`VACUUM INTO '${join(directory, 'trialbox.db')}'`)
  const copy = openSqlite(join(directory, 'trialbox.db'))
  expect(verifyPackIndex(copy)).toStartWith('2 packs are found')
  copy.close()
})
