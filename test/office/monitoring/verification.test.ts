/** The figures of sites: they are kept by triggers, and equal to a count of all rows after whatever happens. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { verifyCounts } from '#db/counts'
import { firstOf, present } from '../../present'
import { siteStudy } from '../site.study'

type Study = Awaited<ReturnType<typeof siteStudy>>

const verificationOf = async (s: Study) =>
  present(firstOf((await s.owner.do('listMonitoringVisits', s.north)).siteMonitoring).sourceVerification)

const validations = (s: Study, response: string) => `/trials/${s.trial}/responses/${response}/validations` as const

test('a visit says how much of its site is verified, and how much was on its days', async () => {
  const s = await siteStudy()
  await s.visit('MV-1', { scheduledAt: '2026-03-03T09:00:00Z' })
  const none = { fields: 0, verified: 0, verifiedDuring: 0, from: null, to: null }
  expect(await verificationOf(s)).toEqual(none)
  // `pulse` makes two entries: the answer, and the calculation from it.
  const early = (await s.enter({ pulse: 60, symptom: 'cough' })).body._id
  await s.enter({ pulse: 61 }, {}, s.owner, s.url(s.bert))
  await s.owner.do('verifyField', s.trial, early, s.ids.pulse!)
  expect(await verificationOf(s)).toEqual({ ...none, fields: 3, verified: 1 })
  s.clock('2026-03-03T08:00:00Z')
  await s.owner.post<'verifyResponse'>(validations(s, early))
  const days = { from: '2026-03-02T23:00:00.000000Z', to: '2026-03-03T23:00:00.000000Z' }
  expect(await verificationOf(s)).toEqual({ fields: 3, verified: 3, verifiedDuring: 2, ...days })
  // An amended field loses its mark, and a cleared one keeps its entry. What was done during the visit stays.
  await s.enter({ symptom: null })
  expect(await verificationOf(s)).toEqual({ fields: 3, verified: 2, verifiedDuring: 2, ...days })
  const other = firstOf(
    (await s.owner.do('listMonitoringVisits', s.south)).siteMonitoring.concat(
      await s.owner.do('createMonitoringVisit', s.south, { id: 'MV-1' }),
    ),
  )
  expect(other.sourceVerification).toMatchObject({ fields: 2, verified: 0 })
})

test('the figures of a completed visit are those of its completion', async () => {
  const s = await siteStudy()
  const visit = await s.visit('MV-1', { scheduledAt: '2026-03-02T09:00:00Z' })
  const response = (await s.enter({ pulse: 60 })).body._id
  await s.owner.post<'verifyResponse'>(validations(s, response))
  await s.owner.do('updateMonitoringVisit', visit._id, { status: 'completed' })
  s.clock('2026-03-05T12:00:00Z')
  await s.owner.delete<'unverifyResponse'>(validations(s, response))
  await s.enter({ symptom: 'cough' })
  const then = { fields: 2, verified: 2, verifiedDuring: 2 }
  expect(await verificationOf(s)).toMatchObject({ ...then, to: '2026-03-02T23:00:00.000000Z' })
  await s.owner.do('updateMonitoringVisit', visit._id, { status: 'pending' })
  expect(await verificationOf(s)).toMatchObject({ fields: 3, verified: 0, verifiedDuring: 2 })
})

test('accounts that may not see all participants of a site get no numbers about them', async () => {
  const s = await siteStudy()
  await s.visit('MV-1')
  await s.enter({ pulse: 60 })
  const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm A' }))._id
  const limited = s.staff(s.trial, ['group.readParticipants'], group)
  const grant = 'INSERT INTO permissions (user, trial, scope, keys) VALUES (?, ?, ?, ?)'
  s.db.$client.query(grant).run(limited._id, s.trial, s.trial, '["trial.readSites"]')
  const listed = (await limited.do('listMonitoringVisits', s.north)).siteMonitoring
  expect(listed.map(({ sourceVerification }) => sourceVerification)).toEqual([null])
  expect((await limited.do('readSite', s.north)).enrolled).toBeNull()
  expect((await limited.do('listSites', s.trial)).sites.map(({ enrolled }) => enrolled)).toEqual([null, null])
  const { sites, enrolled } = await limited.do('readEnrolment', s.trial)
  expect([sites.map(({ enrolled, months }) => [enrolled, months]), enrolled]).toEqual([
    [
      [null, []],
      [null, []],
    ],
    0,
  ])
  expect((await limited.call('POST', `/site-monitoring/${firstOf(listed)._id}/report`, {})).status).toBe(403)
  expect((await s.atNorth('site.readSites').do('readSite', s.north)).enrolled).toBe(1)
})

test('the figures are those of all rows, whatever happens in whatever order', async () => {
  const s = await siteStudy()
  const { owner, trial, stage, north, south, ids } = s
  const people = [s.anna, s.bert, s.carl]
  let [added, erasures] = [0, 0]
  await owner.do('updateDataType', ids.symptom!, { isPii: true })
  const responseOf = async (at: number) =>
    (await owner.do('readStageResponses', trial, stage)).responses.find(
      ({ participant }: { participant?: string | null }) => participant === people[at],
    )?._id
  const about = (at: number) => `/trials/${trial}/participants/${people[at]!}` as const
  /** What may happen; a refusal is as good as a success. */
  const acts: Record<string, (at: number, site: string) => Promise<unknown>> = {
    enter: (at) => owner.call('PUT', s.url(people[at]), { response: s.sent({ pulse: 60 + at, symptom: 'cough' }) }),
    clear: (at) => owner.call('PUT', s.url(people[at]), { response: s.sent({ symptom: null }) }),
    verify: async (at) => owner.call('POST', validations(s, (await responseOf(at)) ?? stage)),
    unverify: async (at) =>
      owner.call(
        'DELETE',
        `/trials/${trial}/responses/${(await responseOf(at)) ?? stage}/dataTypes/${ids.pulse}/validations`,
      ),
    join: (at, site) => owner.call('PUT', `/sites/${site}/memberships/${people[at]}`),
    leave: (at, site) => owner.call('DELETE', `/sites/${site}/memberships/${people[at]}`),
    archive: (at) => owner.call('PUT', about(at), { isArchived: true }),
    restore: (at) => owner.call('PUT', about(at), { isArchived: false }),
    move: async (at) => {
      const response = (await responseOf(at)) ?? stage
      const url = `/trials/${trial}/responses/${response}/allocations`
      await owner.call('DELETE', `${url}?participant=${people[at]}`)
      await owner.call('POST', `${url}?participant=${people[(at + 1) % 3]}`)
    },
    remove: async (at) =>
      owner.call('DELETE', `/trials/${trial}/responses/${(await responseOf(at)) ?? stage}`, { reason: 'a test' }),
    /** Another participant takes the place, so that there is always somebody. */
    delete: async (at) => {
      await owner.call('DELETE', about(at), { reason: 'a test' })
      const { body } = await owner.call('POST', `/trials/${trial}/participants`, { participantId: `N-${++added}` })
      people[at] = body._id
    },
    /** Only those who have withdrawn are erased. */
    erase: async (at) => {
      await owner.call('PUT', about(at), { isWithdrawn: true })
      const { status } = await owner.call('POST', `${about(at)}/erasure`, { reason: 'a test' })
      if (status === 200) erasures++
      await owner.call('PUT', about(at), { isWithdrawn: false })
    },
  }
  const act = fc.record({
    what: fc.constantFrom(...Object.keys(acts)),
    at: fc.integer({ min: 0, max: 2 }),
    site: fc.constantFrom(north, south),
  })
  const unmarked = 'SELECT site FROM siteFigures WHERE verified > fields'
  // One world for all runs: what one leaves behind is where the next begins.
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (list) => {
      for (const { what, at, site } of list) await acts[what]!(at, site)
      s.service.flush()
      expect(verifyCounts(s.db.$client)).toContain('counts are right')
      expect(s.db.$client.query(unmarked).all()).toEqual([])
    }),
    { numRuns: 25, endOnFailure: true },
  )
  expect(added).toBeGreaterThan(0)
  expect(erasures).toBeGreaterThan(0)
})
