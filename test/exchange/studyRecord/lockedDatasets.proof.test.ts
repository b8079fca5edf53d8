import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyRecord } from '#exchange/studyRecord/verifyRecord'
import { sha256 } from '#kernel/id'
import { DAY, HOUR } from '#kernel/time'
import { uploadPath } from '#storage/names'
import { firstOf, present, take } from '../../present'
import { purgeTrial } from '../../purge'
import { type Study, study } from '../../study'
import { until } from '../../until'
import { downloaded, manifestIn, partsOf, recordOf, rowsIn } from './archive'

const reason = 'All data is in and clean.'

/** The owner in the web app, who locks and unlocks the database. */
async function locking(s: Study) {
  const app = await s.signInStaff(s.owner)
  const turn = (isDatabaseLocked: boolean, more: object = {}) =>
    app.do('updateTrial', s.trial, { isDatabaseLocked, databaseLockJustification: reason, ...more })
  await app.do('confirmIdentity', { password: 'harbour lantern 71' })
  return { app, lock: (more?: object) => turn(true, more), unlock: () => turn(false) }
}

const datasets = async (s: Study) => (await s.owner.do('listLockedDatasets', s.trial)).datasets

/** The newest dataset, when it is made or has failed. */
async function newest(s: Study) {
  await until(async () => (await datasets(s))[0]?.status !== 'pending')
  return firstOf(await datasets(s))
}

/** Blocks the worker until the returned function is called. */
function held(s: Study) {
  const { pool } = s.service.services
  const { perform } = pool
  const { promise, resolve } = Promise.withResolvers<void>()
  pool.perform = async (...task) => {
    await promise
    return perform(...task)
  }
  return resolve
}

test('a lock of the database creates a study record; other locks and unlocking create none', async () => {
  const s = await study()
  const { owner, trial, trial: id } = s
  await s.enter({ pulse: 72 })
  const { app, lock, unlock } = await locking(s)
  await app.do('updateTrial', id, { isLocked: true, lockJustification: reason })
  await app.do('updateTrial', id, { isLocked: false, lockJustification: reason })
  expect(await datasets(s)).toEqual([])
  await lock()
  const first = await newest(s)
  expect(first).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    createdAt: s.now(),
    user: owner._id,
    userEmail: owner.email,
    version: 2,
    status: 'done',
    error: null,
    fileName: 'breath-study locked dataset 2026-03-02.zip',
    size: expect.any(Number),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    counts: expect.objectContaining({ responses: 1, participants: 3, configurationVersions: 2 }),
    request: expect.any(String),
  })
  const zip = await downloaded(s, first.request)
  expect<unknown[]>([zip.length, sha256(zip)]).toEqual([first.size, first.sha256])
  const path = join(s.directory, 'locked.zip')
  writeFileSync(path, zip)
  const { fingerprint } = await owner.do('readSigningKey')
  expect(await verifyRecord(path, fingerprint)).toMatchObject({ fingerprint, chain: { chain: trial } })
  const parts = partsOf(zip)
  expect(manifestIn(parts).said).toEqual(manifestIn(parts).true)
  const told = JSON.parse(`${parts.get('study.json')}`)
  expect([told.lockedAt, told.counts]).toEqual([s.now(), first.counts])
  expect(told.configuration).toEqual((await owner.do('readConfigurationVersion', trial, '2')).snapshot)
  // The audit trail goes up to the lock, the lock itself among it.
  const trail = rowsIn(parts, 'audit-trail.csv')
  expect(trail.at(-1)).toMatchObject({ type: 'lockDatabase' })

  s.clock(1_000_000)
  await unlock()
  expect(await datasets(s)).toHaveLength(1)
  await s.enter({ pulse: 80 })
  await lock()
  const second = await newest(s)
  expect((await datasets(s)).map(({ _id }) => _id)).toEqual([second._id, first._id])
  const values = async (request: string | null) => rowsIn(partsOf(await downloaded(s, request)), 'data/Visit.csv')
  expect((await values(second.request)).map(({ pulse }) => pulse)).toEqual(['80'])
  expect((await values(first.request)).map(({ pulse }) => pulse)).toEqual(['72'])
})

test('locking does not wait for the record, which shows the moment of the lock, whenever it is made', async () => {
  const s = await study()
  await s.enter({ pulse: 72, symptom: 'cough' })
  const { owner, trial, ids, stage } = s
  const { lock } = await locking(s)
  const go = held(s)
  await lock()
  expect((await datasets(s))[0]).toMatchObject({
    ...{ status: 'pending', request: null, error: null, size: null, sha256: null, counts: null },
  })
  // While the database is locked no data changes, but the configuration and the audit trail do.
  expect((await s.enter({ pulse: 80 })).status).toBe(403)
  await owner.do('updateDataType', ids.symptom, { code: 'complaint' })
  await owner.do('updateStage', stage, { name: 'Renamed' })
  await owner.do('createConfigurationVersion', trial)
  s.clock(HOUR)
  go()
  const { request, counts } = await newest(s)
  const parts = partsOf(await downloaded(s, request))
  expect(rowsIn(parts, 'data/Visit.csv')).toMatchObject([{ participantId: 'P-1', pulse: '72', symptom: 'cough' }])
  expect([...parts.keys()].filter((name) => name.startsWith('data/'))).toEqual([
    'data/Visit.csv',
    'data/Visit.json',
    'data/Visit.xml',
  ])
  expect(rowsIn(parts, 'codebook.csv').map(({ code }) => code)).toContain('symptom')
  expect(rowsIn(parts, 'audit-trail.csv').at(-1)).toMatchObject({ type: 'lockDatabase' })
  expect(JSON.parse(`${parts.get('configuration-versions.json')}`).versions).toHaveLength(1)
  expect(counts?.configurationVersions).toBe(1)
})

