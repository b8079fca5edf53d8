/** The statements of an allocation, and of the lists about it, use an index: their cost does not grow with the trial. */
import { expect, test } from 'bun:test'
import { randomisedStudy } from './office/randomisation/randomisation.study'
import { collectStatements, scans } from './plan'

test('no statement of allocations, their list, their filters and the concealment scans a table', async () => {
  const s = await randomisedStudy()
  const { owner, trial } = s
  const factors = [
    { name: 'Site', type: 'site' },
    { name: 'Sex', type: 'answer', stage: s.stage, dataType: s.sex },
  ]
  const planned = s.arms.map((arm) => ({ ...arm, dispensing: [{ packType: arm.packType, doseLevel: 'low' }] }))
  const stratified = await s.sealed({ method: 'stratified', factors, arms: planned })
  const arms = [{ name: 'A' }, { name: 'B' }]
  const minimised = await s.sealed({ name: 'Second', method: 'minimisation', blockSizes: [], factors, arms })
  await s.screen(s.person(1), { sex: 'Female' })
  const nurse = s.staff(
    trial,
    ['site.read', 'site.randomise', 'site.readLogs', 'site.dispense', 'site.listPacks'],
    s.north,
  )
  const collector = collectStatements(s.db.$client)
  for (const randomisation of [stratified, minimised]) {
    expect((await s.allocate(randomisation, s.person(1), nurse)).status).toBe(200)
    for (const who of [owner, nurse]) {
      await who.do('readRandomisation', randomisation)
      await who.do('listAllocations', randomisation)
      await who.do('listAllocations', randomisation, { participant: s.person(1) })
    }
  }
  for (const who of [owner, nurse]) {
    const { packs } = await who.do('dispensePacks', stratified, { participant: s.person(1), quantity: 2 })
    await owner.do('recordPackEvent', packs[0]!._id, { type: 'lost', reason: 'Left on a train.' })
    await who.do('dispensePacks', stratified, { participant: s.person(1), replaces: packs[0]!._id })
    await who.do('listDispensations', stratified)
    await who.do('listDispensations', stratified, { participant: s.person(1), after: 1 })
    await who.do('readPackAccountability', trial)
    await who.call('PUT', `/trials/${trial}/participants/${s.person(1)}/packs/${packs[1]!._id}`)
    await who.call('DELETE', `/trials/${trial}/participants/${s.person(1)}/packs/${packs[1]!._id}`)
    await who.do('listRandomisations', trial)
    await who.do('listGroups', trial)
    await who.do('readParticipant', trial, s.person(1))
    await who.do('listParticipants', trial, { groupsInclude: s.active })
    await who.do('readLogs', trial)
  }
  const statements = collector.end()
  expect(statements.filter((sql) => /allocations|randomisationArms|[dD]ispens/.test(sql)).length).toBeGreaterThan(20)
  // Lists of the statement itself.
  const own = /^SCAN (json_each|each|value)\b/
  const scanned = statements.flatMap((sql) => scans(s.db.$client, sql).map((scan) => [scan, sql]))
  expect(scanned.filter(([scan]) => !own.test(scan!))).toEqual([])
})
