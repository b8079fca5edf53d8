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
  const stratified = await s.sealed({ method: 'stratified', factors })
  const arms = [{ name: 'A' }, { name: 'B' }]
  const minimised = await s.sealed({ name: 'Second', method: 'minimisation', blockSizes: [], factors, arms })
  await s.screen(s.person(1), { sex: 'Female' })
  const nurse = s.staff(trial, ['site.read', 'site.randomise', 'site.readLogs'], s.north)
  const collector = collectStatements(s.db.$client)
  for (const randomisation of [stratified, minimised]) {
    expect((await s.allocate(randomisation, s.person(1), nurse)).status).toBe(200)
    for (const who of [owner, nurse]) {
      await who.get(`/randomisations/${randomisation}`)
      await who.get(`/randomisations/${randomisation}/allocations`)
      await who.get(`/randomisations/${randomisation}/allocations?participant=${s.person(1)}`)
    }
  }
  for (const who of [owner, nurse]) {
    await who.get(`/trials/${trial}/randomisations`)
    await who.get(`/trials/${trial}/groups`)
    await who.get(`/trials/${trial}/participants/${s.person(1)}`)
    await who.get(`/trials/${trial}/participants?groupsInclude=${s.active}`)
    await who.get(`/trials/${trial}/logs`)
  }
  const statements = collector.end()
  expect(statements.filter((sql) => /allocations|randomisationArms/.test(sql)).length).toBeGreaterThan(8)
  // Lists of the statement itself.
  const own = /^SCAN (json_each|each|value)\b/
  const scanned = statements.flatMap((sql) => scans(s.db.$client, sql).map((scan) => [scan, sql]))
  expect(scanned.filter(([scan]) => !own.test(scan!))).toEqual([])
})