test('the record of a lock has the same bytes as a requested study record if nothing has changed', async () => {
  const s = await study()
  await s.enter({ pulse: 72, symptom: 'cough' })
  const { lock } = await locking(s)
  await lock()
  const locked = partsOf(await downloaded(s, (await newest(s)).request))
  const { jobId } = await s.owner.do('exportStudyRecord', s.trial)
  await until(async () => (await s.owner.do('readJob', jobId)).status === 'done')
  const asked = partsOf(await downloaded(s, recordOf(await s.owner.do('readJob', jobId)).request))
  for (const name of [
    ...['data/Visit.csv', 'codebook.csv', 'codebook.html', 'codebook.xlsx', 'data-history.csv', 'participants.csv'],
    ...[
      'casebooks/P-1.pdf',
      'conduct/people.csv',
      'configuration-versions.json',
      'consent-forms.json',
      'consents.json',
    ],
  ]) {
    expect([name, asked.get(name)!.equals(locked.get(name)!)]).toEqual([name, true])
  }
})

test('if the database is unlocked before its record is made, no record of a later state is made', async () => {
  const s = await study()
  await s.enter({ pulse: 72 })
  const { lock, unlock } = await locking(s)
  const go = held(s)
  await lock()
  await unlock()
  await s.enter({ pulse: 80 })
  await lock()
  go()
  await until(async () => (await datasets(s)).every(({ status }) => status !== 'pending'))
  const [second, first] = take(2, await datasets(s))
  expect(first).toMatchObject({
    ...{ status: 'error', request: null, sha256: null },
    error: 'The database was unlocked before its record was made: lock it again to have one.',
  })
  const rows = rowsIn(partsOf(await downloaded(s, second.request)), 'data/Visit.csv')
  expect(rows.map(({ pulse }) => pulse)).toEqual(['80'])
})

test('a link is valid for one hour, to the microsecond, and a record is never cleaned up', async () => {
  const s = await study()
  const { lock } = await locking(s)
  await lock()
  const request = present((await newest(s)).request)
  s.clock(HOUR - 1)
  expect((await s.fetch(request)).status).toBe(200)
  s.clock(1)
  expect((await s.fetch(request)).status).toBe(403)
  s.clock(400 * DAY)
  await s.service.services.tick()
  expect((await downloaded(s, (await newest(s)).request)).length).toBeGreaterThan(0)
})

test('records are never changed or deleted, are in backups, and are deleted with their trial', async () => {
  const s = await study()
  const { lock, unlock } = await locking(s)
  await lock()
  await newest(s)
  const { $client: sqlite } = s.db
  expect(() => sqlite.run(`UPDATE lockedDatasets SET sha256 = 'x'`)).toThrow('not changed')
  expect(() => sqlite.run('DELETE FROM lockedDatasets')).toThrow('kept')
  const file = sqlite
    .query<{ storedName: string; kind: string; expiresAt: null }, []>(
      `SELECT storedName, kind, expiresAt FROM files WHERE name LIKE '%locked%'`,
    )
    .get()!
  expect(file).toMatchObject({ kind: 'dataset', expiresAt: null })
  const path = uploadPath(s.service.services.storage.files, file.storedName)
  expect(existsSync(path)).toBe(true)
  await unlock()
  await purgeTrial(s, s.trial)
  expect(sqlite.query('SELECT count(*) AS n FROM lockedDatasets').get()).toEqual({ n: 0 })
  await until(() => !existsSync(path))
})

test('a refused lock creates no record', async () => {
  const s = await study()
  const body = { isDatabaseLocked: true, databaseLockJustification: reason }
  expect((await s.owner.call('PUT', `/trials/${s.trial}`, body)).status).toBe(403)
  expect(await datasets(s)).toEqual([])
  expect(s.db.$client.query('SELECT count(*) AS n FROM jobs').get()).toEqual({ n: 0 })
})

test('reading records needs trial.admin; another team’s trial is 404', async () => {
  const s = await study()
  const url = `/trials/${s.trial}/locked-datasets` as const
  for (const words of [['trial.write', 'trial.exportData'], ['trial.read'], ['trial.readLogs']]) {
    expect([words, (await s.staff(s.trial, words).call('GET', url)).status]).toEqual([words, 403])
  }
  expect((await s.neighbours().owner.call('GET', url)).status).toBe(404)
  expect(await s.staff(s.trial, ['trial.admin']).do('listLockedDatasets', s.trial)).toEqual({ datasets: [] })
})
