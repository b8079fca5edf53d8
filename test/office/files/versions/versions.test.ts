import { describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { downloadName, nameOfUpload } from '#office/files/rules'
import { firstOf, present } from '../../../present'
import { masterFile } from '../files.study'

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

/** Each reader has links of their own. */
const URL_OF_FILES = expect.stringContaining('/storage/files/')

describe('a version', () => {
  test('says who uploaded what and when, and its link gives the bytes for an hour', async () => {
    const m = await masterFile()
    const file = await m.add()
    const writer = m.staff(m.trial, ['trial.writeFiles'])
    m.clock(DAY)
    const storedName = await m.upload('the protocol', { by: writer, name: 'Final (2).PDF' })
    const sent = { name: 'Protocol 2.0', storedName, status: 'rejected', expiresAt: '2027-03-01' }
    const version = await writer.do('createFileVersion', file._id, sent)
    const { name: writerName } = m.db.$client
      .query<{ name: string }, [string]>('SELECT name FROM users WHERE _id = ?')
      .get(writer._id)!
    expect(version).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      ...{ number: 1, name: 'Protocol 2.0', createdAt: m.now(), uploader: { _id: writer._id, name: writerName } },
      ...{ status: 'rejected', statusAt: m.now(), statusBy: writer._id, expiresAt: '2027-03-01' },
      ...{ size: 12, sha256: sha256('the protocol'), mimeType: 'application/pdf' },
      url: expect.stringContaining('/storage/files/'),
      ...{ textState: 'waiting', textProblem: null, isTextCut: false },
    })
    expect(await m.owner.do('readFile', file._id)).toEqual({
      ...file,
      ...{ versions: [{ ...version, url: URL_OF_FILES }], latestVersion: { ...version, url: URL_OF_FILES } },
    })
    const answer = await m.fetch(version.url)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="Protocol 2.0.PDF"')
    expect(await answer.text()).toBe('the protocol')
    m.clock(HOUR)
    expect((await m.download(version.url))[0]).toBe(403)
    const renewed = firstOf((await m.owner.do('listFileVersions', file._id)).versions)
    expect(await m.download(renewed.url)).toEqual([200, 'the protocol'])
  })

  test('is kept in order with the others, and the file has the status of the latest', async () => {
    const m = await masterFile()
    const file = await m.add()
    const statuses = ['draft', 'approved', 'draft', 'rejected'] as const
    const statusOf = async () => (await m.owner.do('readFile', file._id)).latestVersion?.status
    for (const [at, status] of statuses.entries()) {
      await m.version(file._id, `content ${at}`, { status })
      expect(await statusOf()).toBe(status)
      expect((await m.owner.get<'listFiles'>(`${m.all}?status=${status}`)).files).toHaveLength(1)
    }
    const { versions } = await m.owner.do('listFileVersions', file._id)
    expect(versions.map(({ number, status }) => [number, status])).toEqual(
      statuses.map((status, at) => [at + 1, status]),
    )
    expect((await m.owner.get<'listFiles'>(m.all)).files[0]!.versions).toEqual(versions)
    const storedName = await m.upload()
    expect((await m.owner.do('createFileVersion', file._id, { storedName })).status).toBe('draft')
  })

  test('has the name of the upload if it has none of its own', async () => {
    const m = await masterFile()
    const file = await m.add()
    const name = `${'long '.repeat(40)}name.pdf`
    const storedName = await m.upload('x', { name })
    expect((await m.owner.do('createFileVersion', file._id, { storedName })).name).toBe(name.slice(0, 100))
  })

  test.each([
    [{}, { storedName: ['Missing data for required field.'] }],
    [{ storedName: '' }, { storedName: ['Must not be empty.'] }],
    [{ storedName: 'x', name: 'x' }, { name: ['Must be at least 2 characters.'] }],
    [{ storedName: 'x', name: 'x'.repeat(101) }, { name: ['Must be at most 100 characters.'] }],
    [{ storedName: 'x', name: 'ab\ud800' }, { name: [expect.stringContaining('surrogate')] }],
    [{ storedName: 'x', status: 'final' }, { status: ['Must be one of: draft, approved, rejected.'] }],
    [{ storedName: 'x', expiresAt: '2027-02-30' }, { expiresAt: [expect.any(String)] }],
    [{ storedName: 'x', expiresAt: '2027-03-01T00:00:00Z' }, { expiresAt: [expect.any(String)] }],
  ])('is refused as %j', async (body, problems) => {
    const m = await masterFile()
    const file = await m.add()
    const { status, body: answer } = await m.owner.call('POST', `/files/${file._id}/versions`, undefined, {
      raw: JSON.stringify(body),
    })
    expect([status, answer.validations?.json]).toEqual([422, problems])
  })

  test('is never changed or deleted by itself, whatever program writes', async () => {
    const m = await masterFile()
    const file = await m.add()
    await m.version(file._id, 'x')
    const sqlite = m.db.$client
    for (const column of sqlite.query<{ name: string }, []>(`PRAGMA table_info('masterFileVersions')`).all()) {
      const change = () => sqlite.run(`UPDATE masterFileVersions SET "${column.name}" = "${column.name}"`)
      if (/^status/.test(column.name)) change()
      else expect(change).toThrow('versions of files are not changed')
    }
    expect(() => sqlite.run('DELETE FROM masterFileVersions')).toThrow('versions of files are kept')
    expect(() => sqlite.run('UPDATE masterFiles SET site = NULL')).toThrow('a file stays where it was created')
  })

  test('of two at once gets its own number, and a repeated request makes none', async () => {
    const m = await masterFile()
    const file = await m.add()
    const at = `/files/${file._id}/versions` as const
    const names = await Promise.all(Array.from({ length: 5 }, (_, n) => m.upload(`content ${n}`)))
    const made = await Promise.all(
      names.map((storedName) => m.owner.do('createFileVersion', file._id, { name: 'Version', storedName })),
    )
    expect(made.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5])
    const storedName = await m.upload('again')
    const once = { headers: { 'Idempotency-Key': 'k1' } }
    const body = { name: 'Version', storedName }
    const [one, two] = await Promise.all([m.owner.call('POST', at, body, once), m.owner.call('POST', at, body, once)])
    expect([one.status, two.status, one.body.number]).toEqual([200, 200, two.body.number])
    expect((await m.owner.do('listFileVersions', file._id)).versions).toHaveLength(6)
  })
})

