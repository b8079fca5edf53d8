import { expect, test } from 'bun:test'
import { auditEntries, grants, participants } from '#db/tables/index'
import { DAY } from '#kernel/time'
import { world } from '../../harness'
import { present } from '../../present'

async function study() {
  const all = world()
  const trial = all.trial()
  const url = `/trials/${trial}/participants` as const
  const anna = await all.owner.do('registerParticipants', trial, { participantId: 'A-1' })
  const at = `${url}/${anna._id}/grants` as const
  const secretOf = (link: string | null) => new URL(present(link)).searchParams.get('grant')!
  const exchange = (grant: string, address?: string) =>
    all.person({}, address).call('POST', '/participants/grants/exchange', { grant })
  return { ...all, trial, url, anna, at, secretOf, exchange }
}

test('a grant is listed while it is valid, and signs in once', async () => {
  const { owner, at, anna, secretOf, exchange, person, db } = await study()
  expect(await owner.get<'readGrant'>(at)).toEqual({ url: null, expiresAt: null })
  const created = await owner.post<'createGrant'>(at, {})
  expect(created).toEqual({
    url: expect.stringMatching(/^http:\/\/localhost\/join\?grant=[\w-]{43}$/),
    expiresAt: '2026-03-09T12:00:00.000000Z',
  })
  expect(await owner.get<'readGrant'>(at)).toEqual(created)
  const { status, body } = await exchange(secretOf(created.url))
  expect(status).toBe(200)
  expect((await person({ Authorization: `Bearer ${body.token}` }).do('readOwnParticipant')).participant._id).toBe(
    anna._id,
  )
  expect((await exchange(secretOf(created.url))).status).toBe(401)
  expect(await owner.get<'readGrant'>(at)).toEqual({ url: null, expiresAt: null })
  const [row] = db.select().from(participants).all()
  expect(row).toMatchObject({ joinedAt: row!.lastSeenAt, lastSeenAt: expect.any(Number) })
  const entries = db.select().from(auditEntries).all()
  expect(entries.find(({ type }) => type === 'signInParticipant')).toMatchObject({
    userType: 'participant',
    participant: anna._id,
    event: { by: 'grant', first: true },
    address: null,
  })
  expect(JSON.stringify(entries)).not.toContain(secretOf(created.url))
})

test.each([
  [1, true],
  [365, true],
  [0, false],
  [366, false],
  [1.5, false],
])('a grant of %d days: %p', async (expiresInDays, allowed) => {
  const { owner, at } = await study()
  const { status, body } = await owner.call('POST', at, { expiresInDays })
  expect(status).toBe(allowed ? 200 : 422)
  if (allowed) expect(Date.parse(body.expiresAt) - Date.parse('2026-03-02T12:00:00Z')).toBe(expiresInDays * 86_400_000)
})

test('a grant expires at its time, to the microsecond', async () => {
  const { owner, secretOf, exchange, clock, anna, trial } = await study()
  const { url } = await owner.do('createGrant', trial, anna._id, { expiresInDays: 1 })
  const second = await owner.do('createGrant', trial, anna._id, { expiresInDays: 1 })
  expect((await exchange(secretOf(url))).status).toBe(401)
  clock(DAY - 1)
  expect((await owner.do('readGrant', trial, anna._id)).url).toBe(second.url)
  clock(1)
  expect(await owner.do('readGrant', trial, anna._id)).toEqual({ url: null, expiresAt: null })
  expect((await exchange(secretOf(second.url))).status).toBe(401)
  const third = await owner.do('createGrant', trial, anna._id, { expiresInDays: 1 })
  clock(DAY - 1)
  expect((await exchange(secretOf(third.url))).status).toBe(200)
})

test('archiving and a new password end a grant; an archived participant gets none', async () => {
  const { owner, at, anna, secretOf, exchange, db, trial } = await study()
  const one = await owner.post<'createGrant'>(at)
  await owner.do('updateParticipant', trial, anna._id, { password: 'new' })
  expect((await exchange(secretOf(one.url))).status).toBe(401)
  const two = await owner.post<'createGrant'>(at)
  await owner.do('updateParticipants', trial, { updates: [{ participant: anna._id, isArchived: true }] })
  expect((await exchange(secretOf(two.url))).status).toBe(401)
  expect((await owner.call('POST', at, {})).status).toBe(400)
  expect(db.select().from(grants).all()).toEqual([])
})

test('grants need trial.write on the participant’s site or group', async () => {
  const { owner, staff, trial, at, anna, neighbours } = await study()
  const site = await owner.do('createSite', trial, { name: 'Berlin', id: 'BER' })
  const nurse = staff(trial, ['site.write'], site._id)
  const reader = staff(trial, ['trial.read', 'trial.writeParticipants'])
  const other = neighbours().owner
  for (const method of ['GET', 'POST']) {
    const body = method === 'GET' ? undefined : {}
    expect((await nurse.call(method, at, body)).status).toBe(404)
    expect((await reader.call(method, at, body)).status).toBe(403)
    expect((await other.call(method, at, body)).status).toBe(404)
  }
  await owner.do('addSiteMember', site._id, anna._id)
  expect((await nurse.post<'createGrant'>(at)).url).toBeString()
})

test('attempts with wrong grants are limited per address', async () => {
  const { exchange, owner, secretOf, anna, trial } = await study()
  const { url } = await owner.do('createGrant', trial, anna._id)
  for (let guess = 0; guess < 60; guess++) expect((await exchange(`guess ${guess}`)).status).toBe(401)
  const { status, body } = await exchange(secretOf(url))
  expect(status).toBe(429)
  expect(body['Allowed limit']).toBe('60 per 1 minute')
  expect((await exchange(secretOf(url), '192.0.2.9')).status).toBe(200)
})
