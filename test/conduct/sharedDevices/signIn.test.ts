import { describe, expect, test } from 'bun:test'
import { sha256 } from '#kernel/id'
import { MINUTE, SECOND } from '#kernel/time'
import { present } from '../../present'
import { PIN, tabletStudy } from './sharedDevices.study'

const asked = '/participants/me' as const

test('the ID and the PIN sign a participant in for a short time, which the audit trail shows', async () => {
  const { signInAs, anna, log, device, db } = await tabletStudy()
  const { me, token, endsAt, idleMinutes } = await signInAs('p-1 ')
  expect((await me.do('readOwnParticipant')).participant._id).toBe(anna)
  expect([endsAt, idleMinutes]).toEqual(['2026-03-02T14:00:00.000000Z', 3])
  expect(db.$client.query('SELECT hash, device FROM participantTokens').all()).toEqual([
    { hash: sha256(token), device: device._id },
  ])
  const [entry] = log('signInParticipant')
  expect(entry).toMatchObject({ userType: 'participant', participant: anna })
  expect(JSON.parse(entry?.event ?? '')).toMatchObject({ by: 'pin', sharedDevice: device._id })
  await me.do('signOutParticipant')
  expect((await me.call('GET', asked)).status).toBe(401)
  expect(JSON.parse(log('signOutParticipant')[0]?.event ?? '')).toMatchObject({ sharedDevice: device._id })
})

test('no browser may store what a participant reads on a shared tablet', async () => {
  const { signInAs } = await tabletStudy()
  const { me } = await signInAs('P-1')
  const { headers } = await me.call('GET', asked)
  expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
})

test('an unknown ID, one of another site, one without PIN, a wrong PIN, an archived participant: one refusal', async () => {
  const { owner, trial, carl, site, trySignIn, nobody, sessions } = await tabletStudy()
  await owner.do('addSiteMember', site, carl)
  const texts = new Set<string>()
  for (const [id, pin] of [
    ['P-99', PIN],
    ['P-2', PIN],
    ['P-10', PIN],
    ['P-1', '9999'],
    ['P-1', ''],
    ['\u{1F642}', '0'],
  ] as const) {
    const { status, body } = await trySignIn(id, pin)
    if (pin === '') expect(status).toBe(422)
    else texts.add(`${status} ${JSON.stringify(body)}`)
  }
  await owner.do('setParticipantPin', trial, carl, { pin: '5937' })
  await owner.do('updateParticipant', trial, carl, { isArchived: true })
  const archived = await trySignIn('P-10', '5937')
  texts.add(`${archived.status} ${JSON.stringify(archived.body)}`)
  expect([...texts]).toEqual([expect.stringMatching(/^401 .*The sign-in failed/)])
  expect((await nobody.call('POST', sessions, { participantId: 'P-1' })).status).toBe(422)
  expect((await nobody.call('POST', sessions, {})).status).toBe(422)
})

test('five wrong PINs on a tablet are free, then the participant waits there, whoever tries; a new PIN ends the wait', async () => {
  const { owner, trial, anna, site, trySignIn, signInAs, clock, log, device } = await tabletStudy()
  for (let n = 0; n < 5; n++) expect((await trySignIn('P-1', '9999')).status).toBe(401)
  const refused = await trySignIn('P-1', PIN)
  expect([refused.status, refused.body.message]).toEqual([429, 'Too many failed attempts. Try again in 15 minutes.'])
  expect((await trySignIn('P-2', PIN)).status).toBe(401)
  expect(log('identityNotProven')).toHaveLength(6)
  expect(log('identityNotProven')[0]).toMatchObject({
    chain: trial,
    participant: anna,
    event: JSON.stringify({ sharedDevice: device._id }),
  })
  clock(15 * MINUTE)
  expect((await trySignIn('P-1', '9999')).status).toBe(401)
  clock(16 * MINUTE)
  expect((await trySignIn('P-1', PIN)).status).toBe(429)
  await owner.do('setParticipantPin', trial, anna, { pin: '7531' })
  expect((await trySignIn('P-1', PIN)).status).toBe(401)
  await signInAs('P-1', '7531')
  const { _id: bert } = await owner.do('registerParticipants', trial, { participantId: 'P-3' })
  await owner.do('addSiteMember', site, bert)
})

test('many wrong PINs at once are no way around the limit', async () => {
  const { trySignIn } = await tabletStudy()
  const statuses = await Promise.all(
    Array.from({ length: 20 }, () => trySignIn('P-1', '9999').then(({ status }) => status)),
  )
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
})

