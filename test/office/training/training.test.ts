import { expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { files } from '#db/tables/index'
import { stateOf } from '#office/training/rules'
import { present, take } from '../../present'
import { siteStudy } from '../site.study'

test.each([
  [{ struckAt: null, expiresOn: null }, false, 'valid'],
  [{ struckAt: null, expiresOn: '2026-03-02' }, false, 'valid'],
  [{ struckAt: null, expiresOn: '2026-03-01' }, false, 'expired'],
  [{ struckAt: null, expiresOn: '2026-03-01' }, true, 'renewed'],
  [{ struckAt: 5, expiresOn: '2026-03-01' }, true, 'struck'],
] as const)('%j, renewed %p, is %s', (entry, isRenewed, state) => {
  expect(stateOf(entry, isRenewed, '2026-03-02')).toBe(state)
})

async function withLog() {
  const s = await siteStudy()
  const log = `/sites/${s.north}/trainings` as const
  const nina = s.atNorth('site.readParticipants')
  const add = (training: string, trainedOn: string, more: Record<string, unknown> = {}) =>
    s.owner.do('createTraining', s.north, { user: nina._id, training, trainedOn, ...more })
  const upload = (storedName: string, forType: 'site' | 'trial', forId: string, finishedAt: number | null = 1) =>
    s.db
      .insert(files)
      .values({
        ...{ storedName, createdAt: 0, kind: 'upload', trial: s.trial, forType, forId, createdBy: s.owner._id },
        ...{ name: 'gcp.pdf', type: 'application/pdf', size: 1, sha256: 'a', finishedAt },
      })
      .run()
  return { ...s, log, nina, add, upload }
}

test('training expires, and is visible in both logs until it is renewed', async () => {
  const s = await withLog()
  const gcp = await s.add('GCP', '2025-03-10', { expiresOn: '2026-03-09', provider: 'Clinic' })
  expect(gcp).toMatchObject({
    ...{ user: s.nina._id, training: 'GCP', provider: 'Clinic', state: 'valid', certificate: null, struckAt: null },
    ...{ createdBy: s.owner._id, site: s.north },
  })
  const delegated = { user: s.nina._id, role: 'studyNurse', tasks: ['dataEntry'], startsOn: '2026-03-02' }
  expect((await s.owner.do('createDelegation', s.north, delegated)).expiredTrainings).toEqual([])
  // The day ends in the zone of the trial.
  s.clock('2026-03-09T22:59:59Z')
  expect((await s.owner.do('listTrainings', s.north)).trainings.map(({ state }) => state)).toEqual(['valid'])
  s.clock(1e6)
  expect((await s.owner.do('listTrainings', s.north)).trainings.map(({ state }) => state)).toEqual(['expired'])
  const expired = async () => (await s.owner.do('listDelegations', s.north)).delegations[0]!.expiredTrainings
  expect(await expired()).toEqual(['GCP'])
  const renewal = await s.add('gcp', '2026-03-10', { expiresOn: '2028-03-09' })
  expect((await s.owner.do('listTrainings', s.north)).trainings.map(({ state }) => state)).toEqual(['renewed', 'valid'])
  expect(await expired()).toEqual([])
  await s.owner.do('updateTraining', renewal._id, { struckReason: 'Another person.' })
  expect((await s.owner.do('listTrainings', s.north)).trainings.map(({ state }) => state)).toEqual([
    'expired',
    'struck',
  ])
  const { csv } = await s.owner.do('listTrainings', s.north, { format: 'csv' })
  expect(parse(csv, { columns: true })).toMatchObject([
    { training: 'GCP', trainedOn: '2025-03-10', expiresOn: '2026-03-09', state: 'expired', provider: 'Clinic' },
    { training: 'gcp', state: 'struck', struckReason: 'Another person.' },
  ])
  expect(await s.entry('exportTrainings')).toMatchObject({ event: { format: 'csv' } })
})

test('training is renewed under the same name, whatever the case, the alphabet and the spaces', async () => {
  const s = await withLog()
  const names = ['Überprüfung', 'ÜBERPRÜFUNG ', 'U\u0308berprüfung', 'Überprüfung 2', 'ΟΔΟΣ', 'οδός']
  for (const [at, name] of names.entries()) await s.add(name, `2025-01-0${at + 1}`, { expiresOn: '2025-12-31' })
  const states = (await s.owner.do('listTrainings', s.north)).trainings.map(({ state }) => state)
  expect(states).toEqual(['renewed', 'renewed', 'expired', 'expired', 'expired', 'expired'])
  const delegated = { user: s.nina._id, role: 'studyNurse', tasks: ['dataEntry'], startsOn: '2026-03-02' }
  const { expiredTrainings } = await s.owner.do('createDelegation', s.north, delegated)
  expect(expiredTrainings).toEqual(names.slice(2))
})

test('an entry is corrected or struck out, with its history in the audit trail, and never deleted', async () => {
  const s = await withLog()
  const entry = await s.add('GCP', '2026-03-01')
  const at = `/trainings/${entry._id}` as const
  s.clock(60e6)
  const corrected = await s.owner.do('updateTraining', entry._id, { trainedOn: '2026-02-28' })
  expect(corrected).toEqual({ ...entry, trainedOn: '2026-02-28', updatedAt: s.now() })
  expect(present(await s.entry('updateTraining')).event).toMatchObject({
    before: { trainedOn: '2026-03-01' },
    after: { trainedOn: '2026-02-28' },
  })
  expect((await s.owner.call('PUT', at, { user: s.owner._id })).status).toBe(422)
  const struck = await s.owner.do('updateTraining', entry._id, { struckReason: 'Entered twice.' })
  expect(struck).toMatchObject({ state: 'struck', struckBy: s.owner._id, struckAt: s.now() })
  expect((await s.owner.call('PUT', at, { training: 'Other' })).status).toBe(400)
  expect((await s.owner.call('DELETE', at)).status).toBe(404)
  const run = (sql: string) => () => s.db.$client.run(sql)
  expect(run(`UPDATE trainings SET training = 'x'`)).toThrow('not changed')
  await s.add('Protocol', '2026-03-01')
  expect(run(`UPDATE trainings SET user = 'x' WHERE struckAt IS NULL`)).toThrow('keeps whose training')
  expect(run('DELETE FROM trainings')).toThrow('kept')
})

test('what cannot be is refused', async () => {
  const s = await withLog()
  s.upload('own.pdf', 'site', s.north)
  s.upload('unfinished.pdf', 'site', s.north, null)
  s.upload('south.pdf', 'site', s.south)
  s.upload('trial.pdf', 'trial', s.trial)
  const body = { user: s.nina._id, training: 'GCP', trainedOn: '2026-03-01' }
  const refused: [Record<string, unknown>, number][] = [
    [{ trainedOn: '2026-03-03' }, 400],
    [{ trainedOn: '2026-02-30' }, 422],
    [{ expiresOn: '2026-02-28' }, 400],
    [{ training: ' ' }, 422],
    [{ training: 'x'.repeat(301) }, 422],
    [{ training: 'half \udc00' }, 422],
    [{ user: s.atSouth('site.admin')._id }, 400],
    [{ user: s.neighbours().owner._id }, 400],
    [{ certificate: 'unfinished.pdf' }, 400],
    [{ certificate: 'south.pdf' }, 400],
    [{ certificate: 'trial.pdf' }, 400],
    [{ certificate: 'none.pdf' }, 400],
    [{ struckReason: 'x' }, 422],
  ]
  for (const [change, status] of refused)
    expect([change, (await s.owner.call('POST', s.log, { ...body, ...change })).status]).toEqual([change, status])
  await s.add('GCP', '2026-03-01', { certificate: 'own.pdf' })
  const [{ certificate, certificateFile }] = take(1, (await s.owner.do('listTrainings', s.north)).trainings)
  expect(certificate).toBe('own.pdf')
  expect(certificateFile).toMatchObject({ name: 'gcp.pdf', url: expect.stringContaining('/storage/files/') })
  // The link is no part of the audit trail.
  expect(JSON.stringify(await s.entry('createTraining'))).not.toContain('/storage/')
})

test('readSites reads, writeSites writes, at one’s own sites', async () => {
  const s = await withLog()
  const entry = await s.add('GCP', '2026-03-01')
  const body = { user: s.nina._id, training: 'Protocol', trainedOn: '2026-03-01' }
  const answers = async (who: ReturnType<typeof s.staff>) => [
    (await who.call('GET', s.log)).status,
    (await who.call('POST', s.log, body)).status,
    (await who.call('PUT', `/trainings/${entry._id}`, { provider: 'x' })).status,
  ]
  expect(await answers(s.atNorth('site.readSites'))).toEqual([200, 403, 403])
  expect(await answers(s.nina)).toEqual([403, 403, 403])
  expect(await answers(s.atNorth('site.write'))).toEqual([200, 200, 200])
  expect(await answers(s.staff(s.trial, ['trial.writeSites']))).toEqual([200, 200, 200])
  expect(await answers(s.atSouth('site.admin'))).toEqual([404, 404, 404])
})
