import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { sha256 } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { newStoredName, uploadPath } from '#storage/names'
import { insertFile } from '#storage/store'
import { siteStudy } from '../../office/site.study'
import { downloaded, ended, manifestIn, partsOf, recordOf, rowsIn } from './archive'

test('a study record has what is recorded about sites, with the certificates', async () => {
  const s = await siteStudy()
  const { owner, north, trial } = s
  const bytes = Buffer.from('a certificate')
  const at = parseInstant(s.now())!
  const storedName = newStoredName('gcp.pdf', at)
  const path = uploadPath(s.service.services.storage.files, storedName)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  insertFile(s.db, {
    ...{ storedName, createdAt: at, kind: 'upload', trial, forType: 'site', forId: north, createdBy: owner._id },
    ...{ name: 'gcp.pdf', type: 'application/pdf', size: bytes.length, sha256: sha256(bytes), finishedAt: at },
  })
  const visit = await s.visit('MV-1')
  await owner.do('createSiteIssue', visit._id, { name: 'No date', severity: 'minor' })
  const training = { user: owner._id, training: 'GCP', trainedOn: '2026-03-01', certificate: storedName }
  await owner.do('createTraining', north, training)
  const delegation = { user: owner._id, role: 'pharmacist', tasks: ['productDispensing'], startsOn: '2026-03-02' }
  await owner.do('createDelegation', north, delegation)
  const { jobId } = await owner.do('exportStudyRecord', trial)
  const parts = partsOf(await downloaded(s, recordOf(await ended(owner, jobId)).request))
  const table = (name: string) => rowsIn(parts, `sites/${name}.csv`)
  expect(table('monitoring-visits')).toMatchObject([{ site: 'NO', id: 'MV-1', status: 'pending', issues: '1' }])
  expect(table('site-issues')).toMatchObject([{ site: 'NO', visit: 'MV-1', name: 'No date', severity: 'minor' }])
  expect(table('delegation-log')).toMatchObject([{ site: 'NO', role: 'pharmacist', state: 'awaitingPerson' }])
  expect(table('training-log')).toMatchObject([{ site: 'NO', training: 'GCP', certificate: 'gcp.pdf' }])
  expect(table('enrolment')).toEqual([
    { site: 'NO', month: '2026-03', enrolled: '1' },
    { site: 'SO', month: '2026-03', enrolled: '1' },
  ])
  expect(parts.get(`files/${storedName}`)?.equals(bytes)).toBe(true)
  const manifest = manifestIn(parts)
  expect(manifest.said).toEqual(manifest.true)
})
