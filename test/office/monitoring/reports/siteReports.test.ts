/** Reports on sites as PDF, read by another program. */
import { expect, test } from 'bun:test'
import { extractText } from 'unpdf'
import { sha256 } from '#kernel/id'
import { downloaded, ended } from '../../../exchange/studyRecord/archive'
import type { Person } from '../../../harness'
import { present } from '../../../present'
import { siteStudy } from '../../site.study'

type Result = { request: string; fileName: string; sha256: string }
type Study = Awaited<ReturnType<typeof siteStudy>>

/** The text of the report of a job. */
async function textOf(s: Study, { jobId }: { jobId: string }, by: Person = s.owner) {
  const job = await ended(by, jobId)
  expect(job).toMatchObject({ status: 'done', error: null })
  const result = present(job.result) as Result
  const bytes = await downloaded(s, result.request)
  expect(sha256(bytes)).toBe(result.sha256)
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: true })
  return { text: text.replace(/\s+/g, ' '), fileName: result.fileName }
}

const reportOn = async (s: Study, visit: string, by: Person = s.owner) =>
  textOf(s, await by.do('exportVisitReport', visit), by)

test('the report of a visit has the visit, its issues, source verification, and what changed since the visit before', async () => {
  const s = await siteStudy()
  const { owner } = s
  const first = await s.visit('MV-1', { scheduledAt: '2026-03-02T09:00:00Z' })
  const response = (await s.enter({ pulse: 60, symptom: 'cough' })).body._id
  await owner.do('verifyField', s.trial, response, s.ids.pulse!)
  const old = await owner.do('createSiteIssue', first._id, {
    name: 'The freezer log is missing.',
    severity: 'major',
    category: 'eSource',
  })
  await owner.do('createSiteIssue', first._id, { name: 'A form has no date.', gcpNonCompliance: true })
  const one = (await reportOn(s, first._id)).text
  for (const words of [
    ...['Monitoring visit report', 'Study “Breath study”, site North (NO)', 'Visit: MV-1', 'Status: overdue'],
    ...['1 of 3 fields with an entry are verified (33.3 %).', 'The freezer log is missing.'],
    ...['major · electronic source data · open', 'not compliant with GCP · open'],
    ...['No visit of this site was completed before.', 'Monitor: name, date, signature'],
  ])
    expect(one).toContain(words)
  await owner.do('updateMonitoringVisit', first._id, { status: 'completed' })

  s.clock('2026-04-01T09:00:00Z')
  await owner.do('addSiteMember', s.north, s.carl)
  await owner.do('updateSite', s.north, { enrolmentTarget: 5 })
  await owner.do('verifyResponse', s.trial, response)
  await owner.do('updateSiteIssue', old._id, { status: 'resolved' })
  const person = s.atNorth('site.readSites')
  const delegated = { user: person._id, role: 'studyNurse', tasks: ['dataEntry'], startsOn: '2026-04-01' }
  await owner.do('createDelegation', s.north, delegated)
  const trained = { user: person._id, training: 'GCP', trainedOn: '2025-01-01', expiresOn: '2026-01-31' }
  await owner.do('createTraining', s.north, trained)
  const notes = 'Two charts compared.\nالحمد'
  const second = await s.visit('MV-2', { scheduledAt: '2026-04-01T08:00:00Z', assignees: [person._id], notes })
  const two = await reportOn(s, second._id, person)
  expect(two.fileName).toBe('NO Monitoring visit report 2026-04-01.pdf')
  for (const words of [
    ...['Since the visit before: MV-1', 'Participants: 2 of 5', 'Participants: 1 before, 2 now'],
    ...['Verified fields: 1 before, 3 now', 'Open issues of the site: 2 before, 1 now', 'This visit found no issues.'],
    ...['Resolved issue: The freezer log is missing.', 'Still open from an earlier visit: A form has no date.'],
    ...['3 of 3 fields with an entry are verified (100.0 %).', 'Verified during this visit', ': 2'],
    ...[
      'Study nurse',
      'Expired training:',
      'GCP, since 2026-01-31',
      'Two charts compared.',
      'Some characters cannot be printed',
    ],
  ])
    expect(two.text).toContain(words)
  // What was completed is reported as it was then.
  expect((await reportOn(s, first._id)).text).toContain('1 of 3 fields')
  await owner.do('updateMonitoringVisit', second._id, { status: 'completed' })
  s.clock('2026-05-01T09:00:00Z')
  const { siteMonitoringIssues } = await owner.do('listSiteIssues', first._id)
  await owner.do('updateSiteIssue', present(siteMonitoringIssues[1])._id, { status: 'resolved' })
  const later = (await reportOn(s, second._id)).text
  expect(later).toContain('Open issues of the site: 2 before, 1 now')
  expect(later).toContain('Still open from an earlier visit: A form has no date.')
  expect(present(await s.entry('exportVisitReport')).event).toMatchObject({ format: 'pdf' })
})

