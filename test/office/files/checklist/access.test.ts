/** Who sees the checklist, and who says that a record is not applicable. */
import { expect, test } from 'bun:test'
import { verifyRows } from '#audit/verifyRows'
import { downloaded, ended, partsOf, recordOf, rowsIn } from '../../../exchange/studyRecord/archive'
import { present } from '../../../present'
import { checklist } from './checklist.study'

test('the checklist has the places and versions that a person may read, and nothing of others', async () => {
  const c = await checklist()
  await c.file({ name: 'Protocol', type: 'protocol' })
  await c.file({ name: 'Insurance' }, { status: 'draft' })
  await c.file({ name: 'CV of North', type: 'cv', site: c.north }, { status: 'draft' })
  await c.file({ name: 'CV of South', type: 'cv', site: c.south })
  const placesOf = async (words: string[], site?: string) => {
    const who = c.staff(c.trial, words, site)
    return (await c.read('', who)).places.map((place) => place.site)
  }
  expect(await placesOf(['trial.readFiles'])).toEqual([null, c.north, c.south])
  expect(await placesOf(['site.readFiles'], c.north)).toEqual([c.north])
  expect(await placesOf(['site.readApprovedFiles'], c.south)).toEqual([c.south])
  const auditor = c.staff(c.trial, ['trial.readApprovedFiles'])
  expect(await c.state('protocol', null, auditor)).toBe('present')
  expect(await c.entry('insurance', null, auditor)).toMatchObject({ state: 'missing', files: [] })
  expect(await c.entry('qualifications', c.north, auditor)).toMatchObject({ state: 'missing', files: [] })
  const both = c.staff(c.trial, ['trial.readApprovedFiles'])
  c.grant(both, c.north, ['site.readFiles'])
  expect(await c.state('qualifications', c.north, both)).toBe('notApproved')
  expect(await c.state('insurance', null, both)).toBe('missing')
  const nurse = c.staff(c.trial, ['site.readFiles'], c.north)
  expect((await c.read('site=none', nurse)).places).toEqual([])
  expect((await c.read(`site=${c.south}`, nurse)).places).toEqual([])
  expect(JSON.stringify(await c.read('', nurse))).not.toContain('CV of South')
  expect((await c.staff(c.trial, ['trial.readTasks']).call('GET', c.url)).status).toBe(403)
  expect((await c.neighbours().owner.call('GET', c.url)).status).toBe(404)
})

test('a record that is not applicable is not lacking, until it is applicable again', async () => {
  const c = await checklist()
  const before = (await c.read('site=none')).places[0]!.lacking
  const { status, body } = await c.exempt('insurance')
  const exemption = {
    ...{ record: 'insurance', site: null, reason: 'No product in this trial.', createdAt: c.now() },
    ...{ createdBy: c.owner._id, createdByName: 'Olga Owner' },
  }
  expect([status, body]).toEqual([200, { exemption }])
  expect(await c.entry('insurance')).toMatchObject({ state: 'notApplicable', exemption })
  expect((await c.read('site=none')).places[0]!.lacking).toBe(before - 1)
  await c.exempt('insurance', { reason: 'Covered by the state.' })
  expect((await c.entry('insurance')).exemption).toMatchObject({ reason: 'Covered by the state.' })
  expect(
    (await c.owner.put<'setRecordApplicability'>(c.url, { record: 'insurance', isApplicable: true })).exemption,
  ).toBeNull()
  expect(
    (await c.owner.put<'setRecordApplicability'>(c.url, { record: 'insurance', isApplicable: true })).exemption,
  ).toBeNull()
  expect(await c.state('insurance')).toBe('missing')
  const { entries } = await c.owner.do('readLogs', c.trial, { type: 'setRecordApplicability' })
  expect(entries.map(({ event }) => event)).toMatchObject([
    { before: null, after: null },
    { before: { reason: 'Covered by the state.' }, after: null },
    { before: { reason: 'No product in this trial.' }, after: { reason: 'Covered by the state.' } },
    { record: 'insurance', fileSite: 'trial', before: null, after: { reason: 'No product in this trial.' } },
  ])
})

test('a record of the sites is excepted for one or for all; that of the site comes first', async () => {
  const c = await checklist()
  await c.exempt('laboratoryRanges', { site: c.north, reason: 'No laboratory here.' })
  const of = (site: string) => c.state('laboratoryRanges', site)
  expect([await of(c.north), await of(c.south)]).toEqual(['notApplicable', 'missing'])
  await c.exempt('laboratoryRanges', { reason: 'No laboratory at all.' })
  expect([await of(c.north), await of(c.south)]).toEqual(['notApplicable', 'notApplicable'])
  const reasonAt = async (site: string) => present((await c.entry('laboratoryRanges', site)).exemption).reason
  expect([await reasonAt(c.north), await reasonAt(c.south)]).toEqual(['No laboratory here.', 'No laboratory at all.'])
  await c.owner.put<'setRecordApplicability'>(c.url, { record: 'laboratoryRanges', isApplicable: true })
  expect([await of(c.north), await of(c.south)]).toEqual(['notApplicable', 'missing'])
})

