import { expect, test } from 'bun:test'
import { changesBetween } from '#design/configurationVersions/changes'
import type { Snapshot } from '#design/configurationVersions/model'
import { sha256 } from '#kernel/id'
import { canonicalJson } from '#kernel/json'
import type { World } from '../../harness'
import { firstOf, present } from '../../present'
import { study } from '../../study'
import { configured, nothing } from './configurationVersions.study'

const reason = 'The protocol is final.'

const snapshotKeys = [
  ...['anchors', 'consentForms', 'dataTypes', 'groups', 'settings', 'sites', 'stageGroups', 'stages'],
]

test('a snapshot has the configuration as the operations return it, without the password and locks', async () => {
  const w = await configured()
  const { owner, id } = w
  await owner.do('updateTrial', id, { password: 'letmein', sponsor: 'Charité', description: 'A study' })
  const site = await owner.do('createSite', id, { name: 'North', id: 'N1', contactEmail: 'n@example.org' })
  await owner.do('createGroup', id, { name: 'Arm A' })
  await owner.do('createAnchor', id, { name: 'Surgery' })
  await owner.do('createStageGroup', id, { name: 'Visits', stages: [{ stage: w.first, recurrence: null }] })
  const { snapshot, ...taken } = await owner.do('createConfigurationVersion', id, { note: 'Before the first patient' })
  expect(taken).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    number: 1,
    createdAt: w.now(),
    user: owner._id,
    userEmail: owner.email,
    trigger: 'manual',
    note: 'Before the first patient',
    hash: sha256(canonicalJson(snapshot)),
  })
  expect(Object.keys(snapshot).sort()).toEqual(snapshotKeys)
  expect(snapshot.dataTypes).toEqual((await owner.do('listDataTypes', id)).dataTypes)
  expect(snapshot.stages).toEqual((await owner.do('listStages', id)).stages)
  expect(snapshot.stageGroups).toEqual((await owner.do('listStageGroups', id)).stageGroups)
  expect(snapshot.anchors).toEqual((await owner.do('listAnchors', id)).anchors)
  expect(snapshot.groups).toEqual((await owner.do('listGroups', id)).groups)
  expect(snapshot.sites).toEqual([{ _id: site._id, name: 'North', id: 'N1' }])
  expect(snapshot.consentForms).toEqual([])
  const { settings } = snapshot
  expect(await owner.do('readTrial', id)).toMatchObject(settings)
  expect(settings).toMatchObject({ sponsor: 'Charité', description: 'A study', code: expect.any(String) })
  expect(Object.keys(settings).filter((field) => /lock|password|archived/i.test(field))).toEqual([
    'participantPasswordMinLength', // a rule, not a password
    'signaturesRequiredForLock',
  ])
  expect(JSON.stringify(snapshot)).not.toContain('letmein')
  expect(await owner.do('readConfigurationVersion', id, '1')).toEqual({ ...taken, snapshot })
  expect(await owner.do('listConfigurationVersions', id)).toEqual({ versions: [taken] })
})

test('if nothing changed, the last version is returned', async () => {
  const { owner, id, first, clock } = await configured()
  const taken = await owner.do('createConfigurationVersion', id)
  expect('unchanged' in taken).toBe(false)
  clock(1_000_000)
  expect(await owner.do('createConfigurationVersion', id, { note: 'Again' })).toEqual({ ...taken, unchanged: true })
  await owner.do('updateStage', first, { name: 'Visit One' })
  const second = await owner.do('createConfigurationVersion', id)
  expect([second.number, second.unchanged]).toEqual([2, undefined])
  // A change that was undone is a change too: snapshots are compared with the last version.
  await owner.do('updateStage', first, { name: 'Visit 1' })
  const third = await owner.do('createConfigurationVersion', id)
  expect([third.number, third.hash]).toEqual([3, taken.hash])
  // Only configuration is compared.
  await owner.do('updateTrial', id, { isArchived: true })
  expect((await owner.do('createConfigurationVersion', id)).unchanged).toBe(true)
  expect((await owner.do('listConfigurationVersions', id)).versions.map(({ number }) => number)).toEqual([3, 2, 1])
  const { entries } = await owner.do('readLogs', id, { type: 'createConfigurationVersion' })
  expect(entries.map(({ event }) => event)).toEqual([
    { trialId: id, number: 3, unchanged: true },
    { trialId: id, number: 3, hash: third.hash, note: null },
    { trialId: id, number: 2, hash: second.hash, note: null },
    { trialId: id, number: 1, unchanged: true },
    { trialId: id, number: 1, hash: taken.hash, note: null },
  ])
})

