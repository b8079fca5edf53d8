import { describe, expect, test } from 'bun:test'
import type { Id } from '#kernel/id'
import type { Person } from '../../harness'
import { present, take } from '../../present'
import { masterFile } from './files.study'

type Trial = Awaited<ReturnType<typeof masterFile>>

/** Every operation on a file, as somebody calls it: the name of each with the status of its answer. */
async function statuses(m: Trial, who: Person, file: Id, site: Id | null) {
  const storedName = await m.upload()
  const version = { name: 'Version', storedName }
  const calls = {
    list: ['GET', m.all],
    read: ['GET', `/files/${file}`],
    versions: ['GET', `/files/${file}/versions`],
    create: ['POST', m.all, { name: 'New file', site }],
    batch: ['POST', `${m.all}/batch`, { name: 'New file', storedName, sites: [site] }],
    edit: ['PUT', `/files/${file}`, { description: 'x' }],
    add: ['POST', `/files/${file}/versions`, version],
    approve: ['POST', `/files/${file}/versions`, { ...version, status: 'approved' }],
    approveBatch: ['POST', `${m.all}/batch`, { name: 'New file', storedName, sites: [site], status: 'approved' }],
    copy: ['POST', `/files/${file}/copy`, { sites: [site] }],
    delete: ['DELETE', `/files/${file}`],
  } as const
  const found: Record<string, number> = {}
  for (const [name, [method, url, body]] of Object.entries(calls))
    found[name] = (await who.call(method, url, body)).status
  return found
}

type Status = 200 | 400 | 403 | 404
const all = (status: Status) => ({
  ...{ list: status, read: status, versions: status, create: status, batch: status, edit: status, add: status },
  ...{ approve: status, approveBatch: status, copy: status, delete: status },
})
const reads = { list: 200, read: 200, versions: 200 } as const
const writes = { create: 200, batch: 200, edit: 200, add: 200, copy: 200 } as const

const byKey: Record<string, Record<string, number>> = {
  readFiles: { ...all(403), ...reads },
  readApprovedFiles: {
    ...all(403),
    list: 200,
    ...{ read: 404, versions: 404, edit: 404, add: 404, approve: 404, delete: 404, copy: 404 },
  },
  writeFiles: { ...all(403), ...reads, ...writes },
  approveFiles: { ...all(403), ...reads },
  deleteFiles: { ...all(403), ...reads, delete: 200 },
  requestFileApproval: all(403),
  read: { ...all(403), ...reads },
  write: { ...all(403), ...reads, ...writes },
  admin: all(200),
}

describe('a permission', () => {
  test.each(Object.entries(byKey))('%s on the trial is about all files', async (key, expected) => {
    const m = await masterFile()
    for (const site of [null, m.north]) {
      const { _id } = await m.add({ site })
      await m.version(_id, 'draft')
      expect(await statuses(m, m.staff(m.trial, [`trial.${key}`]), _id, site)).toEqual(expected)
    }
  })

  test.each(Object.entries(byKey))('%s on a site is about the files of the site', async (key, expected) => {
    const m = await masterFile()
    const local = m.staff(m.trial, [`site.${key}`], m.north)
    const own = await m.add({ site: m.north })
    await m.version(own._id, 'draft')
    expect(await statuses(m, local, own._id, m.north)).toEqual(expected)
    for (const site of [null, m.south]) {
      const { _id } = await m.add({ site })
      await m.version(_id, 'approved', { status: 'approved' })
      const found = await statuses(m, local, _id, site)
      // The list is that of the site; what is created elsewhere is refused for its place, what is there does not exist.
      const { list, create, batch, approveBatch, ...ofFile } = found
      expect(ofFile).toEqual({ read: 404, versions: 404, edit: 404, add: 404, approve: 404, copy: 404, delete: 404 })
      expect(list).toBe(expected.list!)
      const isWriter = ['writeFiles', 'write', 'admin'].includes(key)
      const refused = isWriter && site !== null ? 400 : 403
      expect([create, batch, approveBatch]).toEqual([refused, refused, refused])
    }
  })
})

