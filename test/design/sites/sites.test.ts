import { expect, test } from 'bun:test'
import type { ForType } from '#conduct/uploads/model'
import { auditEntries, files } from '#db/tables/index'
import { world } from '../../harness'

const berlin = { name: 'Berlin', id: 'BER-01' }

test('a site is created, read, changed and deleted; its participants keep their data', async () => {
  const { owner, trial, db } = world()
  const id = trial({ isLocked: true })
  const site = await owner.do('createSite', id, { ...berlin, irb: 'local', contactEmail: 'ber@example.org' })
  expect(site).toMatchObject({ ...berlin, trial: id, irb: 'local', contactEmail: 'ber@example.org', image: null })
  expect(await owner.do('readSite', site._id)).toEqual(site)
  expect(await owner.do('updateSite', site._id, { ...site, activityStatus: 'closed' })).toEqual({
    ...site,
    activityStatus: 'closed',
  })
  const anna = await owner.do('registerParticipants', id, { participantId: 'A' })
  expect(await owner.do('addSiteMember', site._id, anna._id)).toEqual({ sites: [site._id] })
  expect(await owner.do('deleteSite', site._id)).toEqual({})
  expect(await owner.do('listSites', id)).toEqual({ sites: [] })
  expect((await owner.do('readParticipant', id, anna._id)).sites).toEqual([])
  const types = db
    .select()
    .from(auditEntries)
    .all()
    .map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(['createSite', 'updateSite', 'addSiteMember', 'deleteSite']))
})

test('the identifier of a site is unique in its trial, ignoring case, spaces around it and what is not seen', async () => {
  const { owner, trial } = world()
  const [a, b] = [trial(), trial()]
  const first = await owner.do('createSite', a, berlin)
  for (const id of ['ber-01', 'BER-01 ', '\u00a0BER-01', 'BER\u200b-01'])
    expect((await owner.call('POST', `/trials/${a}/sites`, { name: 'Other', id })).status).toBe(400)
  await owner.do('createSite', b, berlin)
  const second = await owner.do('createSite', a, { name: 'Other', id: 'BER-02' })
  expect((await owner.call('PUT', `/sites/${second._id}`, { id: 'Ber-01' })).status).toBe(400)
  expect((await owner.do('updateSite', first._id, { id: 'ber-01' })).id).toBe('ber-01')
})

test.each([
  [{ name: 'B', id: 'BER' }, 'name'],
  [{ name: 'Berlin', id: 'B' }, 'id'],
  [{ name: 'Berlin', id: 'x'.repeat(101) }, 'id'],
  [{ ...berlin, description: 'x'.repeat(2001) }, 'description'],
  [{ ...berlin, irb: 'some' }, 'irb'],
  [{ ...berlin, contactEmail: 'nobody' }, 'contactEmail'],
  [{ ...berlin, approvalStatus: 'maybe' }, 'approvalStatus'],
  [{ name: 'Berlin' }, 'id'],
])('refuses the site %j', async (body, field) => {
  const { owner, trial } = world()
  const { status, body: answer } = await owner.call('POST', `/trials/${trial()}/sites`, body)
  expect(status).toBe(422)
  expect(Object.keys(answer.validations.json)).toEqual([field])
})

test('an image must be a finished upload for the trial or the site', async () => {
  const { owner, trial, db } = world()
  const id = trial()
  const site = await owner.do('createSite', id, berlin)
  const upload = (storedName: string, forType: ForType, forId: string, finishedAt: number | null) =>
    db
      .insert(files)
      .values({
        storedName,
        createdAt: 0,
        kind: 'upload',
        trial: id,
        forType,
        forId,
        createdBy: owner._id,
        name: 'a.png',
        type: 'image/png',
        size: 1,
        finishedAt,
      })
      .run()
  upload('own.png', 'site', site._id, 1)
  upload('trial.png', 'trial', id, 1)
  upload('unfinished.png', 'site', site._id, null)
  upload('other.png', 'participant', id, 1)
  for (const image of ['unfinished.png', 'other.png', 'none.png']) {
    expect((await owner.call('PUT', `/sites/${site._id}`, { image })).status).toBe(400)
  }
  for (const image of ['own.png', 'trial.png', null]) {
    expect((await owner.do('updateSite', site._id, { image })).image).toBe(image)
  }
})

test('an account restricted to a site sees and changes that site alone', async () => {
  const { owner, trial, staff, neighbours } = world()
  const id = trial()
  const a = await owner.do('createSite', id, berlin)
  const b = await owner.do('createSite', id, { name: 'Paris', id: 'PAR' })
  const nurse = staff(id, ['site.write'], a._id)
  expect((await nurse.do('listSites', id)).sites).toEqual([a])
  expect(await nurse.do('readSite', a._id)).toEqual(a)
  expect((await nurse.call('GET', `/sites/${b._id}`)).status).toBe(404)
  expect((await nurse.call('PUT', `/sites/${b._id}`, { name: 'Mine' })).status).toBe(404)
  expect(await nurse.do('updateSite', a._id, { name: 'Mine' })).toEqual({ ...a, name: 'Mine' })
  for (const words of [['site.access'], ['site.readSites'], ['site.readParticipants']]) {
    const reader = staff(id, words, a._id)
    expect((await reader.call('PUT', `/sites/${a._id}`, { name: 'Ours' })).status).toBe(403)
  }
  expect((await staff(id, ['site.writeSites'], a._id).call('PUT', `/sites/${b._id}`, { name: 'Ours' })).status).toBe(
    404,
  )
  expect((await nurse.call('DELETE', `/sites/${a._id}`)).status).toBe(403)
  expect((await nurse.call('POST', `/trials/${id}/sites`, { name: 'New', id: 'NEW' })).status).toBe(403)
  const writer = staff(id, ['trial.writeSites'])
  expect((await writer.do('updateSite', b._id, { name: 'Lyon' })).name).toBe('Lyon')
  const other = neighbours().owner
  expect((await other.call('GET', `/sites/${a._id}`)).status).toBe(404)
  expect((await other.call('GET', `/trials/${id}/sites`)).status).toBe(404)
})
