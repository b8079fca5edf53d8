/** `verify` compares files with their versions, and versions with their uploads; records and backups hold them. */
import { expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { verifyFiles } from '#conduct/uploads/verify'
import { DAY } from '#kernel/time'
import { verifyMasterFiles } from '#office/files/verify'
import { uploadPath } from '#storage/names'
import { downloaded, ended, manifestIn, partsOf, recordOf, rowsIn } from '../../exchange/studyRecord/archive'
import { afterKill } from '../../harness'
import { firstOf, take } from '../../present'
import { masterFile } from './files.study'

/** A master file with two files, of which one has two versions; the second of these shares its bytes with a copy. */
async function filled() {
  const m = await masterFile()
  const file = await m.add({ name: 'Protocol', type: 'protocol', tags: ['one', 'Étude'], assignees: [m.owner._id] })
  await m.version(file._id, 'version one', { status: 'approved', expiresAt: '2027-01-31' })
  await m.version(file._id, 'version two')
  await m.owner.do('copyFile', file._id, { sites: [m.north] })
  await m.add({ name: 'Insurance', site: m.south })
  return { ...m, file }
}

test('an intact master file fits', async () => {
  const m = await filled()
  const sqlite = m.db.$client
  expect(verifyMasterFiles(sqlite)).toBe('3 files with 3 versions fit')
  expect(verifyFiles(sqlite, m.service.services.storage.files)).toBe('2 files are what was stored')
})

test.each([
  ['DELETE FROM files', /^version 1 of file \w+ is not what was uploaded$/],
  [`UPDATE files SET sha256 = '${'0'.repeat(64)}'`, /is not what was uploaded$/],
  ['UPDATE files SET size = size + 1', /is not what was uploaded$/],
  [
    `DROP TRIGGER masterFilesVersionStatus; UPDATE masterFileVersions SET status = 'rejected'`,
    /does not agree with its versions$/,
  ],
  ['UPDATE masterFiles SET approved = NULL', /does not agree with its versions$/],
  [
    `UPDATE masterFiles SET approvedUntil = '2030-01-01' WHERE approved IS NOT NULL`,
    /does not agree with its versions$/,
  ],
  [`UPDATE masterFileTags SET place = 'x'`, /is not found by its name, tags and assignees$/],
  ['UPDATE masterFiles SET latest = latest + 1', /does not agree with its versions$/],
  [`UPDATE masterFiles SET folded = 'x'`, /is not found by its name, tags and assignees$/],
  [`DELETE FROM masterFileTags WHERE tag = 'one'`, /is not found by its name, tags and assignees$/],
  ['DELETE FROM masterFileAssignees', /is not found by its name, tags and assignees$/],
  [
    `PRAGMA foreign_keys = OFF; INSERT INTO masterFileTags SELECT trial, 'x', 'none', trial FROM masterFiles LIMIT 1`,
    /^there are tags or assignees of files that no file has$/,
  ],
])('%s is noticed', async (sql, problem) => {
  const m = await filled()
  for (const each of sql.split('; ')) m.db.$client.run(each)
  expect(() => verifyMasterFiles(m.db.$client)).toThrow(problem)
})

test('changed and missing bytes of a version are noticed', async () => {
  const m = await filled()
  const { files } = m.service.services.storage
  const [storedName] = take(1, m.storedNames(m.file._id))
  const path = uploadPath(files, storedName)
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.toString().replace('one', 'ten'))
  expect(() => verifyFiles(m.db.$client, files)).toThrow(`file ${storedName} is not what was stored`)
  rmSync(path)
  expect(() => verifyFiles(m.db.$client, files)).toThrow(`file ${storedName} is missing`)
})

test('after a kill, every answered version is there with its bytes', async () => {
  const m = await filled()
  const after = afterKill(m)
  const sqlite = after.services.db.$client
  expect(verifyMasterFiles(sqlite)).toBe('3 files with 3 versions fit')
  expect(verifyFiles(sqlite, after.services.storage.files)).toBe('2 files are what was stored')
})

test('a study record has the table of the master file and the bytes of each version', async () => {
  const m = await filled()
  m.clock(DAY)
  const { jobId } = await m.owner.do('exportStudyRecord', m.trial)
  const result = recordOf(await ended(m.owner, jobId))
  expect([result.amiss, result.counts.files]).toEqual([[], 2])
  const parts = partsOf(await downloaded(m, result.request))
  const manifest = manifestIn(parts)
  expect(manifest.said).toEqual(manifest.true)
  const rows = rowsIn(parts, 'master-file.csv')
  expect(rows.map(({ site, file, number, status }) => [site, file, number, status])).toEqual([
    ['', 'Protocol', '1', 'approved'],
    ['', 'Protocol', '2', 'draft'],
    ['N1', 'Protocol', '1', 'draft'],
    ['S1', 'Insurance', '', ''],
  ])
  const first = firstOf(rows)
  expect(first).toMatchObject({ type: 'protocol', tags: 'one; Étude', uploader: 'Olga Owner', expiresAt: '2027-01-31' })
  expect(parts.get(`files/${first.storedName}`)!.toString()).toBe('version one')
  expect(manifest.true[`files/${first.storedName}`]).toBe(first.sha256!)
})
