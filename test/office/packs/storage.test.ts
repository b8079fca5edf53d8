/** What is stored of packs is what the audit trail vouches for, and it survives a kill. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openSqlite } from '#db/open'
import { on, verifyAll } from '../../db/upgrade.shared'
import { afterKill } from '../../harness'
import { packStudy } from './pack.study'

/** A study in which packs were created, imported, changed, assigned, returned and deleted. */
async function used() {
  const s = await packStudy()
  const [a, b, c] = await s.create({ name: 'K-1', assignedToSite: s.north }, { name: 'K-2' }, { name: 'K-3' })
  await s.owner.do('importPacks', s.trial, { packType: s.drug, content: 'name\nK-4\nK-5\n' })
  await s.assign(s.anna, a!._id)
  await s.record(a!._id, { type: 'returned', units: 2 })
  await s.owner.do('updatePack', b!._id, { assignedToSite: s.south, batchNumber: 'B-1' })
  await s.owner.do('deletePack', c!._id)
  await s.owner.do('deletePackType', s.placebo)
  return s
}

test('every check of `verify` passes; a change behind the back of the service is found', async () => {
  const s = await used()
  const { $client: sqlite } = s.db
  s.service.flush()
  verifyAll(sqlite)
  const other = openSqlite(join(s.directory, 'trialbox.db'))
  on(other, (each) => each.run(`UPDATE packs SET batchNumber = 'B-2' WHERE name = 'K-4'`))
  expect(() => verifyAll(sqlite)).toThrow(/packs/)
})

test('after a kill everything is there', async () => {
  const s = await used()
  const rows = (sqlite = s.db.$client) =>
    ['packTypes', 'packs', 'packEvents'].map((table) => sqlite.query(`SELECT * FROM ${table} ORDER BY 1, 2`).all())
  const before = rows()
  expect(before.map((each) => each.length)).toEqual([1, 4, 7])
  s.service.flush()
  expect(rows(afterKill(s).services.db.$client)).toEqual(before)
})
