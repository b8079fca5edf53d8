import { describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '#kernel/time'
import { sharedInFile } from '../../harness'
import { tabletStudy, tokenOf } from './sharedDevices.study'

const shared = sharedInFile(tabletStudy)

describe('a shared tablet', () => {
  test('is made with a link that works once, shows its site, and no secret is stored', async () => {
    const { device, opened, nobody, db, owner, at, site, trial, log } = await shared()
    expect(device).toMatchObject({ name: 'Ward 7', idleMinutes: 3, state: 'waiting', site, openedAt: null })
    expect(device.url).toMatch(/^http:\/\/localhost\/app\/tablet\/[\w-]{43}$/)
    expect(device.qr).toStartWith('<svg')
    expect(device.expiresAt).toBe('2026-04-01T12:00:00.000000Z')
    expect(opened).toMatchObject({ name: 'Ward 7', state: 'open', trial: { _id: trial }, site: { name: 'North' } })
    expect((await nobody.call('POST', `/shared-device-links/${tokenOf(device.url)}`)).status).toBe(404)
    expect(await nobody.do('readOpenedSharedDevice', opened.secret)).toMatchObject({
      state: 'open',
      publicKey: opened.publicKey,
    })
    expect((await nobody.call('GET', `/shared-devices/${'x'.repeat(43)}`)).status).toBe(404)
    expect(await owner.get<'readSharedDevice'>(at)).toMatchObject({ state: 'open', lastSeenAt: expect.any(String) })
    const stored = JSON.stringify(db.$client.query('SELECT * FROM sharedDevices').all())
    for (const secret of [opened.secret, tokenOf(device.url)]) expect(stored).not.toContain(secret)
    expect(JSON.stringify(log('openSharedDevice'))).not.toContain(opened.secret)
    expect(log('createSharedDevice')).toMatchObject([{ chain: trial, userType: 'user' }])
  })

  test('has bounds', async () => {
    const { owner, trial, site, at } = await shared()
    const url = `/trials/${trial}/sites/${site}/shared-devices`
    for (const body of [
      {},
      { name: '' },
      { name: 'a', idleMinutes: 0 },
      { name: 'a', idleMinutes: 31 },
      { name: 'a', expiresInDays: 91 },
    ])
      expect([body, (await owner.call('POST', url, body)).status]).toEqual([body, 422])
    expect(await owner.put<'updateSharedDevice'>(at, { name: 'Ward 8', idleMinutes: 30 })).toMatchObject({
      name: 'Ward 8',
      idleMinutes: 30,
    })
  })

  test('is managed by who may write at its site; one of the trial by who may write in all of it', async () => {
    const { owner, trial, site, at, staff, neighbours } = await shared()
    const { _id: south } = await owner.do('createSite', trial, { name: 'South', id: 'S1' })
    const ofTrial = await owner.do('createSharedDeviceOfTrial', trial, { name: 'Van' })
    const all = `/trials/${trial}/shared-devices` as const
    const [north, other] = [staff(trial, ['site.write'], site), staff(trial, ['site.write'], south)]
    const reader = staff(trial, ['trial.read'])
    expect((await north.do('listSharedDevices', trial)).sharedDevices.map(({ name }) => name)).toEqual([
      expect.stringMatching('Ward'),
    ])
    expect((await other.do('listSharedDevices', trial)).sharedDevices).toEqual([])
    expect((await owner.do('listSharedDevices', trial)).sharedDevices.map(({ name }) => name)).toEqual([
      'Van',
      expect.stringMatching('Ward'),
    ])
    const make = `/trials/${trial}/sites/${site}/shared-devices`
    const status = async (who: Pick<typeof north, 'call'>, method: 'GET' | 'POST' | 'DELETE', url: string) =>
      (await who.call(method, url, method === 'POST' ? { name: 'x' } : undefined)).status
    expect(await Promise.all([status(north, 'GET', at), status(north, 'POST', make)])).toEqual([200, 200])
    expect(await status(other, 'GET', at)).toBe(404)
    expect(await status(other, 'POST', make)).toBe(404)
    expect(await status(north, 'DELETE', `${all}/${ofTrial._id}`)).toBe(404)
    expect(await status(north, 'POST', all)).toBe(403)
    expect(await status(reader, 'GET', at)).toBe(403)
    expect(await status(reader, 'DELETE', at)).toBe(403)
    const { owner: stranger } = neighbours()
    expect(await status(stranger, 'GET', at)).toBe(404)
    expect(await status(owner, 'POST', `/trials/${trial}x/sites/${site}/shared-devices`)).toBe(404)
  })

  test('a site with one is kept', async () => {
    const { owner, site } = await shared()
    const { status, body } = await owner.call('DELETE', `/sites/${site}`)
    expect([status, body.message]).toEqual([400, expect.stringContaining('shared tablets')])
  })
})

test('ending one ends its sessions at once, and its links; the tablet is told', async () => {
  const { owner, nobody, at, opened, signInAs, trySignIn } = await tabletStudy()
  const { me } = await signInAs()
  expect((await me.call('GET', '/participants/me')).status).toBe(200)
  const { url } = await owner.post<'createSharedDeviceLink'>(`${at}/links`)
  expect(await owner.delete<'endSharedDevice'>(at)).toMatchObject({ state: 'ended', endedBy: owner._id })
  expect((await me.call('GET', '/participants/me')).status).toBe(401)
  expect((await nobody.do('readOpenedSharedDevice', opened.secret)).state).toBe('ended')
  expect(await trySignIn('P-1', '2846')).toMatchObject({ status: 403, body: { details: { code: 'ended' } } })
  expect((await nobody.call('POST', `/shared-device-links/${tokenOf(url)}`)).status).toBe(404)
  for (const [method, path] of [
    ['DELETE', at],
    ['POST', `${at}/links`],
    ['PUT', at],
  ] as const)
    expect((await owner.call(method, path, method === 'PUT' ? { name: 'x' } : undefined)).status).toBe(400)
})

test('a new link moves it to another tablet; links and tablets end by time', async () => {
  const { owner, nobody, at, opened, signInAs, clock, trySignIn } = await tabletStudy()
  const { me } = await signInAs()
  const { url } = await owner.post<'createSharedDeviceLink'>(`${at}/links`)
  expect((await me.call('GET', '/participants/me')).status).toBe(200)
  const moved = await nobody.do('openSharedDevice', tokenOf(url))
  expect((await me.call('GET', '/participants/me')).status).toBe(401)
  expect((await nobody.call('GET', `/shared-devices/${opened.secret}`)).status).toBe(404)
  expect((await trySignIn('P-1', '2846')).status).toBe(404)
  const late = await owner.post<'createSharedDeviceLink'>(`${at}/links`)
  clock(DAY + HOUR)
  expect((await nobody.call('POST', `/shared-device-links/${tokenOf(late.url)}`)).status).toBe(404)
  clock(29 * DAY)
  expect((await nobody.do('readOpenedSharedDevice', moved.secret)).state).toBe('expired')
  expect((await owner.put<'updateSharedDevice'>(at, { expiresInDays: 1 })).state).toBe('open')
})

test('the tables go with the trial, and PINs with an erasure', async () => {
  const { owner, db, trial, anna, signInStaff } = await tabletStudy()
  const rows = () =>
    db.$client
      .query('SELECT (SELECT count(*) FROM sharedDevices) AS d, (SELECT count(*) FROM participantPins) AS p')
      .get()
  expect(rows()).toEqual({ d: 1, p: 2 })
  const admin = await signInStaff(owner)
  await admin.do('confirmIdentity', { password: 'harbour lantern 71' })
  await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
  await admin.do('erasePersonalInformation', trial, anna, { reason: 'asked us' })
  expect(rows()).toEqual({ d: 1, p: 1 })
  expect((await admin.call('DELETE', `/trials/${trial}`)).status).toBe(200)
  expect(rows()).toEqual({ d: 0, p: 0 })
})
