/** The dashboard of a trial over HTTP: what it counts, and who sees which part. */
import { expect, test } from 'bun:test'
import { verifyCounts } from '#db/counts'
import { DAY } from '#kernel/time'
import { siteStudy } from '../site.study'

const NONE = { total: 0, under7: 0, from7to13: 0, from14to29: 0, from30to89: 0, from90: 0 }
const NOTHING = { n: 0, median: null, lowerQuartile: null, upperQuartile: null }

async function dashboard() {
  const s = await siteStudy()
  const url = `/trials/${s.trial}/dashboard` as const
  const register = async (participantId: string, ...sites: string[]) => {
    const { _id } = await s.owner.do('registerParticipants', s.trial, { participantId })
    for (const site of sites) await s.owner.do('addSiteMember', site, _id)
    return _id
  }
  const raise = async (participant = s.anna, dataType: string | null = null) => {
    const { body } = await s.enter({ pulse: 60 }, {}, s.owner, s.url(participant))
    return s.owner.do('raiseQuery', s.trial, { response: body._id, text: 'Why?', dataType })
  }
  const siteAt = async (site: string) =>
    (await s.owner.do('readDashboard', s.trial)).sites.find((each) => each.site === site)!
  return { ...s, dashboard: url, register, raise, siteAt }
}

test('recruitment by month against the target, with when it is reached at the present rate', async () => {
  const s = await dashboard()
  const { recruitment } = await s.owner.do('readDashboard', s.trial)
  expect(recruitment).toEqual({
    enrolled: 3,
    target: null,
    months: [{ month: '2026-03', enrolled: 3, total: 3 }],
    perMonth: null,
    expectedMonth: null,
  })
  await s.owner.do('updateSite', s.north, { enrolmentTarget: 10 })
  await s.owner.do('updateSite', s.south, { enrolmentTarget: 4 })
  s.clock('2026-05-10T12:00:00Z')
  await s.register('D', s.north, s.south)
  const both = await s.owner.do('readDashboard', s.trial)
  expect(both.recruitment).toEqual({
    enrolled: 4,
    target: 14,
    months: [
      { month: '2026-03', enrolled: 3, total: 3 },
      { month: '2026-05', enrolled: 1, total: 4 },
    ],
    perMonth: 1.5,
    expectedMonth: '2026-12',
  })
  expect(both.participants).toEqual({ total: 4, joined: 0, withdrawn: 0, behind: 3 })
  await s.owner.do('updateParticipant', s.trial, s.carl, { isArchived: true })
  expect((await s.owner.do('readDashboard', s.trial)).recruitment.enrolled).toBe(3)
  await s.owner.do('updateParticipant', s.trial, s.carl, { isArchived: false })
  await s.owner.do('deleteParticipant', s.trial, s.bert, { reason: 'registered twice' })
  expect((await s.owner.do('readDashboard', s.trial)).recruitment).toMatchObject({
    enrolled: 3,
    months: [{ enrolled: 2 }, { enrolled: 1 }],
  })
})

test('completion and overdue forms by stage and site; participants of two sites count in each, those of none in the trial', async () => {
  const s = await dashboard()
  await s.owner.do('addSiteMember', s.south, s.anna)
  await s.enter({ pulse: 60 })
  expect(await s.owner.do('readDashboard', s.trial)).toMatchObject({
    completed: 1,
    overdue: 0,
    share: 1,
    stages: [{ stage: s.stage, name: 'Visit', completed: 1, overdue: 0, share: 1 }],
    sites: [
      {
        site: s.north,
        siteId: 'NO',
        enrolled: 1,
        completed: 1,
        overdue: 0,
        stages: [{ stage: s.stage, completed: 1 }],
      },
      { site: s.south, enrolled: 2, completed: 1, overdue: 0 },
    ],
  })
  s.clock(2 * DAY)
  await s.service.services.tick()
  expect(await s.owner.do('readDashboard', s.trial)).toMatchObject({
    completed: 1,
    overdue: 2,
    share: 1 / 3,
    participants: { behind: 2 },
    sites: [
      { completed: 1, overdue: 0, share: 1 },
      { completed: 1, overdue: 1, share: 0.5 },
    ],
  })
  await s.enter({ pulse: 60 }, {}, s.owner, s.url(s.bert)) // late
  expect(await s.siteAt(s.south)).toMatchObject({ completed: 2, overdue: 0, share: 1 })
})

