import { expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { present } from '../../present'
import { siteStudy } from '../site.study'

test('a site has a target and what it reached; the trial has a table of both, by month', async () => {
  const s = await siteStudy()
  const { owner, trial, north, south } = s
  expect(await owner.do('readSite', north)).toMatchObject({ enrolmentTarget: null, enrolled: 1 })
  expect((await owner.do('updateSite', north, { enrolmentTarget: 4, enrolled: 77 })).enrolled).toBe(1)
  expect(present(await s.entry('updateSite')).event).toMatchObject({
    before: { enrolmentTarget: null },
    after: { enrolmentTarget: 4 },
  })
  const west = await owner.do('createSite', trial, { name: 'West', id: 'WE', enrolmentTarget: 10 })
  expect([west.enrolmentTarget, west.enrolled]).toEqual([10, 0])
  s.clock('2026-04-30T23:59:59Z')
  const dora = await owner.do('registerParticipants', trial, { participantId: 'D' })
  await owner.do('addSiteMember', north, dora._id)
  s.clock(2e6)
  const emil = await owner.do('registerParticipants', trial, { participantId: 'E' })
  await owner.do('addSiteMember', north, emil._id)
  await owner.do('addSiteMember', south, emil._id)
  const months = [
    { month: '2026-03', enrolled: 1, total: 1 },
    { month: '2026-04', enrolled: 1, total: 2 },
    { month: '2026-05', enrolled: 1, total: 3 },
  ]
  const table = await owner.do('readEnrolment', trial)
  expect(table.sites).toMatchObject([
    { site: north, siteId: 'NO', name: 'North', enrolmentTarget: 4, enrolled: 3, months },
    {
      site: south,
      enrolmentTarget: null,
      enrolled: 2,
      months: [months[0], { month: '2026-05', enrolled: 1, total: 2 }],
    },
    { site: west._id, enrolmentTarget: 10, enrolled: 0, months: [] },
  ])
  expect([table.enrolmentTarget, table.enrolled]).toEqual([14, 5])
  // Archived participants do not count; a deleted target is none.
  await owner.do('updateParticipant', trial, dora._id, { isArchived: true })
  await owner.do('updateSite', west._id, { enrolmentTarget: null })
  const after = await owner.do('readEnrolment', trial)
  expect(after.sites[0]).toMatchObject({
    enrolled: 2,
    months: [months[0], { month: '2026-05', enrolled: 1, total: 2 }],
  })
  expect([after.enrolmentTarget, after.enrolled]).toEqual([4, 4])
  const { csv } = await owner.do('readEnrolment', trial, { format: 'csv' })
  expect(parse(csv, { columns: true })).toMatchObject([
    { siteId: 'NO', enrolmentTarget: '4', enrolled: '2', month: '2026-03', inMonth: '1', untilThen: '1' },
    { siteId: 'NO', month: '2026-05', untilThen: '2' },
    { siteId: 'SO', enrolmentTarget: '' },
    { siteId: 'SO' },
    { siteId: 'WE', enrolled: '0', month: '' },
  ])
  expect(await s.entry('exportEnrolment')).toMatchObject({ event: { format: 'csv' } })
})

test('accounts that are limited to sites see these only; the target has bounds', async () => {
  const s = await siteStudy()
  const url = `/trials/${s.trial}/enrolment` as const
  expect((await s.atSouth('site.readSites').do('readEnrolment', s.trial)).sites.map(({ name }) => name)).toEqual([
    'South',
  ])
  expect((await s.atSouth('site.readParticipants').call('GET', url)).status).toBe(403)
  expect((await s.neighbours().owner.call('GET', url)).status).toBe(404)
  for (const enrolmentTarget of [0, 1.5, 1_000_001, '4'])
    expect((await s.owner.call('PUT', `/sites/${s.north}`, { enrolmentTarget })).status).toBe(422)
  expect((await s.atNorth('site.write').do('updateSite', s.north, { enrolmentTarget: 3 })).enrolmentTarget).toBe(3)
})
