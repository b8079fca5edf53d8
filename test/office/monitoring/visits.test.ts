import { describe, expect, test } from 'bun:test'
import type { Person } from '../../harness'
import { firstOf, present } from '../../present'
import { siteStudy } from '../site.study'

test('a visit is planned, changed, completed and deleted, and the audit trail says so', async () => {
  const s = await siteStudy()
  const { owner, north } = s
  const visit = await s.visit('MV-1', { scheduledAt: '2026-03-02T09:00:00Z', duration: 60, priority: 'high' })
  expect(visit).toMatchObject({
    ...{
      id: 'MV-1',
      category: 'mv',
      priority: 'high',
      status: 'pending',
      completedAt: null,
      duration: 60,
      notes: null,
    },
    ...{ site: s.north, trial: s.trial, createdBy: owner._id, createdAt: s.now(), assignees: [] },
    ...{ isOverdue: true, issueCount: 0, openIssueCount: 0 },
  })
  expect((await owner.do('listMonitoringVisits', north)).siteMonitoring).toEqual([visit])
  const at = `/site-monitoring/${visit._id}` as const
  s.clock(60e6)
  const done = await owner.do('updateMonitoringVisit', visit._id, { status: 'completed', notes: 'All well.' })
  const change = { status: 'completed', completedAt: s.now(), notes: 'All well.', isOverdue: false, updatedAt: s.now() }
  expect(done).toEqual({ ...visit, ...change, status: 'completed' })
  expect(present(await s.entry('updateMonitoringVisit')).event.after).toEqual({
    ...change,
    completedAt: expect.anything(),
    updatedAt: expect.anything(),
  })
  // What was read can be sent back with one field changed.
  const again = await owner.do('updateMonitoringVisit', visit._id, { ...done, status: 'pending' })
  expect([again.status, again.completedAt, again.isOverdue]).toEqual(['pending', null, true])
  expect((await owner.call('PUT', at, { completedAt: s.now() })).status).toBe(400)
  expect(await owner.do('deleteMonitoringVisit', visit._id)).toEqual({})
  expect((await owner.call('PUT', at, { notes: 'x' })).status).toBe(404)
  expect(present(await s.entry('deleteMonitoringVisit')).event.before).toMatchObject({ id: 'MV-1', notes: 'All well.' })
})

test('the identifier is unique in its site, whatever the case; visits are listed newest first, by pages', async () => {
  const s = await siteStudy()
  const { owner, visits } = s
  const first = await s.visit('MV-1')
  const second = await s.visit('MV-2', { category: 'ssv' })
  expect((await owner.call('POST', visits, { id: 'mv-1' })).status).toBe(400)
  expect((await owner.call('PUT', `/site-monitoring/${second._id}`, { id: 'Mv-1' })).status).toBe(400)
  expect((await owner.do('updateMonitoringVisit', first._id, { id: 'mv-1' })).id).toBe('mv-1')
  expect((await owner.do('createMonitoringVisit', s.south, { id: 'MV-1' })).site).toBe(s.south)
  const page = await owner.do('listMonitoringVisits', s.north, { perPage: 1, page: 1 })
  expect([page.siteMonitoring.map(({ id }) => id), page.nextPageAvailable]).toEqual([['MV-2'], true])
  const next = await owner.do('listMonitoringVisits', s.north, { perPage: 1, page: 2 })
  expect([next.siteMonitoring.map(({ id }) => id), next.nextPageAvailable]).toEqual([['mv-1'], false])
})