test('follows withdrawal, archiving, memberships, deletions and changes of the form', async () => {
  const s = await dashboard()
  await s.enter({ pulse: 60 })
  s.clock(2 * DAY)
  await s.service.services.tick()
  const at = async (site = s.south) => {
    const { completed, overdue } = await s.siteAt(site)
    return [completed, overdue]
  }
  expect([await at(), await at(s.north)]).toEqual([
    [0, 1],
    [1, 0],
  ])
  await s.owner.do('updateParticipant', s.trial, s.bert, { isWithdrawn: true })
  expect(await at()).toEqual([0, 0])
  await s.owner.do('updateParticipant', s.trial, s.bert, { isWithdrawn: false })
  await s.owner.do('updateParticipant', s.trial, s.anna, { isArchived: true })
  expect([await at(), await at(s.north)]).toEqual([
    [0, 1],
    [0, 0],
  ])
  await s.owner.do('updateParticipants', s.trial, {
    updates: [{ participant: s.anna, isArchived: false, sites: [s.south] }],
  })
  expect([await at(), await at(s.north)]).toEqual([
    [1, 1],
    [0, 0],
  ])
  await s.owner.do('updateStage', s.stage, { exemptFromBehindStatus: true })
  await s.service.services.tick()
  expect(await at()).toEqual([1, 0])
  await s.owner.do('updateStage', s.stage, { exemptFromBehindStatus: false })
  await s.service.services.tick()
  await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'registered twice' })
  expect(await at()).toEqual([0, 1])
  await s.owner.do('deleteSite', s.south)
  expect(await s.owner.do('readDashboard', s.trial)).toMatchObject({
    completed: 0,
    overdue: 2,
    sites: [{ site: s.north }],
  })
  expect(s.db.$client.query('SELECT * FROM stageFigures WHERE site = ?').all(s.south)).toEqual([])
  expect(() => verifyCounts(s.db.$client)).not.toThrow()
})

test('queries by age, and how long they took', async () => {
  const s = await dashboard()
  const first = await s.raise()
  s.clock(8 * DAY)
  const second = await s.raise(s.bert)
  s.clock(DAY)
  await s.owner.do('answerQuery', second._id, { text: 'So.' }) // by who raised it: it stays open
  const open = { ...NONE, total: 2, under7: 1, from7to13: 1 }
  expect(await s.owner.do('readDashboard', s.trial)).toMatchObject({
    queries: { open, answered: NONE, resolution: NOTHING },
    sites: [{ queries: { open: { total: 1, from7to13: 1 } } }, { queries: { open: { total: 1, under7: 1 } } }],
  })
  await s.owner.do('updateQuery', first._id, { status: 'closed' })
  await s.owner.do('updateQuery', second._id, { status: 'answered' })
  s.clock(100 * DAY)
  expect((await s.owner.do('readDashboard', s.trial)).queries).toEqual({
    open: NONE,
    answered: { ...NONE, total: 1, from90: 1 },
    resolution: { n: 1, median: 9, lowerQuartile: 9, upperQuartile: 9 },
  })
  // An assignment changes the query, but not when it was closed.
  await s.owner.do('updateQuery', first._id, { assignees: [s.owner._id] })
  expect((await s.owner.do('readDashboard', s.trial)).queries!.resolution.median).toBe(9)
  await s.owner.do('updateQuery', first._id, { status: 'open' })
  expect((await s.owner.do('readDashboard', s.trial)).queries).toMatchObject({
    open: { total: 1, from90: 1 },
    resolution: NOTHING,
  })
  await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'registered twice' })
  expect((await s.owner.do('readDashboard', s.trial)).queries).toMatchObject({ open: NONE, answered: { total: 1 } })
})

