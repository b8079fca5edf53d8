/** The zip of the trial master file, unpacked by `unzip` and checked by `sha256sum`. */
import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { sha256 } from '#kernel/id'
import { uploadPath } from '#storage/names'
import { ended, rowsIn } from '../../exchange/studyRecord/archive'
import { firstOf, take } from '../../present'
import { reportStudy } from './masterFile.study'

const pathsOf = (parts: Map<string, Buffer>) => [...parts.keys()].filter((path) => path.includes('/'))

test('the zip has every version in folders by site and type, with an index and sums', async () => {
  const s = await reportStudy()
  const protocol = await s.file({ name: 'Protocol', type: 'protocol', tags: ['a', 'b'] }, { expiresAt: '2027-01-31' })
  const draft = await s.version(protocol, 'the second version', { name: 'Draft' })
  const cv = await s.file({ name: 'CV Ash', type: 'cv', site: s.north })
  await s.file({ name: 'Letters', site: s.south }, null)
  const { parts, counts, amiss, fileName } = await s.archive()
  expect(fileName).toMatch(/^[\w-]+ master file \d{4}-\d\d-\d\d\.zip$/)
  expect([...parts.keys()]).toEqual([
    ...[
      'MANIFEST',
      'SIGNATURE.json',
      'approvals.csv',
      'checklist.csv',
      'index.csv',
      'index.html',
      'sites/N1/cv/CV Ash v1.pdf',
    ],
    ...['trial/protocol/Protocol v1.pdf', 'trial/protocol/Protocol v2.pdf'],
  ])
  expect([counts, amiss]).toEqual([{ files: 3, versions: 3 }, []])
  expect(parts.get('sites/N1/cv/CV Ash v1.pdf')!.toString()).toBe(`content ${cv}`)
  const rows = rowsIn(parts, 'index.csv')
  const none = { number: '', version: '', status: '', size: '', sha256: '', uploader: '', path: '' }
  expect(rows).toMatchObject([
    {
      ...{ path: 'trial/protocol/Protocol v1.pdf', site: '', type: 'protocol', file: 'Protocol', tags: 'a; b' },
      ...{ number: '1', version: 'Version', status: 'approved', uploader: 'Olga Owner', expiresAt: '2027-01-31' },
      ...{ originalName: 'Scan 1.PDF', mimeType: 'application/pdf', problem: '' },
    },
    { path: 'trial/protocol/Protocol v2.pdf', number: '2', version: 'Draft', status: 'draft', sha256: draft.sha256 },
    { path: 'sites/N1/cv/CV Ash v1.pdf', site: 'N1', siteName: 'North', type: 'cv' },
    { ...none, site: 'S1', file: 'Letters', problem: 'has no version' },
  ])
  for (const row of rows.slice(0, 3)) expect(sha256(parts.get(row.path!)!)).toBe(row.sha256!)
  const page = parts.get('index.html')!.toString()
  for (const words of [
    ...['<h2 dir="auto">Whole trial – Protocol</h2>', 'href="sites/N1/cv/CV%20Ash%20v1.pdf"', draft.sha256],
    ...['Site South (S1) – Others', 'has no version', "default-src 'none'"],
  ])
    expect(page).toContain(words)
  const checks = rowsIn(parts, 'checklist.csv')
  expect(checks.find(({ record }) => record === 'protocol')).toMatchObject({ state: 'present', files: 'Protocol' })
  expect(checks.find(({ record, site }) => record === 'qualifications' && site === 'S1')?.state).toBe('missing')
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'exportMasterFile' })
  expect(entries.map(({ event }) => event)).toMatchObject([{ format: 'zip', filters: { versions: 'all' } }])
})

test('only the newest approved version of each file, if asked; files without one are named', async () => {
  const s = await reportStudy()
  const file = await s.file({ name: 'Protocol', type: 'protocol' })
  await s.version(file, 'two', { status: 'approved' })
  await s.version(file, 'three')
  await s.file({ name: 'Insurance' }, { status: 'rejected' })
  const { parts, counts } = await s.archive({ versions: 'approved' })
  expect(pathsOf(parts)).toEqual(['trial/protocol/Protocol v2.pdf'])
  expect(counts).toEqual({ files: 2, versions: 1 })
  expect(rowsIn(parts, 'index.csv').map(({ file, path, problem }) => [file, path, problem])).toEqual([
    ['Protocol', 'trial/protocol/Protocol v2.pdf', ''],
    ['Insurance', '', 'has no approved version'],
  ])
})