test.each<[Record<string, unknown>, number, string]>([
  [{ record: 'protocol' }, 400, 'Every trial has this record'],
  [{ record: 'qualifications' }, 400, 'Every trial has this record'],
  [{ record: 'insurance', reason: null }, 400, 'Give the reason'],
  [{ record: 'insurance', reason: ' ' }, 422, 'reason'],
  [{ record: 'insurance', reason: 'x'.repeat(501) }, 422, 'reason'],
  [{ record: 'insurance', reason: 'a\ud83d' }, 422, 'reason'],
  [{ record: 'letters' }, 422, 'record'],
  [{ record: 'insurance', site: 'f'.repeat(24) }, 400, 'does not belong to this trial'],
])('%j is refused with %d', async (fields, status, message) => {
  const c = await checklist()
  const raw = JSON.stringify({ isApplicable: false, reason: 'None.', ...fields })
  const answer = await c.owner.call('PUT', c.url, undefined, { raw })
  expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)])
  expect(c.db.$client.query('SELECT count(*) AS n FROM recordExemptions').get()).toEqual({ n: 0 })
})

test('a record of the trial has no site, and whoever says so may write files there', async () => {
  const c = await checklist()
  expect(await c.exempt('insurance', { site: c.north })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('of the whole trial') },
  })
  const writer = c.staff(c.trial, ['site.writeFiles'], c.north)
  expect((await c.exempt('samples', { site: c.north }, writer)).status).toBe(200)
  for (const more of [{}, { site: null }]) expect((await c.exempt('samples', more, writer)).status).toBe(403)
  expect((await c.exempt('samples', { site: c.south }, writer)).status).toBe(400)
  expect((await c.exempt('samples', {}, c.staff(c.trial, ['trial.readFiles']))).status).toBe(403)
  expect((await c.exempt('samples', {}, c.neighbours().owner)).status).toBe(404)
  // An account that may read the files of another site only does not see the entry of the log.
  const reader = c.staff(c.trial, ['trial.readLogs', 'trial.manageWallet'])
  const { entries } = await reader.do('readLogs', c.trial, { type: 'setRecordApplicability' })
  expect(entries.map(({ event }) => event)).toEqual([{}])
})

test('exemptions go with their site and their trial; copies of a trial have none', async () => {
  const c = await checklist()
  await c.exempt('samples', { site: c.south })
  await c.exempt('insurance')
  const count = () => c.db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM recordExemptions').get()!.n
  const { jobId } = await c.owner.do('exportStudyRecord', c.trial)
  const { request } = recordOf(await ended(c.owner, jobId))
  expect(rowsIn(partsOf(await downloaded(c, request)), 'master-file-exemptions.csv')).toMatchObject([
    { site: '', record: 'insurance', reason: 'No product in this trial.', createdBy: 'Olga Owner' },
    { site: 'S1', record: 'samples' },
  ])
  const copy = await c.owner.do('createTrial', c.team, { name: 'Another', copyFrom: c.trial })
  const { places } = await c.owner.do('readFileChecklist', copy._id)
  expect(places.flatMap(({ entries }) => entries.filter(({ exemption }) => exemption))).toEqual([])
  await c.owner.do('deleteSite', c.south)
  expect(count()).toBe(1)
  expect(verifyRows(c.db.$client)).toBeTruthy()
  c.db.$client.run(`UPDATE recordExemptions SET reason = 'x'`)
  expect(() => verifyRows(c.db.$client)).toThrow('recordExemptions')
  c.db.$client.run(`UPDATE recordExemptions SET reason = 'No product in this trial.'`)
  await c.owner.do('deleteTrial', c.trial)
  expect(count()).toBe(0)
})

test('two people who except a record at once leave one exemption; a repeated request changes nothing', async () => {
  const c = await checklist()
  const writer = c.staff(c.trial, ['trial.writeFiles'])
  const answers = await Promise.all(
    [c.owner, writer, c.owner, writer].map((who, n) => c.exempt('insurance', { reason: `Reason ${n}.` }, who)),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(c.db.$client.query('SELECT reason FROM recordExemptions').all()).toEqual([{ reason: 'Reason 3.' }])
  const body = { record: 'samples', isApplicable: false, reason: 'None are kept.' }
  const headers = { 'Idempotency-Key': 'once' }
  const [first, second] = [
    await c.owner.call('PUT', c.url, body, { headers }),
    await c.owner.call('PUT', c.url, body, { headers }),
  ]
  expect(second.body).toEqual(first.body)
  const { entries } = await c.owner.do('readLogs', c.trial, { type: 'setRecordApplicability' })
  expect(entries).toHaveLength(5)
})
