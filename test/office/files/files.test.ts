import { expect, test } from 'bun:test'
import { DAY } from '#kernel/time'
import { fileTypes } from '#office/files/model'
import { firstOf } from '../../present'
import { until } from '../../until'
import { masterFile } from './files.study'

test('a file is created, read, changed and deleted, each with an audit entry', async () => {
  const m = await masterFile()
  const { owner, all, north, trial } = m
  const created = await owner.post<'createFile'>(all, {
    name: 'Ethics approval',
    site: north,
    tags: ['2026', ' EC '],
    type: 'ethics',
  })
  expect(created).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    createdAt: m.now(),
    createdBy: owner._id,
    updatedAt: m.now(),
    ...{ trial, site: north, name: 'Ethics approval', type: 'ethics', description: null, tags: ['2026', 'EC'] },
    ...{ assignees: [], versions: [], latestVersion: null },
  })
  const at = `/files/${created._id}` as const
  const { latestVersion: _, ...listed } = created
  expect(await owner.get<'listFiles'>(all)).toEqual({ files: [listed], page: 1, nextPageAvailable: false })
  m.clock(DAY)
  const changed = {
    ...created,
    name: 'Ethics opinion',
    description: 'With conditions.',
    tags: ['b'],
    updatedAt: m.now(),
  }
  expect(await owner.do('updateFile', created._id, changed)).toEqual(changed)
  expect(await owner.do('readFile', created._id)).toEqual(changed)
  expect(await owner.do('updateFile', created._id, {})).toEqual(changed)
  const version = await m.version(created._id, 'signed')
  expect(await owner.call('DELETE', at, { reason: 'Filed at the wrong site.' })).toMatchObject({
    status: 200,
    body: {},
  })
  for (const url of [at, `${at}/versions`]) expect((await owner.call('GET', url)).status).toBe(404)
  expect((await owner.get<'listFiles'>(all)).files).toEqual([])
  const entries = m.entries()
  expect(entries.map(({ type }) => type)).toEqual([
    ...['createFile', 'updateFile', 'updateFile', 'createFileVersion', 'deleteFile'],
  ])
  expect(entries[1]!.event).toMatchObject({
    ...{ fileId: created._id, fileSite: north, before: { name: 'Ethics approval', tags: ['2026', 'EC'] } },
    after: { name: 'Ethics opinion', tags: ['b'] },
  })
  expect(entries[4]!.event).toMatchObject({
    ...{ reason: 'Filed at the wrong site.', before: { name: 'Ethics opinion', site: north } },
    versions: [{ number: 1, name: 'Version', sha256: version.sha256 }],
  })
})

test('every type may be used; without one, a file is other', async () => {
  const { add } = await masterFile()
  expect(fileTypes).toHaveLength(23)
  for (const type of fileTypes) expect((await add({ type })).type).toBe(type)
  expect((await add()).type).toBe('other')
})

test.each<[Record<string, unknown>, Record<string, unknown>]>([
  [{ name: undefined }, { name: ['Missing data for required field.'] }],
  [{ name: 'x' }, { name: ['Must be at least 2 characters.'] }],
  [{ name: '   ' }, { name: [expect.any(String)] }],
  [{ name: 'x'.repeat(101) }, { name: ['Must be at most 100 characters.'] }],
  [{ name: 'ab\ud800' }, { name: [expect.stringContaining('surrogate')] }],
  [{ type: 'letter' }, { type: [expect.stringContaining('protocol')] }],
  [{ description: 'x'.repeat(501) }, { description: ['Must be at most 500 characters.'] }],
  [{ tags: ['x'.repeat(51)] }, { tags: [expect.any(String)] }],
  [{ tags: [' '] }, { tags: [expect.any(String)] }],
  [{ tags: Array.from({ length: 51 }, (_, n) => `${n}`) }, { tags: [expect.any(String)] }],
  [{ site: 'North' }, { site: [expect.any(String)] }],
  [{ assignees: ['Olga'] }, { assignees: [expect.any(String)] }],
  [{ status: 'approved' }, { status: [expect.any(String)] }],
  [{ versions: [] }, {}],
])('a file with %j is refused, unless only reads set the field', async (fields, problems) => {
  const { owner, all } = await masterFile()
  const raw = JSON.stringify({ name: 'Protocol', ...fields })
  const { status, body } = await owner.call('POST', all, undefined, { raw })
  const isFine = Object.keys(problems).length === 0
  expect([status, body.validations?.json]).toEqual(isFine ? [200, undefined] : [422, problems])
})

