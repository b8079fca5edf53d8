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
      await who.get(`/randomisations/${randomisation}`)
      await who.get(`/randomisations/${randomisation}/allocations`)
      await who.get(`/randomisations/${randomisation}/allocations?participant=${s.person(1)}`)
    }
  }
  const dispensations = `/randomisations/${stratified}/dispensations` as const
  for (const who of [owner, nurse]) {
    const { packs } = await who.post(dispensations, { participant: s.person(1), quantity: 2 })
    await owner.post(`/packs/${packs[0]!._id}/events`, { type: 'lost', reason: 'Left on a train.' })
    await who.post(dispensations, { participant: s.person(1), replaces: packs[0]!._id })
    await who.get(dispensations)
    await who.get(`${dispensations}?participant=${s.person(1)}&after=1`)
    await who.get(`/trials/${trial}/packs/accountability`)
    await who.call('PUT', `/trials/${trial}/participants/${s.person(1)}/packs/${packs[1]!._id}`)
    await who.call('DELETE', `/trials/${trial}/participants/${s.person(1)}/packs/${packs[1]!._id}`)
    await who.get(`/trials/${trial}/randomisations`)
    await who.get(`/trials/${trial}/groups`)
    await who.get(`/trials/${trial}/participants/${s.person(1)}`)
    await who.get(`/trials/${trial}/participants?groupsInclude=${s.active}`)
    await who.get(`/trials/${trial}/logs`)
  }
  const statements = collector.end()
  expect(statements.filter((sql) => /allocations|randomisationArms|[dD]ispens/.test(sql)).length).toBeGreaterThan(20)
  // Lists of the statement itself.
  const own = /^SCAN (json_each|each|value)\b/
  const scanned = statements.flatMap((sql) => scans(s.db.$client, sql).map((scan) => [scan, sql]))
  expect(scanned.filter(([scan]) => !own.test(scan!))).toEqual([])
})