test('what a person may not read is not in it, nor named', async () => {
  const s = await reportStudy()
  await s.file({ name: 'Secret of the trial', type: 'protocol' })
  await s.file({ name: 'Budget', site: s.north }, { status: 'draft' })
  const cv = await s.file({ name: 'CV of South', type: 'cv', site: s.south })
  await s.version(cv, 'the draft of South')
  await s.exempt('insurance', { reason: 'A secret reason.' })
  const all = (parts: Map<string, Buffer>) => [...parts].map(([path, bytes]) => `${path}\n${bytes}`).join('\n')
  const nurse = s.staff(s.trial, ['site.readApprovedFiles'], s.south)
  const seen = (await s.archive({}, nurse)).parts
  expect(pathsOf(seen)).toEqual(['sites/S1/cv/CV of South v1.pdf'])
  for (const words of ['Secret', 'secret', 'Budget', 'North', 'the draft of South'])
    expect(all(seen)).not.toContain(words)
  const both = s.staff(s.trial, ['trial.readApprovedFiles'])
  s.grant(both, s.south, ['site.readFiles'])
  const { parts } = await s.archive({}, both)
  expect(pathsOf(parts)).toEqual([
    ...[
      'sites/S1/cv/CV of South v1.pdf',
      'sites/S1/cv/CV of South v2.pdf',
      'trial/protocol/Secret of the trial v1.pdf',
    ],
  ])
  expect(all(parts)).not.toContain('Budget')
  expect(pathsOf((await s.archive({ site: s.south })).parts)).toHaveLength(2)
  // Who lost the permission meanwhile does not get the result.
  const { jobId } = await nurse.post<'exportMasterFile'>(`${s.all}/archives`, {})
  await ended(nurse, jobId)
  s.db.$client.query('UPDATE permissions SET keys = ? WHERE user = ?').run('["site.readSites"]', nurse._id)
  expect((await nurse.call('GET', `/jobs/${jobId}`)).status).toBe(403)
})

test('names are safe and unique in the zip, whatever files, sites and uploads are called', async () => {
  const s = await reportStudy()
  const names = [
    '../../etc/passwd',
    'aux',
    'Étude',
    'E\u0301tude',
    'étude',
    'a:b',
    'a?b',
    '=1+1',
    '<b>&"quoted"',
    '-rf',
    '문서',
  ]
  for (const name of names) await s.file({ name, type: 'legal' })
  const site = (await s.owner.do('createSite', s.trial, { name: 'Odd', id: 'N1/..' }))._id
  const same = (await s.owner.do('createSite', s.trial, { name: 'Odd too', id: 'N1_..' }))._id
  for (const each of [site, same]) await s.file({ name: 'CV', site: each, type: 'cv' })
  const { parts, amiss } = await s.archive()
  expect(amiss).toEqual([])
  const paths = pathsOf(parts)
  expect(paths).toHaveLength(names.length + 2)
  expect(paths).toEqual(expect.arrayContaining(['sites/N1_ (2)/cv/CV v1.pdf', 'trial/legal/_aux v1.pdf']))
  expect(paths.every((path) => path === path.normalize('NFC') && !/\.\.|[\\:*?"<>|]/.test(path))).toBe(true)
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length)
  const rows = rowsIn(parts, 'index.csv')
  expect(rows.map(({ file }) => file)).toEqual(expect.arrayContaining(names))
  expect(rows.every(({ path, sha256: hash }) => sha256(parts.get(path!)!) === hash)).toBe(true)
  expect(parts.get('index.html')!.toString()).toContain('&lt;b&gt;&amp;&quot;quoted&quot;')
})

test('a stored file that is missing or was altered is named, and the others are in the zip', async () => {
  const s = await reportStudy()
  const files: string[] = []
  for (const name of ['Altered', 'Missing', 'Whole']) files.push(await s.file({ name, type: 'plans' }))
  const [altered, missing] = take(2, files.flatMap(s.storedNames))
  const stored = (name: string) => uploadPath(s.service.services.storage.files, name)
  writeFileSync(stored(altered), 'not what was uploaded')
  rmSync(stored(missing))
  const { parts, amiss, counts } = await s.archive()
  expect(amiss).toEqual([
    { path: 'trial/plans/Altered v1.pdf', problem: 'is not what was uploaded' },
    { path: 'trial/plans/Missing v1.pdf', problem: 'is missing' },
  ])
  expect(pathsOf(parts)).toEqual(['trial/plans/Altered v1.pdf', 'trial/plans/Whole v1.pdf'])
  expect(counts.versions).toBe(3)
  expect(rowsIn(parts, 'index.csv').map(({ problem }) => problem)).toEqual([
    ...['is not what was uploaded', 'is missing', ''],
  ])
  expect(parts.get('index.html')!.toString()).toContain('<strong class="problem">is missing</strong>')
})

test('the link works for a day; the zip of a deleted trial fails with the reason', async () => {
  const s = await reportStudy()
  const { request } = await s.archive()
  s.clock(23 * 3_600_000_000)
  expect((await s.fetch(request)).status).toBe(200)
  s.clock(2 * 3_600_000_000)
  expect((await s.fetch(request)).status).not.toBe(200)
  const rows = s.db.$client
    .query<{ input: string }, []>(`SELECT input FROM jobs WHERE kind = 'masterFileArchive'`)
    .all()
  expect(JSON.parse(firstOf(rows).input)).toMatchObject({ trial: s.trial, versions: 'all' })
})
