import { describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { present, take } from '../../present'
import { type Fields, masterFile } from './files.study'

describe('a batch', () => {
  test('creates an independent file for each site', async () => {
    const m = await masterFile()
    const { owner, all, north, south } = m
    const storedName = await m.upload('SOP')
    const body = { name: 'SOP 7', storedName, type: 'sop', status: 'approved', sites: [north, null, south, north] }
    const { files } = await owner.post<'createFiles'>(`${all}/batch`, {
      ...body,
      tags: ['lab'],
      expiresAt: '2027-01-01',
    })
    expect(files.map(({ site }) => site)).toEqual([north, null, south])
    for (const file of files) {
      expect(file).toMatchObject({
        name: 'SOP 7',
        type: 'sop',
        tags: ['lab'],
        versions: [{ number: 1, name: 'SOP 7' }],
      })
      const [version] = take(1, file.versions)
      expect(version).toMatchObject({ status: 'approved', expiresAt: '2027-01-01', uploader: { _id: owner._id } })
      expect(await m.download(version.url)).toEqual([200, 'SOP'])
    }
    const [one, two, three] = take(3, files)
    await owner.do('updateFile', one._id, { name: 'SOP 7 of North' })
    await m.version(one._id, 'SOP, amended')
    await owner.do('deleteFile', two._id)
    expect(await owner.do('readFile', three._id)).toMatchObject({ name: 'SOP 7', versions: [{ number: 1 }] })
    const { url } = present((await owner.do('readFile', three._id)).latestVersion)
    expect(await m.download(url)).toEqual([200, 'SOP'])
    expect(m.entries().filter(({ type }) => type === 'createFiles')).toHaveLength(3)
  })

  test.each<[string, Fields, (string | null)[]]>([
    ['without sites', {}, [null]],
    ['with null', { sites: [null] }, [null]],
  ])('%s creates a file of the whole trial', async (_, sites, expected) => {
    const m = await masterFile()
    const { files } = await m.owner.post<'createFiles'>(`${m.all}/batch`, {
      name: 'Manual',
      storedName: await m.upload(),
      ...sites,
    })
    expect(files.map(({ site }) => site)).toEqual(expected)
    expect(files[0]).toMatchObject({ type: 'other', versions: [{ status: 'draft' }] })
  })

  test.each<[Fields, string]>([
    [{ name: undefined }, 'name'],
    [{ storedName: undefined }, 'storedName'],
    [{ sites: [] }, 'sites'],
    [{ sites: ['North'] }, 'sites'],
    [{ sites: Array(501).fill(null) }, 'sites'],
    [{ type: 'letter' }, 'type'],
    [{ site: null }, 'site'],
  ])('is refused with %j', async (fields, field) => {
    const m = await masterFile()
    const raw = JSON.stringify({ name: 'Manual', storedName: await m.upload(), ...fields })
    const { status, body } = await m.owner.call('POST', `${m.all}/batch`, undefined, { raw })
    expect([status, Object.keys(body.validations?.json ?? {})]).toEqual([422, [field]])
  })

  test('takes an upload for one site at no other site, in any order', async () => {
    const m = await masterFile()
    const storedName = await m.upload('x', { forType: 'site', forId: m.north })
    for (const sites of [
      [m.north, m.south],
      [m.south, m.north],
      [m.north, null],
    ])
      expect((await m.owner.call('POST', `${m.all}/batch`, { name: 'Manual', storedName, sites })).status).toBe(400)
    expect((await m.owner.get<'listFiles'>(m.all)).files).toEqual([])
    await m.owner.post<'createFiles'>(`${m.all}/batch`, { name: 'Manual', storedName, sites: [m.north] })
  })

  test('stores the bytes once', async () => {
    const m = await masterFile()
    const storedName = await m.upload('a diet')
    await m.owner.do('createParticipantResource', m.trial, { type: 'file', title: 'Diet', storedName })
    const used = m.bytesUsed()
    await m.owner.post<'createFiles'>(`${m.all}/batch`, { name: 'Diet', storedName, sites: [m.north, m.south, null] })
    expect(m.bytesUsed()).toBe(used + 6)
  })

  test('leaves nothing half done', async () => {
    const m = await masterFile()
    const storedName = await m.upload('x', { forType: 'site', forId: m.north })
    const body = { name: 'Manual', storedName, sites: [m.north, m.south] }
    const before = m.db.$client.query('SELECT * FROM files').all()
    const writer = m.staff(m.trial, ['site.writeFiles'], m.north)
    m.db.$client
      .query('UPDATE permissions SET keys = ? WHERE user = ?')
      .run('["site.writeFiles","site.read"]', writer._id)
    expect((await m.owner.call('POST', `${m.all}/batch`, { ...body, storedName: 'nothing' })).status).toBe(400)
    expect((await writer.call('POST', `${m.all}/batch`, body)).status).toBe(400)
    expect((await writer.call('POST', `${m.all}/batch`, { ...body, sites: [m.north, null] })).status).toBe(403)
    expect((await m.owner.get<'listFiles'>(m.all)).files).toEqual([])
    expect(m.db.$client.query('SELECT * FROM files').all()).toEqual(before)
  })
})

describe('a copy', () => {
  /** A file with an approved version and a later draft, by two people, a day apart. */
  async function withHistory() {
    const m = await masterFile()
    const file = await m.add({
      name: 'Protocol',
      type: 'protocol',
      description: 'Main',
      tags: ['v'],
      assignees: [m.owner._id],
    })
    const first = await m.version(file._id, 'one', { status: 'approved', expiresAt: '2027-01-01' })
    m.clock(DAY)
    const writer = m.staff(m.trial, ['trial.write'])
    const second = await writer.do('createFileVersion', file._id, {
      name: 'Version',
      storedName: await m.upload('two'),
    })
    m.clock(DAY)
    return { ...m, file, first, second, writer }
  }

  test('has the latest version, or the full history as it was', async () => {
    const m = await withHistory()
    const { owner, file, first, second } = m
    const content = ({ _id: _, url: __, ...rest }: typeof first) => rest
    const { files } = await owner.do('copyFile', file._id, { sites: [m.north, m.south, m.north] })
    expect(files.map(({ site }) => site)).toEqual([m.north, m.south])
    for (const copy of files) {
      expect(copy).toMatchObject({
        name: 'Protocol',
        type: 'protocol',
        description: 'Main',
        tags: ['v'],
        assignees: [],
      })
      expect(copy).toMatchObject({ createdAt: m.now(), createdBy: owner._id })
      expect(copy.versions.map(content)).toEqual([{ ...content(second), number: 1 }])
    }
    const whole = await owner.do('copyFile', file._id, { sites: [null], fullHistory: true })
    const [copy] = take(1, whole.files)
    expect(copy.versions.map(content)).toEqual([first, second].map(content))
    expect(await Promise.all(copy.versions.map(async ({ url }) => (await m.download(url))[1]))).toEqual(['one', 'two'])
    expect((await owner.get<'listFiles'>(`${m.all}?status=draft`)).files).toHaveLength(4)
    expect(m.mails()).toEqual([])
    expect(m.entries().at(-1)).toMatchObject({
      type: 'copyFile',
      event: { fileId: file._id, fileSite: 'trial', after: { _id: copy._id }, versions: 2 },
    })
  })

  test('of a file without versions has none', async () => {
    const m = await masterFile()
    const file = await m.add()
    const { files } = await m.owner.do('copyFile', file._id, { sites: [m.north], fullHistory: true })
    expect(files[0]!.versions).toEqual([])
  })

  test('is independent: what happens to one does not reach the other', async () => {
    const m = await withHistory()
    const { owner, file } = m
    const copies = await owner.do('copyFile', file._id, { sites: [m.north, null], fullHistory: true })
    const [one, two] = take(2, copies.files)
    await m.version(one._id, 'three')
    await owner.do('updateFile', one._id, { name: 'Other', tags: [] })
    expect(await owner.do('readFile', file._id)).toMatchObject({ name: 'Protocol', tags: ['v'], versions: [{}, {}] })
    const stored = m.storedNames(file._id)
    await owner.do('deleteFile', file._id)
    await owner.do('deleteFile', one._id)
    m.clock(HOUR + MINUTE)
    await m.service.services.tick()
    await m.service.services.tick()
    const { versions } = await owner.do('listFileVersions', two._id)
    expect(await Promise.all(versions.map(({ url }) => m.download(url)))).toEqual([
      [200, 'one'],
      [200, 'two'],
    ])
    await owner.do('deleteFile', two._id)
    m.clock(HOUR + MINUTE)
    await m.service.services.tick()
    await m.service.services.tick()
    expect(stored.map(m.isStored)).toEqual([false, false])
  })

  test('is a draft where the person who copies may not approve', async () => {
    const m = await withHistory()
    const copy = { sites: [m.north], fullHistory: true }
    const [copied] = take(1, (await m.writer.do('copyFile', m.file._id, copy)).files)
    expect(copied.versions.map(({ status }) => status)).toEqual(['draft', 'draft'])
    expect(copied.versions[0]).toMatchObject({
      statusAt: m.now(),
      statusBy: m.writer._id,
      createdAt: m.first.createdAt,
    })
    m.grant(m.writer, m.south, ['site.approveFiles'])
    const { files } = await m.writer.do('copyFile', m.file._id, { sites: [m.south, null], fullHistory: true })
    expect(files.map(({ versions }) => versions[0]!.status)).toEqual(['approved', 'draft'])
    expect(files[0]!.versions[0]).toMatchObject({ statusAt: m.first.statusAt, statusBy: m.owner._id })
  })

  test('holds only what the person who copies sees', async () => {
    const m = await withHistory()
    const nurse = m.staff(m.trial, ['site.writeFiles'], m.north)
    m.grant(nurse, m.trial, ['trial.readApprovedFiles'])
    for (const fullHistory of [false, true]) {
      const [copy] = take(1, (await nurse.do('copyFile', m.file._id, { sites: [m.north], fullHistory })).files)
      expect(copy.versions.map(({ sha256 }) => sha256)).toEqual([m.first.sha256])
    }
    for (const sites of [[null], [m.north, null]])
      expect((await nurse.call('POST', `/files/${m.file._id}/copy`, { sites })).status).toBe(403)
    expect((await nurse.call('POST', `/files/${m.file._id}/copy`, { sites: [] })).status).toBe(422)
  })
})
