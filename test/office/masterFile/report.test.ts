/** The report on the trial master file, read by poppler. */
import { expect, test } from 'bun:test'
import { reportStudy } from './masterFile.study'

test('the report names what is lacking and has expired, and lists the files by site and type with their versions', async () => {
  const s = await reportStudy()
  s.clock('2026-03-02T22:00:00Z')
  const { owner, north } = s
  const protocol = await s.file({
    name: 'Protocol BR-1',
    type: 'protocol',
    tags: ['signed'],
    description: 'All pages.',
  })
  const second = await s.version(protocol, 'the second version', { name: 'Protocol 2.0' })
  const first = (await owner.do('listFileVersions', protocol)).versions[0]!
  await s.file({ name: 'Opinion', type: 'ethics' }, { expiresAt: '2026-02-28' })
  await s.file({ name: 'Insurance' }, { expiresAt: '2026-03-20' })
  await s.file({ name: 'CV of Dr. Ash', type: 'cv', site: north }, { expiresAt: '2026-01-31' })
  await s.file({ name: 'Letters', type: 'correspondence', site: north }, null)
  await s.exempt('productLabels', { reason: 'There is no product.' })
  const { text, fileName } = await s.report()
  expect(fileName).toMatch(/^[\w-]+ master file report 2026-03-02\.pdf$/)
  for (const words of [
    ...['Trial master file report', 'Study “Breath study”, as of', 'Requested by Olga Owner.', 'Essential records'],
    ...[
      'Whole trial Stage: before the start. Essential records that are lacking:',
      'Site North (N1)',
      'Site South (S1)',
    ],
    ...['MISSING: Investigator’s brochure or product information (8.2.1, 8.3.1)', 'MISSING: Monitoring plan'],
    ...['EXPIRED: Approval of the ethics committee (8.2.7, 8.3.3) Opinion: valid until 2026-02-28'],
    ...['Expires soon: Insurance statement (8.2.5) Insurance: valid until 2026-03-20'],
    ...['EXPIRED: Qualifications of the investigators (CVs) (8.2.10, 8.3.5) CV of Dr. Ash: valid until 2026-01-31'],
    ...['Not applicable: Sample of the labels of the product (8.2.13). There is no product. (Olga Owner,'],
    ...['In place: Signed protocol (8.2.2)', 'Whole trial – Protocol Protocol BR-1 All pages. Tags: signed'],
    ...['Version 1: “Version”, approved. Uploaded by Olga Owner on', `SHA-256 ${first.sha256}`],
    ...['Version 2: “Protocol 2.0”, draft. Uploaded by Olga Owner on', ', 18 bytes.', `SHA-256 ${second.sha256}`],
    ...[
      'EXPIRED: valid until 2026-02-28.',
      'Valid until 2026-03-20.',
      'Site North (N1) – Curricula vitae CV of Dr. Ash',
    ],
    ...['Site North (N1) – Correspondence Letters This file has no version yet.'],
  ])
    expect(text).toContain(words)
  const places = ['Whole trial – Protocol', 'Whole trial – Ethics', 'Whole trial – Others', 'Site North (N1) – Corr']
  const found = places.map((place) => text.indexOf(place))
  expect(found).toEqual([...found].sort((a, b) => a - b))
  expect(text).not.toContain('may read')
  const { entries } = await owner.do('readLogs', s.trial, { type: 'exportMasterFileReport' })
  expect(entries.map(({ event }) => event)).toMatchObject([{ format: 'pdf', filters: {} }])
})

test('it has what its reader may read, says so, and is in their language', async () => {
  const s = await reportStudy()
  await s.file({ name: 'Secret of the trial', type: 'protocol' })
  await s.file({ name: 'Budget of North', type: 'financial', site: s.north }, { status: 'draft' })
  const open = await s.file({ name: 'CV of South', type: 'cv', site: s.south })
  await s.version(open, 'a draft', { name: 'Draft of the CV' })
  const nurse = s.staff(s.trial, ['site.readApprovedFiles'], s.south)
  const { text } = await s.report({}, nurse)
  for (const words of [
    'CV of South',
    'Version 1: “Version”, approved',
    'This report has only the files that',
    'approved versions only',
  ])
    expect(text).toContain(words)
  for (const words of ['Secret', 'Budget', 'Draft of the CV', 'North', 'Whole trial']) expect(text).not.toContain(words)
  const auditor = s.staff(s.trial, ['trial.readApprovedFiles'])
  const all = (await s.report({}, auditor)).text
  expect(all).toContain('Secret of the trial')
  for (const words of ['Budget', 'Draft of the CV']) expect(all).not.toContain(words)
  s.db.$client.query('UPDATE users SET language = ? WHERE _id = ?').run('es', nurse._id)
  expect((await s.report({}, nurse)).text).toContain('Informe del archivo maestro del ensayo')
  const north = await s.report({ site: s.north })
  expect(north.fileName).toContain(' N1 master file report')
  expect(north.text).toContain('This report is about one place only: Site North (N1).')
  expect(north.text).not.toContain('CV of South')
  const trial = (await s.report({ site: 'none' })).text
  expect(trial).toContain('Secret of the trial')
  expect(trial).not.toContain('Budget')
})

test('places that a person may not read are refused, as are people without permission', async () => {
  const s = await reportStudy()
  const nurse = s.staff(s.trial, ['site.readFiles'], s.north)
  const { owner: neighbour } = s.neighbours()
  for (const path of ['reports', 'archives']) {
    const url = `${s.all}/${path}`
    for (const site of [s.south, 'none', 'f'.repeat(24)]) {
      const { status, body } = await nurse.call('POST', url, { site })
      expect([site, status, body.message]).toEqual([site, 400, expect.stringContaining('may')])
    }
    expect((await nurse.call('POST', url, { site: 'North' })).status).toBe(422)
    expect((await s.staff(s.trial, ['trial.readTasks']).call('POST', url, {})).status).toBe(403)
    expect((await neighbour.call('POST', url, {})).status).toBe(404)
  }
})

test('an empty master file and characters that no font has make a report, too', async () => {
  const s = await reportStudy()
  expect((await s.report()).text).toContain('There are no files.')
  // As the contract has it, nothing need be sent.
  expect((await s.owner.call('POST', `${s.all}/reports`)).body).toMatchObject({ url: expect.stringContaining('http') })
  await s.file({ name: 'رسالة', description: `${'long '.repeat(90)}`, tags: ['<b>', '\u202e'] })
  const { text } = await s.report()
  expect(text).toContain('Some characters cannot be printed')
  expect(text).toContain('□')
})

test('a file of one byte has 1 byte', async () => {
  const s = await reportStudy()
  const letters = await s.file({ name: 'Letters', type: 'correspondence' }, null)
  await s.version(letters, 'x')
  expect((await s.report()).text).toContain(', 1 byte.')
})