test('of two who use the same identifier at once, one is refused', async () => {
  const s = await siteStudy()
  const both = await Promise.all([1, 2].map(() => s.owner.call('POST', s.visits, { id: 'MV-9' })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect((await s.owner.do('listMonitoringVisits', s.north)).siteMonitoring).toHaveLength(1)
})

test('fields have the bounds and values of the contract', async () => {
  const s = await siteStudy()
  const wrong: [Record<string, unknown>, string][] = [
    [{ id: 'M' }, 'id'],
    [{ id: 'x'.repeat(101) }, 'id'],
    [{ category: 'other' }, 'category'],
    [{ priority: 'urgent' }, 'priority'],
    [{ status: 'cancelled' }, 'status'],
    [{ scheduledAt: 'soon' }, 'scheduledAt'],
    [{ completedAt: 5 }, 'completedAt'],
    [{ duration: 1001 }, 'duration'],
    [{ duration: -1 }, 'duration'],
    [{ duration: 1.5 }, 'duration'],
    [{ assignees: ['somebody'] }, 'assignees'],
    [{ notes: 'x'.repeat(1001) }, 'notes'],
    [{ notes: '\ud83d' }, 'notes'],
  ]
  for (const [change, field] of wrong) {
    const { status, body } = await s.owner.call('POST', s.visits, { id: 'MV-1', ...change })
    expect([status, Object.keys(body.validations?.json ?? {})]).toEqual([422, [field]])
  }
  const most = { id: 'x'.repeat(100), duration: 1000, notes: 'x'.repeat(1000) }
  expect(await s.owner.do('createMonitoringVisit', s.north, most)).toMatchObject(most)
})

describe('assignees', () => {
  test('get an e-mail once, without the notes, in their language', async () => {
    const s = await siteStudy()
    const monitor = s.atNorth('site.readSites')
    s.db.$client.query('UPDATE users SET language = ? WHERE _id = ?').run('de', monitor._id)
    const scheduledAt = '2026-04-01T08:00:00Z'
    const visit = await s.visit('MV-1', { assignees: [monitor._id, s.owner._id], notes: 'Hush.', scheduledAt })
    const mail = firstOf(s.mails())
    expect(s.mails()).toHaveLength(1)
    expect([mail.recipient, mail.subject]).toEqual([monitor.email, 'Breath study: ein Monitoringbesuch für Sie'])
    for (const word of ['Studienzentrum: North', 'Besuch: MV-1', 'Geplant: 2026-04-01 08:00 UTC'])
      expect(mail.body).toContain(word)
    expect(mail.body).not.toContain('Hush')
    await s.owner.do('updateMonitoringVisit', visit._id, { assignees: [monitor._id, monitor._id] })
    expect(s.mails()).toHaveLength(1)
  })

  test('must be able to read the visit', async () => {
    const s = await siteStudy()
    const strangers = [
      s.atSouth('site.readSites'),
      s.atNorth('site.readParticipants'),
      s.invite([]),
      s.neighbours().owner,
    ]
    for (const { _id } of strangers) {
      const { status, body } = await s.owner.call('POST', s.visits, { id: 'MV-1', assignees: [_id] })
      expect([status, body.details]).toEqual([400, { code: 'visitAssignees', params: { count: 1 }, strangers: [_id] }])
    }
    expect([(await s.owner.do('listMonitoringVisits', s.north)).siteMonitoring, s.mails()]).toEqual([[], []])
  })
})

test('readSites on the trial or the site reads, admin writes; other sites and teams are not found', async () => {
  const s = await siteStudy()
  const visit = await s.visit('MV-1')
  const at = `/site-monitoring/${visit._id}` as const
  const requests = [
    ['GET', s.visits, undefined],
    ['GET', `${at}/site-issues`, undefined],
    ['POST', s.visits, { id: 'MV-2' }],
    ['PUT', at, { notes: 'x' }],
    ['POST', `${at}/site-issues`, { name: 'Missing' }],
    ['DELETE', at, undefined],
  ] as const
  const answers = (who: Person) =>
    Promise.all(requests.map(async ([method, url, body]) => (await who.call(method, url, body)).status))
  const read = [200, 200, 403, 403, 403, 403]
  expect(await answers(s.staff(s.trial, ['trial.readSites']))).toEqual(read)
  expect(await answers(s.staff(s.trial, ['trial.write']))).toEqual(read)
  expect(await answers(s.atNorth('site.readSites'))).toEqual(read)
  expect(await answers(s.atNorth('site.write'))).toEqual(read)
  expect(await answers(s.atNorth('site.readParticipants'))).toEqual(requests.map(() => 403))
  expect(await answers(s.atSouth('site.admin'))).toEqual(requests.map(() => 404))
  expect(await answers(s.neighbours().owner)).toEqual(requests.map(() => 404))
  expect((await s.owner.do('listMonitoringVisits', s.north)).siteMonitoring.map(({ id }) => id)).toEqual(['MV-1'])
  expect(await s.atNorth('site.admin').do('updateMonitoringVisit', visit._id, { notes: 'x' })).toMatchObject({
    notes: 'x',
  })
})

test('a site with visits or logs is kept, and goes with its trial', async () => {
  const s = await siteStudy()
  await s.visit('MV-1')
  const { status, body } = await s.owner.call('DELETE', `/sites/${s.north}`)
  expect([status, body.details]).toEqual([
    400,
    {
      code: 'siteHasRecords',
      params: { name: 'North', records: [{ code: 'someVisits' }] },
      records: ['monitoring visits'],
    },
  ])
  const training = { user: s.owner._id, training: 'GCP', trainedOn: '2026-03-01' }
  await s.owner.do('createTraining', s.south, training)
  expect((await s.owner.call('DELETE', `/sites/${s.south}`)).body.details).toEqual({
    code: 'siteHasRecords',
    params: { name: 'South', records: [{ code: 'someTrainings' }] },
    records: ['a training log'],
  })
  const own = await s.owner.do('createSite', s.trial, { name: 'West', id: 'WE' })
  expect(await s.owner.do('deleteSite', own._id)).toEqual({})
  expect(await s.owner.do('deleteTrial', s.trial)).toEqual({})
  for (const table of ['monitoringVisits', 'trainings', 'siteFigures', 'siteEnrolment'])
    expect(s.db.$client.query(`SELECT 1 FROM ${table}`).all()).toEqual([])
})

test('identifiers are the same whatever the case of any letter and the encoding of accents', async () => {
  const s = await siteStudy()
  await s.visit('Ärztehaus 1')
  for (const id of ['ärztehaus 1', 'ÄRZTEHAUS 1', 'A\u0308rztehaus 1'])
    expect((await s.owner.call('POST', s.visits, { id })).status).toBe(400)
  const { _id } = await s.visit('Zürich')
  expect((await s.owner.call('PUT', `/site-monitoring/${_id}`, { id: 'äRZTEHAUS 1' })).status).toBe(400)
  expect((await s.owner.do('updateMonitoringVisit', _id, { id: 'ZÜRICH' })).id).toBe('ZÜRICH')
  const sites = `/trials/${s.trial}/sites` as const
  const site = await s.owner.do('createSite', s.trial, { name: 'Hospital', id: 'ÖRTLICH' })
  const taken = await s.owner.call('POST', sites, { name: 'Other', id: 'örtlich' })
  expect([taken.status, taken.body.message]).toEqual([400, expect.stringContaining('örtlich')])
  expect((await s.owner.do('updateSite', site._id, { id: 'örtlich' })).id).toBe('örtlich')
})

test('a visit is not completed in the future; one whose clock was ahead can still be changed', async () => {
  const s = await siteStudy()
  const { _id } = await s.visit('MV-1')
  const at = `/site-monitoring/${_id}` as const
  const future = '2099-01-01T00:00:00Z'
  const refused = await s.owner.call('PUT', at, { status: 'completed', completedAt: future })
  expect([refused.status, refused.body.message]).toEqual([400, 'A visit cannot be completed in the future.'])
  const completed = { id: 'MV-2', status: 'completed', completedAt: future } as const
  expect((await s.owner.call('POST', s.visits, completed)).status).toBe(400)
  await s.owner.do('updateMonitoringVisit', _id, { status: 'completed' })
  s.db.$client.run(`UPDATE monitoringVisits SET completedAt = ${Date.parse(future) * 1000}`)
  const visit = present((await s.owner.do('listMonitoringVisits', s.north)).siteMonitoring[0])
  expect((await s.owner.do('updateMonitoringVisit', _id, { ...visit, notes: 'Corrected' })).notes).toBe('Corrected')
})
