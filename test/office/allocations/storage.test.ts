/** What is stored of randomisations is what the audit trail vouches for; it survives a kill, and goes with its trial only. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openSqlite } from '#db/open'
import { on, verifyAll } from '../../db/upgrade.shared'
import { afterKill } from '../../harness'
import { randomisedStudy } from '../randomisation/randomisation.study'

const TABLES = [
  ...['randomisations', 'randomisationArms', 'randomisationLists', 'allocations', 'allocationCounts', 'unblindings'],
  ...['randomisationDispensing', 'dispensations', 'dispensedPacks'],
]

/** A study with a blinded randomisation that was unblinded, one that is still open, a minimisation and a deleted draft. */
async function used() {
  const s = await randomisedStudy()
  const { owner, trial } = s
  const planned = s.arms.map((arm) => ({ ...arm, dispensing: [{ packType: arm.packType, quantity: 2 }] }))
  const blinded = await s.sealed({ method: 'stratified', factors: [{ name: 'Site', type: 'site' }], arms: planned })
  const arms = [{ name: 'A', group: s.diabetes }, { name: 'B' }]
  const factors = [{ name: 'Site', type: 'site' }]
  const minimised = await s.sealed({ name: 'Second', method: 'minimisation', blockSizes: [], factors, arms })
  await owner.do('deleteRandomisation', await s.draft({ name: 'Third', arms: [{ name: 'C' }, { name: 'D' }] }))
  const people = [1, 2, 13]
  for (const n of people) await s.allocate(blinded, s.person(n))
  await owner.do('dispensePacks', blinded, { participant: s.person(2), reason: 'Visit 2' })
  const { _id } = (await s.allocate(minimised, s.person(1))).body
  const app = await s.confirmed(['trial.admin'])
  const emergency = { participantId: 'R-1', reason: 'An emergency.' }
  await app.do('unblindParticipant', minimised, _id, emergency)
  await app.do('closeRandomisation', blinded)
  await app.do('unblindRandomisation', blinded, { reason: 'The analysis begins.' })
  await app.do('updateParticipant', trial, s.person(2), { isWithdrawn: true })
  await app.do('erasePersonalInformation', trial, s.person(2), { reason: 'asked us' })
  return { ...s, app }
}

const rowsOf = (sqlite: Awaited<ReturnType<typeof used>>['db']['$client']) =>
  TABLES.map((table) => sqlite.query(`SELECT * FROM ${table} ORDER BY 1, 2, 3`).all())

test('every check of `verify` passes; a change behind the back of the service is found', async () => {
  const s = await used()
  const { $client: sqlite } = s.db
  s.service.flush()
  verifyAll(sqlite)
  const other = openSqlite(join(s.directory, 'trialbox.db'))
  on(other, (each) => each.run('UPDATE randomisationArms SET isConcealed = 0 WHERE isConcealed = 1'))
  expect(() => verifyAll(sqlite)).toThrow(/randomisationArms/)
})

test('after a kill everything is there', async () => {
  const s = await used()
  const before = rowsOf(s.db.$client)
  expect(before.map((each) => each.length)).toEqual([2, 4, 2, 4, 1, 1, 2, 1, 2])
  s.service.flush()
  expect(rowsOf(afterKill(s).services.db.$client)).toEqual(before)
})

test('a trial is deleted with everything of its randomisations', async () => {
  const s = await used()
  await s.owner.do('deleteTrial', s.trial)
  await s.service.services.commit(() => {})
  await s.service.services.tick()
  expect(rowsOf(s.db.$client).flat()).toEqual([])
})