describe('the bytes of a version', () => {
  test('must be a finished upload for the trial, or for the site of the file', async () => {
    const m = await masterFile()
    const file = await m.add({ site: m.north })
    const other = m.otherTrial()
    const at = `/files/${file._id}/versions` as const
    const size = { name: 'x.pdf', size: '3', type: 'application/pdf' }
    const announced = await m.owner.get<'requestFileUpload'>(
      `/uploads/file/request?${new URLSearchParams({ ...size, forType: 'trial', forId: m.trial })}`,
    )
    const wrong = [
      announced.fileName,
      'nothing',
      await m.upload('x', { forType: 'trial', forId: other }),
      await m.upload('x', { forType: 'site', forId: m.south }),
      await m.upload('x', { forType: 'user', forId: m.owner._id }),
    ]
    for (const storedName of wrong) {
      const { status, body } = await m.owner.call('POST', at, { name: 'Version', storedName })
      expect([status, body.message]).toEqual([400, expect.stringContaining('finished upload for this trial or site')])
    }
    const storedName = await m.upload('x', { forType: 'site', forId: m.north })
    await m.owner.do('createFileVersion', file._id, { name: 'Version', storedName })
    const ofTrial = await m.add()
    const ofSite = await m.upload('x', { forType: 'site', forId: m.north })
    expect(
      (await m.owner.call('POST', `/files/${ofTrial._id}/versions`, { name: 'V1', storedName: ofSite })).status,
    ).toBe(400)
  })

  test('go with the last version that has them, and give their room back', async () => {
    const m = await masterFile()
    const before = m.bytesUsed()
    const [one, two] = [await m.add(), await m.add()]
    const storedName = await m.upload('twelve bytes')
    for (const { _id } of [one, two]) await m.owner.do('createFileVersion', _id, { name: 'Version', storedName })
    expect(m.bytesUsed()).toBe(before + 12)
    const { url } = present((await m.owner.do('readFile', two._id)).latestVersion)
    await m.owner.do('deleteFile', one._id)
    expect(await m.download(url)).toEqual([200, 'twelve bytes'])
    await m.owner.do('deleteFile', two._id)
    expect((await m.download(url))[0]).toBe(404)
    expect(m.bytesUsed()).toBe(before)
    m.clock(HOUR + MINUTE)
    await m.service.services.tick()
    await m.service.services.tick()
    expect(m.isStored(storedName)).toBe(false)
    expect(m.db.$client.query('SELECT 1 FROM files WHERE storedName = ?').get(storedName)).toBeNull()
  })

  test('are those of the master file alone: nothing else can name them, and what names them already keeps its own', async () => {
    const m = await masterFile()
    const resources = `/trials/${m.trial}/participantResources` as const
    const file = await m.add()
    const resource = async (storedName: string) =>
      m.owner.call('POST', resources, { type: 'file', title: 'Diet', storedName })
    const filed = await m.upload('a protocol')
    await m.owner.do('createFileVersion', file._id, { name: 'Version', storedName: filed })
    expect((await resource(filed)).status).toBe(400)
    const shared = await m.upload('a diet')
    const made = await resource(shared)
    const used = m.bytesUsed()
    const version = await m.owner.do('createFileVersion', file._id, { name: 'Version', storedName: shared })
    expect(m.bytesUsed()).toBe(used + 6)
    expect(await m.download(version.url)).toEqual([200, 'a diet'])
    await m.owner.do('deleteFile', file._id)
    m.clock(HOUR + MINUTE)
    await m.service.services.tick()
    await m.service.services.tick()
    expect(m.isStored(filed)).toBe(false)
    const [kept] = (await m.owner.do('listParticipantResources', m.trial)).resources
    expect(kept!._id).toBe(made.body._id)
    expect(await m.download(present(kept!.url))).toEqual([200, 'a diet'])
    expect(m.bytesUsed()).toBe(used - 10)
  })

  test('of a file that somebody may not read are not theirs to name', async () => {
    const m = await masterFile()
    const secret = await m.add()
    const storedName = await m.upload('the unblinding list')
    await m.owner.do('createFileVersion', secret._id, { name: 'Version', storedName })
    const nurse = m.staff(m.trial, ['site.writeFiles'], m.north)
    const own = await nurse.post<'createFile'>(m.all, { name: 'Mine', site: m.north })
    expect((await nurse.call('POST', `/files/${own._id}/versions`, { name: 'Version', storedName })).status).toBe(400)
    const batch = { name: 'Mine', storedName, sites: [m.north] }
    expect((await nurse.call('POST', `${m.all}/batch`, batch)).status).toBe(400)
  })

  test('count for the quota of the trial', async () => {
    const m = await masterFile()
    const storedName = await m.upload('a diet')
    await m.owner.do('createParticipantResource', m.trial, { type: 'file', title: 'Diet', storedName })
    m.service.services.quotas.trial = m.bytesUsed() + 5
    const file = await m.add()
    const { status, body } = await m.owner.call('POST', `/files/${file._id}/versions`, { name: 'Version', storedName })
    expect([status, body.details]).toEqual([400, expect.objectContaining({ size: 6 })])
    expect((await m.owner.do('readFile', file._id)).versions).toEqual([])
  })
})

test.each([
  ['Protocol', 'scan.pdf', 'Protocol.pdf'],
  ['Protocol 2.0', 'scan.PDF', 'Protocol 2.0.PDF'],
  ['scan.pdf', 'Scan.PDF', 'scan.pdf'],
  ['Protocol', 'scan', 'Protocol'],
  ['Protocol', 'scan.', 'Protocol'],
  ['Protocol', 'scan.tar.gz', 'Protocol.gz'],
  ['Protocol', '.hidden', 'Protocol.hidden'],
])('a version called %s of the upload %s is saved as %s', (name, originalName, expected) => {
  expect(downloadName({ name, originalName })).toBe(expected)
})

test.each([
  ['a', 'a.'],
  ['ab', 'ab'],
  ['x'.repeat(255), 'x'.repeat(100)],
  [`${'x'.repeat(99)}😀`, 'x'.repeat(99)],
])('the upload %s names a version %s', (original, expected) => {
  expect(nameOfUpload(original)).toBe(expected)
})