test('texts may have the documented length, in any script', async () => {
  const { add } = await masterFile()
  const long = { name: '文'.repeat(100), description: 'ß'.repeat(500), tags: ['é'.repeat(50)] }
  expect(await add(long)).toMatchObject(long)
})

test('tags are kept once, whatever the case', async () => {
  const { add, owner } = await masterFile()
  const file = await add({ tags: ['GCP', 'gcp', ' Gcp ', 'Étude', 'étude', 'E\u0301tude'] })
  expect(file.tags).toEqual(['GCP', 'Étude'])
  expect((await owner.do('updateFile', file._id, { tags: ['b', 'B'] })).tags).toEqual(['b'])
})

test('the site is fixed', async () => {
  const { add, owner, north, south } = await masterFile()
  const file = await add({ site: north })
  const at = `/files/${file._id}` as const
  for (const site of [south, null]) {
    const { status, body } = await owner.call('PUT', at, { site, name: 'Other' })
    expect([status, body.message]).toEqual([400, expect.stringContaining('Copy the file')])
  }
  expect(await owner.do('updateFile', file._id, { site: north })).toMatchObject({ site: north, name: 'Protocol' })
})

test('a site of another trial is refused, and nothing is created', async () => {
  const m = await masterFile()
  const other = m.otherTrial()
  const foreign = (await m.owner.do('createSite', other, { name: 'East', id: 'E1' }))._id
  const storedName = await m.upload()
  for (const site of [foreign, 'f'.repeat(24)]) {
    expect((await m.owner.call('POST', m.all, { name: 'CV', site })).status).toBe(400)
    const batch = { name: 'CV', storedName, sites: [m.north, site] }
    expect((await m.owner.call('POST', `${m.all}/batch`, batch)).status).toBe(400)
    const file = await m.add()
    expect((await m.owner.call('POST', `/files/${file._id}/copy`, { sites: [null, site] })).status).toBe(400)
    await m.owner.do('deleteFile', file._id)
  }
  expect((await m.owner.get<'listFiles'>(m.all)).files).toEqual([])
})

test('assignees are told once by e-mail, must be able to read the file, and stay when they no longer can', async () => {
  const m = await masterFile()
  const { owner, staff, trial, north, south, mails, add } = m
  const reader = staff(trial, ['trial.readFiles'])
  const nurse = staff(trial, ['site.readFiles'], north)
  const auditor = staff(trial, ['trial.readApprovedFiles'])
  const file = await add({
    name: 'Delegation log',
    site: north,
    assignees: [owner._id, reader._id, nurse._id, nurse._id],
  })
  expect(file.assignees).toEqual([owner._id, reader._id, nurse._id])
  expect(mails().map(({ recipient }) => recipient)).toEqual([reader.email, nurse.email])
  expect(mails()[0]).toEqual({
    recipient: reader.email,
    subject: 'Breath study: a file for you',
    body: 'Olga Owner assigned a file of the trial master file to you.\n\nStudy: Breath study\nFile: Delegation log\n',
  })
  for (const [site, person] of [
    [south, nurse],
    [null, nurse],
    [null, auditor],
    [null, staff(trial, ['trial.readTasks'])],
    [null, m.invite()],
  ] as const) {
    const { status, body } = await owner.call('POST', m.all, { name: 'CV', site, assignees: [reader._id, person._id] })
    expect([status, body.details]).toEqual([
      400,
      { code: 'fileAssignees', params: { count: 1 }, strangers: [person._id] },
    ])
  }
  expect(mails()).toHaveLength(2)
  const at = `/files/${file._id}` as const
  await m.version(file._id, 'approved', { status: 'approved' })
  await owner.do('updateFile', file._id, { assignees: [reader._id, auditor._id] })
  expect(mails().map(({ recipient }) => recipient)).toEqual([reader.email, nurse.email, auditor.email])
  m.db.$client.query('DELETE FROM permissions WHERE user = ?').run(reader._id)
  expect((await owner.do('updateFile', file._id, { assignees: [reader._id] })).assignees).toEqual([reader._id])
  await owner.do('updateFile', file._id, { assignees: [] })
  expect((await owner.call('PUT', at, { assignees: [reader._id] })).status).toBe(400)
  const storedName = await m.upload()
  await owner
    .post<'createFiles'>(`${m.all}/batch`, {
      name: 'SOP 7',
      storedName,
      sites: [north, south],
      assignees: [auditor._id],
    })
    .then(
      () => expect.unreachable(),
      () => {},
    )
  const director = staff(trial, ['trial.readFiles'])
  await owner.post<'createFiles'>(`${m.all}/batch`, {
    name: 'SOP 7',
    storedName,
    sites: [north, south],
    assignees: [director._id],
  })
  expect(
    mails()
      .slice(3)
      .map(({ recipient }) => recipient),
  ).toEqual([director.email])
  // Who reads approved files may be told of one that is approved from the beginning.
  const approved = { name: 'SOP 8', storedName, status: 'approved', sites: [north], assignees: [auditor._id] }
  await owner.post<'createFiles'>(`${m.all}/batch`, approved)
  expect(mails().at(-1)?.recipient).toBe(auditor.email)
})