test('of two visits that were completed at the same moment, one is before the other', async () => {
  const s = await siteStudy()
  const completed = { status: 'completed', completedAt: '2026-03-01T12:00:00Z' } as const
  const [one, two] = [await s.visit('MV-1', completed), await s.visit('MV-2', completed)]
  expect((await reportOn(s, one._id)).text).toContain('No visit of this site was completed before.')
  expect((await reportOn(s, two._id)).text).toContain('Since the visit before: MV-1')
})

test('the logs are written in the language of whoever asks, with signatures', async () => {
  const s = await siteStudy()
  const paul = s.atNorth('site.readSites')
  s.db.$client.query('UPDATE users SET language = ? WHERE _id = ?').run('de', paul._id)
  const reports = `/sites/${s.north}/reports` as const
  expect((await textOf(s, await s.owner.do('exportSiteLog', s.north, { log: 'trainings' }))).text).toContain(
    'There are no entries.',
  )
  const delegated = {
    user: paul._id,
    role: 'principalInvestigator',
    tasks: ['eligibility', 'other'],
    startsOn: '2026-03-02',
  }
  const entry = await s.owner.do('createDelegation', s.north, { ...delegated, otherTasks: 'Archiv' })
  const app = await s.confirmed(paul)
  const { signatures } = await app.do('signDelegation', entry._id, { signedAs: 'person' })
  const log = await textOf(s, await paul.do('exportSiteLog', s.north, { log: 'delegations' }), paul)
  for (const words of [
    ...[
      'Delegationsprotokoll',
      'Hauptprüfer/in',
      'Prüfen der Eignung; andere: Archiv',
      'Ab 2026-03-02, ohne Ende. In Kraft.',
    ],
    ...[signatures[0]!.hash, 'Angenommen von'],
  ])
    expect(log.text).toContain(words)
  const training = {
    user: paul._id,
    training: 'GCP',
    trainedOn: '2025-01-01',
    expiresOn: '2026-01-31',
    provider: 'Uni',
  }
  await s.owner.do('createTraining', s.north, training)
  const english = (await textOf(s, await s.owner.do('exportSiteLog', s.north, { log: 'trainings' }))).text
  for (const words of ['Training log', 'GCP, on 2025-01-01', 'EXPIRED on 2026-01-31', 'Provided by Uni'])
    expect(english).toContain(words)
  for (const who of [s.atSouth('site.admin'), s.neighbours().owner])
    expect((await who.call('POST', reports, { log: 'trainings' })).status).toBe(404)
  expect((await s.atNorth('site.readParticipants').call('POST', reports, { log: 'trainings' })).status).toBe(403)
})

test('a report on a visit that was deleted meanwhile fails with the reason', async () => {
  const s = await siteStudy()
  const visit = await s.visit('MV-1')
  const { jobId } = await s.owner.do('exportVisitReport', visit._id)
  await s.owner.do('deleteMonitoringVisit', visit._id)
  const { status, error } = await ended(s.owner, jobId)
  // The job may have been faster than the deletion.
  if (status === 'error') expect(error).toContain('There is no such monitoring visit')
})