const named = (name: string, more: object = {}) => ({ _id: sha256(name).slice(0, 24), name, ...more })

const twin = (at: number) => ({ _id: `${at}`.repeat(24), name: 'Visit', index: at })

const paths = (before: Partial<Snapshot>, after: Partial<Snapshot>) =>
  changesBetween({ ...nothing, ...before }, { ...nothing, ...after }).map(({ path, kind }) => `${kind} ${path}`)

test.each([
  [
    'a moved item is a change, but not the items that make room',
    { stages: ['a', 'b', 'c', 'd'].map((each, index) => named(each, { index })) },
    { stages: ['b', 'c', 'd', 'a'].map((each, index) => named(each, { index })) },
    ['changed stages["a"].index'],
  ],
  [
    'two items of one name are distinguished',
    { stages: [twin(1), twin(2)] },
    { stages: [twin(1), { ...twin(2), enabled: true }] },
    [`changed stages["Visit", "${'2'.repeat(24)}"].enabled`],
  ],
  [
    'options go by their code',
    { dataTypes: [named('Smoker', { options: [{ label: 'Yes', code: '1' }] })] },
    { dataTypes: [named('Smoker', { options: [{ label: 'Ja', code: '1' }] })] },
    ['changed dataTypes["Smoker"].options["1"].label'],
  ],
  [
    'options without a code by their label',
    { dataTypes: [named('Smoker', { options: [{ label: 'Yes' }, { label: 'No' }] })] },
    { dataTypes: [named('Smoker', { options: [{ label: 'No' }, { label: 'Ja' }] })] },
    ['removed dataTypes["Smoker"].options["Yes"]', 'added dataTypes["Smoker"].options["Ja"]'],
  ],
  [
    'references in lists go by name',
    { groups: [named('Arm A')], stages: [named('V', { availableToGroups: [] })] },
    { groups: [named('Arm A')], stages: [named('V', { availableToGroups: [named('Arm A')._id] })] },
    ['added stages["V"].availableToGroups["Arm A"]'],
  ],
  ['an absent field equals null', { settings: { sponsor: null } }, { settings: {} }, []],
  [
    'null and an empty list are not',
    { stages: [named('V', { recurrenceNames: null })] },
    { stages: [named('V', { recurrenceNames: [] })] },
    ['changed stages["V"].recurrenceNames'],
  ],
  [
    'a repeated entry counts',
    { settings: { signatureMeanings: ['A', 'A'] } },
    { settings: { signatureMeanings: ['A'] } },
    ['removed settings.signatureMeanings["A", "\\"A\\" 2"]'],
  ],
  [
    'inner objects are entered',
    { stages: [named('V', { enableAfter: { type: 'stage', delay: 1 } })] },
    { stages: [named('V', { enableAfter: { type: 'stage', delay: 2 } })] },
    ['changed stages["V"].enableAfter.delay'],
  ],
])('%s', (_, before, after, expected) => {
  expect(paths(before as Partial<Snapshot>, after as Partial<Snapshot>)).toEqual(expected)
})

/** The owner in the web app, who has just confirmed their identity. */
async function confirmed(w: World) {
  const app = await w.signIn(w.owner)
  await app.do('confirmIdentity', { password: 'harbour lantern 71' })
  return app
}