test('queries follow their response to another participant, and memberships', async () => {
  const s = await dashboard()
  const query = await s.raise()
  const openAt = async (site: string) => (await s.siteAt(site)).queries!.open.total
  expect([await openAt(s.north), await openAt(s.south)]).toEqual([1, 0])
  await s.owner.do('detachResponse', s.trial, query.response)
  expect([await openAt(s.north), (await s.owner.do('readDashboard', s.trial)).queries!.open.total]).toEqual([0, 1])
  await s.owner.do('allocateResponse', s.trial, query.response, {}, { participant: s.bert })
  expect([await openAt(s.north), await openAt(s.south)]).toEqual([0, 1])
  await s.owner.do('addSiteMember', s.north, s.bert)
  await s.owner.do('removeSiteMember', s.south, s.bert)
  expect([await openAt(s.north), await openAt(s.south)]).toEqual([1, 0])
})

test('an account that is limited to sites sees these, and sums over them', async () => {
  const s = await dashboard()
  await s.raise()
  await s.raise(s.bert)
  await s.owner.do('updateSite', s.north, { enrolmentTarget: 10 })
  const south = await s.atSouth('site.read').do('readDashboard', s.trial)
  expect(south).toMatchObject({
    recruitment: { enrolled: 1, target: null, months: [{ month: '2026-03', enrolled: 1 }] },
    participants: null,
    completed: 1,
    queries: { open: { total: 1 } },
    sites: [{ site: s.south, queries: { open: { total: 1 } } }],
  })
  expect(JSON.stringify(south)).not.toContain(s.north)
  const without = await s.atSouth('site.readParticipants').do('readDashboard', s.trial)
  expect([without.queries, without.sites[0]!.queries]).toEqual([null, null])
  const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm A' }))._id
  const inGroup = s.staff(s.trial, ['group.read'], group)
  expect(await inGroup.call('GET', s.dashboard)).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('groups only') },
  })
  expect((await s.staff(s.trial, ['trial.readSites']).call('GET', s.dashboard)).status).toBe(403)
  expect((await s.neighbours().owner.call('GET', s.dashboard)).status).toBe(404)
})

test('queries on hidden fields are not counted for whoever cannot see them', async () => {
  const s = await dashboard()
  await s.raise(s.anna, s.ids.pulse!)
  await s.raise(s.anna)
  await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: true })
  const total = async (who = s.owner) => (await who.do('readDashboard', s.trial)).queries!.open.total
  expect(await total()).toBe(2)
  expect(await total(s.staff(s.trial, ['trial.read']))).toBe(1)
  expect(await total(s.staff(s.trial, ['trial.read', 'trial.readParticipantStudyDataRestricted']))).toBe(2)
  const { queries } = await s.owner.do('listQueries', s.trial)
  expect(queries).toHaveLength(2)
})

test('a trial that is deleted takes its figures with it, also in one statement', async () => {
  const s = await dashboard()
  await s.raise()
  await s.raise(s.bert, s.ids.pulse!)
  s.clock(2 * DAY)
  await s.service.services.tick()
  const { $client } = s.db
  $client.run(`DELETE FROM trials WHERE _id = '${s.trial}'`)
  for (const table of ['trialEnrolment', 'stageFigures', 'overdueForms', 'queryFigures', 'queryClosings'])
    expect([table, $client.query(`SELECT * FROM ${table}`).all()]).toEqual([table, []])
})

test('verify finds a figure that was changed', async () => {
  const s = await dashboard()
  const query = await s.raise()
  await s.owner.do('updateQuery', query._id, { status: 'closed' })
  s.clock(2 * DAY)
  await s.service.services.tick()
  const { $client } = s.db
  const verify = () => verifyCounts($client)
  expect(verify).not.toThrow()
  for (const [table, change] of [
    ['trialEnrolment', 'enrolled = enrolled + 1'],
    ['stageFigures', 'completed = completed + 1'],
    ['stageFigures', 'overdue = overdue + 1'],
    ['overdueForms', 'forms = forms + 1'],
    ['queryFigures', 'queries = queries + 1'],
    ['queryClosings', 'closedAt = closedAt + 86400000000'],
  ] as const) {
    for (const statement of [`UPDATE ${table} SET ${change}`, `DELETE FROM ${table}`]) {
      $client.run('SAVEPOINT before')
      $client.run(statement)
      expect(verify).toThrow(new RegExp(`^${table === 'queryClosings' ? 'query' : table}`))
      $client.run('ROLLBACK TO before')
      $client.run('RELEASE before')
    }
  }
  expect(verify).not.toThrow()
})