test('a site with files is not deleted, and says what to do; without them it is', async () => {
  const m = await masterFile()
  const file = await m.add({ site: m.north })
  const { status, body } = await m.owner.call('DELETE', `/sites/${m.north}`)
  expect([status, body.message]).toEqual([
    400,
    expect.stringContaining('“North” cannot be deleted: it has files of the trial master file'),
  ])
  await m.owner.do('deleteFile', file._id)
  await m.owner.do('deleteSite', m.north)
})

test('the deletion of a trial leaves a list of what its master file held', async () => {
  const m = await masterFile()
  const file = await m.add({ site: m.north, type: 'cv', name: 'CV of Dr. Ash' })
  const { sha256, size } = await m.version(file._id, 'the life of Dr. Ash', { name: 'CV 2026', status: 'approved' })
  await m.add({ name: 'Insurance' })
  const [storedName] = m.storedNames(file._id)
  await m.owner.do('deleteTrial', m.trial)
  const entry = firstOf(
    m.db.$client.query<{ event: string }, []>(`SELECT event FROM auditEntries WHERE type = 'deleteTrial'`).all(),
  )
  const none = { number: null, version: null, status: null, size: null, sha256: null }
  expect(JSON.parse(entry.event).masterFile).toEqual([
    { site: 'N1', type: 'cv', file: 'CV of Dr. Ash', number: 1, version: 'CV 2026', status: 'approved', size, sha256 },
    { site: null, type: 'other', file: 'Insurance', ...none },
  ])
  await until(() => !m.isStored(storedName!)) // removed after the answer
  expect(m.isStored(storedName!)).toBe(false)
})

test('a copy of a trial has no files, and files go on under both locks', async () => {
  const m = await masterFile()
  const file = await m.add({ site: m.north })
  await m.version(file._id, 'x')
  const copy = await m.owner.do('createTrial', m.team, { name: 'Another', copyFrom: m.trial })
  expect((await m.owner.do('listFiles', copy._id)).files).toEqual([])
  expect(m.db.$client.query('SELECT 1 FROM files WHERE trial = ?').all(copy._id)).toEqual([])
  m.db.$client.query('UPDATE trials SET isLocked = 1, isDatabaseLocked = 1 WHERE _id = ?').run(m.trial)
  await m.version(file._id, 'y', { status: 'approved' })
  await m.owner.do('updateFile', file._id, { name: 'Close-out letter' })
  await m.owner.do('deleteFile', file._id)
})

test('a file of a trial of another team does not exist', async () => {
  const m = await masterFile()
  const file = await m.add()
  const { owner: other } = m.neighbours()
  for (const method of ['GET', 'PUT', 'DELETE'] as const)
    expect((await other.call(method, `/files/${file._id}`, method === 'GET' ? undefined : {})).status).toBe(404)
})