describe('a session', () => {
  test('ends after the idle minutes, by the server’s clock, and goes on while it is used', async () => {
    const { signInAs, clock, service } = await tabletStudy()
    const { me } = await signInAs()
    for (let n = 0; n < 5; n++) {
      clock(2 * MINUTE + 50 * SECOND)
      expect((await me.call('GET', asked)).status).toBe(200)
      service.flush() // that it was used is stored soon after the answer
    }
    clock(3 * MINUTE + 6 * SECOND)
    expect((await me.call('GET', asked)).status).toBe(401)
    expect((await me.call('GET', asked)).status).toBe(401)
  })

  test('ends after two hours, however much it is used', async () => {
    const { signInAs, clock, service } = await tabletStudy()
    const { me } = await signInAs()
    let minutes = 0
    while ((await me.call('GET', asked)).status === 200) {
      service.flush()
      clock(2 * MINUTE)
      minutes += 2
    }
    expect(minutes).toBe(120)
  })

  test('ends with a new password and with archiving', async () => {
    const { signInAs, owner, trial, anna } = await tabletStudy()
    for (const change of [{ password: 'a new password' }, { isArchived: true }]) {
      const { me } = await signInAs()
      await owner.do('updateParticipant', trial, anna, change)
      expect((await me.call('GET', asked)).status).toBe(401)
    }
  })

  test('cannot make what would outlast it', async () => {
    const { signInAs, signIn } = await tabletStudy()
    const { me } = await signInAs()
    for (const [method, url, body] of [
      ['PUT', '/participants/me/pin', { pin: '7531' }],
      ['POST', '/participants/calendar-link', {}],
      ['PUT', '/participants/me/pushToken', { pushToken: '{}' }],
    ] as const)
      expect(await me.call(method, url, body)).toMatchObject({
        status: 403,
        body: { details: { code: 'sharedDevice' } },
      })
    const own = await signIn()
    const setAt = '2026-03-02T12:00:00.000000Z'
    expect(await own.do('setOwnPin', { pin: '7531' })).toEqual({ setAt, hasTablet: true })
    expect((await (await signIn('P-2')).do('readOwnPin')).hasTablet).toBe(false)
    await signInAs('P-1', '7531')
  })
})

test('a sign-in link works on the tablet of the participant’s site, once; elsewhere it stays', async () => {
  const { owner, trial, anna, bert, nobody, sessions, person, opened } = await tabletStudy()
  const grantOf = async (participant: string) =>
    present(new URL(present((await owner.do('createGrant', trial, participant, {})).url)).searchParams.get('grant'))
  const grant = await grantOf(anna)
  const { token } = await nobody.do('signInOnSharedDevice', opened.secret, { grant })
  expect((await person({ authorization: `Bearer ${token}` }).do('readOwnParticipant')).participant._id).toBe(anna)
  expect((await nobody.call('POST', sessions, { grant })).status).toBe(401)
  const foreign = await grantOf(bert)
  expect((await nobody.call('POST', sessions, { grant: foreign })).status).toBe(401)
  expect((await nobody.call('POST', '/participants/grants/exchange', { grant: foreign })).status).toBe(200)
})

test('PINs are made, refused if easy, hashed with the server’s key, and useless elsewhere', async () => {
  const { owner, trial, anna, db, nobody, staff, site, log } = await tabletStudy()
  const at = `/trials/${trial}/participants/${anna}/pin` as const
  const { pin } = await owner.do('setParticipantPin', trial, anna)
  expect(pin).toMatch(/^\d{6}$/)
  for (const bad of ['123', '123456789', '1111', '12a4', 12])
    expect((await owner.call('PUT', at, { pin: bad })).status).toBe(422)
  const { code } = await owner.do('readTrial', trial)
  expect(
    (await nobody.call('POST', '/participants/sessions', { trialCode: code, participantId: 'P-1', password: pin }))
      .status,
  ).toBe(401)
  const { hash } = db.$client.query('SELECT hash FROM participantPins WHERE participant = ?').get(anna) as {
    hash: string
  }
  expect(await Bun.password.verify(pin, hash)).toBe(false)
  expect(JSON.stringify(log('setPin'))).not.toContain(pin)
  const nurse = staff(trial, ['site.write'], site)
  expect((await nurse.do('readParticipantPin', trial, anna)).setAt).not.toBeNull()
  expect((await staff(trial, ['trial.read']).call('PUT', at, {})).status).toBe(403)
  await nurse.do('deleteParticipantPin', trial, anna)
  expect((await nurse.call('DELETE', at)).status).toBe(404)
  expect((await owner.do('readParticipantPin', trial, anna)).setAt).toBeNull()
})
