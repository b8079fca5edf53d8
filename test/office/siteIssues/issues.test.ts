import { expect, test } from 'bun:test'
import { resolutionOf } from '#office/siteIssues/rules'
import { firstOf, present } from '../../present'
import { siteStudy } from '../site.study'

async function withVisit() {
  const s = await siteStudy()
  const visit = await s.visit('MV-1')
  const issues = `/site-monitoring/${visit._id}/site-issues` as const
  const add = (name: string, more: Record<string, unknown> = {}) =>
    s.owner.do('createSiteIssue', visit._id, { name, ...more })
  return { ...s, made: visit, issues, add }
}

const [open, by] = [{ status: 'unresolved', resolvedAt: null, resolvedBy: null } as const, { by: 'me', at: 5 }]
const resolved = { status: 'resolved', resolvedAt: 3, resolvedBy: 'her' } as const
test.each([
  [undefined, undefined, open],
  [undefined, 'resolved', { status: 'resolved', resolvedAt: 5, resolvedBy: 'me' }],
  [open, undefined, open],
  [open, 'resolved', { status: 'resolved', resolvedAt: 5, resolvedBy: 'me' }],
  [resolved, undefined, resolved],
  [resolved, 'resolved', resolved],
  [resolved, 'unresolved', open],
] as const)('%j, asked for %p, becomes %j', (before, asked, after) => {
  expect(resolutionOf(before, asked, by)).toEqual(after)
})

test('an issue is recorded, resolved by somebody, opened again and deleted', async () => {
  const s = await withVisit()
  const fields = {
    category: 'informedConsent',
    severity: 'critical',
    gcpNonCompliance: true,
    protocolNonCompliance: false,
  }
  const issue = await s.add('A consent form has no date.', fields)
  expect(issue).toMatchObject({
    ...{ ...fields, name: 'A consent form has no date.', status: 'unresolved', resolvedAt: null, resolvedBy: null },
    ...{ visit: s.made._id, site: s.north, createdBy: s.owner._id, assignees: [] },
  })
  expect((await s.owner.do('listMonitoringVisits', s.north)).siteMonitoring).toMatchObject([
    { issueCount: 1, openIssueCount: 1 },
  ])
  const admin = s.atNorth('site.admin')
  s.clock(60e6)
  const done = await admin.do('updateSiteIssue', issue._id, { status: 'resolved' })
  expect(done).toEqual({ ...issue, status: 'resolved', resolvedAt: s.now(), resolvedBy: admin._id })
  expect((await s.owner.do('listMonitoringVisits', s.north)).siteMonitoring).toMatchObject([
    { issueCount: 1, openIssueCount: 0 },
  ])
  s.clock(60e6)
  expect(await s.owner.do('updateSiteIssue', issue._id, { ...done, severity: 'major' })).toEqual({
    ...done,
    severity: 'major',
  })
  expect(await s.owner.do('updateSiteIssue', issue._id, { status: 'unresolved' })).toMatchObject({
    resolvedAt: null,
    resolvedBy: null,
  })
  expect(present(await s.entry('updateSiteIssue')).event.before).toMatchObject({
    status: 'resolved',
    resolvedBy: admin._id,
  })
  // The visit stays as long as it has issues.
  const refused = await s.owner.call('DELETE', `/site-monitoring/${s.made._id}`)
  expect([refused.status, refused.body.details]).toEqual([
    400,
    { code: 'visitHasIssues', params: { visit: 'MV-1', count: 1 }, issues: 1 },
  ])
  expect(await s.owner.do('deleteSiteIssue', issue._id)).toEqual({})
  expect((await s.owner.do('listSiteIssues', s.made._id)).siteMonitoringIssues).toEqual([])
  expect(await s.owner.do('deleteMonitoringVisit', s.made._id)).toEqual({})
})

test('fields have the bounds and values of the contract', async () => {
  const s = await withVisit()
  const wrong: [Record<string, unknown>, string][] = [
    [{ name: 'xx' }, 'name'],
    [{ name: 'x'.repeat(1001) }, 'name'],
    [{ name: 'half \ud83d' }, 'name'],
    [{ category: 'other' }, 'category'],
    [{ severity: 'fatal' }, 'severity'],
    [{ status: 'pending' }, 'status'],
    [{ gcpNonCompliance: 'yes' }, 'gcpNonCompliance'],
    [{ protocolNonCompliance: 1 }, 'protocolNonCompliance'],
    [{ assignees: 'me' }, 'assignees'],
  ]
  for (const [change, field] of wrong) {
    const { status, body } = await s.owner.call('POST', s.issues, { name: 'Missing page', ...change })
    expect([status, Object.keys(body.validations?.json ?? {})]).toEqual([422, [field]])
  }
  expect((await s.add('x'.repeat(1000))).name).toHaveLength(1000)
  expect((await s.add('xxx')).name).toBe('xxx')
})

test('assignees get an e-mail that does not say what the issue is, and must be able to read it', async () => {
  const s = await withVisit()
  const nurse = s.atNorth('site.readSites')
  const issue = await s.add('P-1 has two consent forms.', { assignees: [nurse._id] })
  expect(s.mails()).toHaveLength(1)
  const { recipient, subject, body } = firstOf(s.mails())
  expect([recipient, subject]).toEqual([nurse.email, 'Breath study: an issue of a site for you'])
  expect(body).toContain('Site: North\nVisit: MV-1')
  expect(body).not.toContain('P-1')
  const stranger = s.atSouth('site.readSites')
  const at = `/site-issues/${issue._id}` as const
  const refused = await s.owner.call('PUT', at, { assignees: [nurse._id, stranger._id] })
  expect([refused.status, refused.body.details]).toEqual([
    400,
    { code: 'issueAssignees', params: { count: 1 }, strangers: [stranger._id] },
  ])
  expect((await nurse.do('listSiteIssues', s.made._id)).siteMonitoringIssues).toEqual([issue])
  expect((await nurse.call('PUT', at, { status: 'resolved' })).status).toBe(403)
  for (const who of [stranger, s.neighbours().owner]) {
    expect((await who.call('PUT', at, { status: 'resolved' })).status).toBe(404)
    expect((await who.call('GET', s.issues)).status).toBe(404)
  }
})