/** A trial with a file that has an approved version and two others, one that was never approved, and one at each site. */
async function withApproved() {
  const m = await masterFile()
  const file = await m.add({ name: 'Protocol', tags: ['one'] })
  await m.version(file._id, 'rejected', { status: 'rejected' })
  const approved = await m.version(file._id, 'approved', { status: 'approved' })
  await m.version(file._id, 'draft')
  const draft = await m.add({ name: 'Draft protocol', tags: ['one'] })
  await m.version(draft._id, 'never approved')
  const north = await m.add({ name: 'CV of North', site: m.north, tags: ['one'] })
  await m.version(north._id, 'approved', { status: 'approved' })
  const south = await m.add({ name: 'CV of South', site: m.south, tags: ['one'] })
  await m.version(south._id, 'approved', { status: 'approved' })
  return { ...m, file, approved, draft, northFile: north, southFile: south }
}

describe('a reader of approved files', () => {
  test('sees files with an approved version, as if they had no other version', async () => {
    const m = await withApproved()
    const auditor = m.staff(m.trial, ['trial.readApprovedFiles'])
    const { files } = await auditor.get<'listFiles'>(m.all)
    expect(files.map(({ name }) => name)).toEqual(['Protocol', 'CV of North', 'CV of South'])
    const [first] = take(1, files)
    expect(first.versions.map(({ _id }) => _id)).toEqual([m.approved._id])
    const read = await auditor.do('readFile', m.file._id)
    expect([read.versions, read.latestVersion]).toEqual([first.versions, first.versions[0]!])
    expect((await auditor.do('listFileVersions', m.file._id)).versions).toEqual(first.versions)
    expect((await auditor.call('GET', `/files/${m.draft._id}`)).status).toBe(404)
    const unknown = await auditor.call('GET', `/files/${'f'.repeat(24)}`)
    expect((await auditor.call('GET', `/files/${m.draft._id}/versions`)).body).toEqual(unknown.body)
    const count = async (query: string) => (await auditor.get<'listFiles'>(`${m.all}?${query}`)).files.length
    expect(await count('status=approved')).toBe(3)
    for (const status of ['draft', 'rejected', 'none']) expect(await count(`status=${status}`)).toBe(0)
    for (const query of ['tag=one', 'type=other']) expect(await count(query)).toBe(3)
    expect([await count('term=protocol'), await count('perPage=3'), await count('perPage=3&page=2')]).toEqual([1, 3, 0])
  })

  test('of one site with all files of another sees both as granted', async () => {
    const m = await withApproved()
    const monitor = m.staff(m.trial, ['site.readApprovedFiles'], m.north)
    m.grant(monitor, m.south, ['site.readFiles'])
    await m.version(m.northFile._id, 'draft')
    await m.version(m.southFile._id, 'draft')
    const { files } = await monitor.get<'listFiles'>(m.all)
    expect(files.map(({ name, versions }) => [name, versions.map(({ status }) => status)])).toEqual([
      ['CV of North', ['approved']],
      ['CV of South', ['approved', 'draft']],
    ])
    const named = async (query: string) =>
      (await monitor.get<'listFiles'>(`${m.all}?${query}`)).files.map(({ name }) => name)
    expect(await named('status=approved')).toEqual(['CV of North'])
    expect(await named('status=draft')).toEqual(['CV of South'])
    expect(await named('site=none')).toEqual([])
    expect(await named(`site=${m.north}`)).toEqual(['CV of North'])
  })
})

describe('the log', () => {
  test('says nothing of files to readers who may not read them', async () => {
    const m = await withApproved()
    await m.owner.do('deleteFile', m.draft._id)
    const reader = m.staff(m.trial, ['trial.readLogs', 'trial.readApprovedFiles'])
    const { entries, total } = await reader.do('readLogs', m.trial)
    expect(total).toBe(present((await m.owner.do('readLogs', m.trial)).total))
    const ofFiles = entries.filter(({ type }) => /File(Version)?$/.test(type))
    expect(ofFiles).toHaveLength(11)
    expect(ofFiles.map(({ event }) => event)).toEqual(Array(11).fill({}))
    expect(JSON.stringify(entries)).not.toMatch(/Draft protocol|CV of/)
    expect(JSON.stringify((await m.owner.do('readLogs', m.trial)).entries)).toMatch(/Draft protocol/)
  })

  test('does not tell accounts that are restricted to a site that others have files', async () => {
    const m = await withApproved()
    const nurse = m.staff(m.trial, ['trial.readLogs'])
    m.grant(nurse, m.north, ['site.readParticipants', 'site.readFiles'])
    const { entries } = await nurse.do('readLogs', m.trial)
    const ofFiles = entries.filter(({ type }) => /File(Version)?$/.test(type))
    expect(ofFiles.map(({ event }) => event.fileSite)).toEqual([m.north, m.north])
  })
})