test('each lock creates a snapshot, even without changes, and unlocking creates none', async () => {
  const w = await configured()
  const { id, owner } = w
  const app = await confirmed(w)
  await owner.do('createConfigurationVersion', id)
  await app.do('updateTrial', id, { isLocked: true, lockJustification: reason, sponsor: 'Charité' })
  await app.do('updateTrial', id, { isDatabaseLocked: true, databaseLockJustification: 'All data is in.' })
  await app.do('updateTrial', id, { isLocked: false, lockJustification: reason })
  await app.do('updateTrial', id, { isDatabaseLocked: false, databaseLockJustification: reason })
  const { versions } = await owner.do('listConfigurationVersions', id)
  const who = { user: owner._id, userEmail: owner.email }
  expect(versions).toMatchObject([
    { number: 3, trigger: 'databaseLock', note: 'All data is in.', ...who },
    { number: 2, trigger: 'lock', note: reason, ...who },
    { number: 1, trigger: 'manual' },
  ])
  expect(firstOf(versions).hash).toBe(present(versions[1]).hash)
  expect((await owner.do('readConfigurationVersion', id, '2', { against: 1 })).changes).toEqual([
    { path: 'settings.sponsor', kind: 'changed', before: null, after: 'Charité' },
  ])
  const { entries } = await owner.do('readLogs', id, { type: 'lockDatabase' })
  expect(firstOf(entries).event).toMatchObject({ justification: 'All data is in.', configurationVersion: 3 })
  await app.do('updateTrial', id, {
    ...{ isLocked: true, lockJustification: reason, isDatabaseLocked: true, databaseLockJustification: reason },
  })
  expect((await owner.do('listConfigurationVersions', id)).versions.slice(0, 2).map(({ trigger }) => trigger)).toEqual([
    'databaseLock',
    'lock',
  ])
})

test('a refused lock creates no snapshot', async () => {
  const w = await configured()
  const refused = await w.owner.call('PUT', `/trials/${w.id}`, { isLocked: true, lockJustification: reason })
  expect(refused.status).toBe(403)
  expect(await w.owner.do('listConfigurationVersions', w.id)).toEqual({ versions: [] })
})

test('a version is never changed or deleted, except with its trial', async () => {
  const { owner, db, id } = await configured()
  await owner.do('createConfigurationVersion', id)
  expect(() => db.$client.run(`UPDATE configurationVersions SET note = 'x'`)).toThrow('not changed')
  expect(() => db.$client.run('DELETE FROM configurationVersions')).toThrow('kept')
  await owner.do('deleteTrial', id)
  expect(db.$client.query('SELECT count(*) AS n FROM configurationVersions').get()).toEqual({ n: 0 })
})

test('reading versions needs trial.read, creating them trial.admin; an unknown one is 404', async () => {
  const { owner, staff, neighbours, id, url } = await configured()
  await owner.do('createConfigurationVersion', id)
  const status = async (who: typeof owner, method: string, path: string) => (await who.call(method, path)).status
  const reader = staff(id, ['trial.read'])
  const writer = staff(id, ['trial.write'])
  const other = staff(id, ['trial.readLogs'])
  const stranger = neighbours().owner
  for (const path of [url, `${url}/1`]) {
    expect([path, await status(reader as typeof owner, 'GET', path)]).toEqual([path, 200])
    expect([path, await status(other as typeof owner, 'GET', path)]).toEqual([path, 403])
    expect([path, await status(stranger as typeof owner, 'GET', path)]).toEqual([path, 404])
  }
  expect(await status(writer as typeof owner, 'POST', url)).toBe(403)
  for (const number of ['0', '2', '-1', '1.0', '01', 'one', '99999999999']) {
    expect([number, await status(owner, 'GET', `${url}/${number}`)]).toEqual([number, 404])
  }
  expect(await status(owner, 'GET', `${url}/1?against=2`)).toBe(404)
  expect(await status(owner, 'GET', `${url}/1?against=0`)).toBe(422)
  for (const [note, expected] of [
    ['', 422],
    ['x', 200],
    ['x'.repeat(1000), 200],
    ['x'.repeat(1001), 422],
    [null, 200],
  ] as const) {
    expect([note?.length, (await owner.call('POST', url, { note })).status]).toEqual([note?.length, expected])
  }
})

test('a version can be created while the trial or the database is locked', async () => {
  const { owner, trial, db } = await study()
  db.$client.run('UPDATE trials SET isLocked = 1, isDatabaseLocked = 1')
  expect((await owner.do('createConfigurationVersion', trial)).number).toBe(1)
})
