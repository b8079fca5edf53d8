/** What people have from before a rotation of the keys goes on working, and nothing of it opens with a key that was forgotten. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { recordRemainingChanges } from '#audit/append'
import { verifyRows } from '#audit/verifyRows'
import { sealPassword } from '#conduct/participants/pendingPasswords'
import { sealSignIn, sealTokens } from '#conduct/wearables/signIn'
import { parseInstant } from '#kernel/time'
import { cardLabel } from '#office/incentives/reveal'
import { keyedColumns } from '#server/secrets/keyedColumns'
import { unreadableIn } from '#server/secrets/renew'
import { pinsOf, recoverableWith, rowsIn } from '#server/secrets/store'
import { usesOf } from '#server/secrets/uses'
import { calendarStudy } from '../conduct/appointments/appointments.study'
import { consentWorld } from '../conduct/consents/consents.study'
import { PIN, tabletStudy } from '../conduct/sharedDevices/sharedDevices.study'
import { PASSWORD } from '../harness'
import { incentiveStudy } from '../office/incentives/incentive.study'
import { present } from '../present'
import { keepDeleted } from '../purge'
import { study } from '../study'
import { keys, rotated } from './secrets.study'

type Study = Awaited<ReturnType<typeof study>>

/** Something in each place that is named in `keyedPlaces`, made by the code that makes it in a server. */
async function everySecret() {
  const s = await incentiveStudy()
  const { owner, trial, anna, cashier, service } = s
  const { services } = service
  await s.load('CODE-1')
  await s.topUp(100)
  await s.give()
  const hook = await cashier.do('createWebhook', trial, {
    name: 'Hub',
    url: 'https://example.org/',
    events: ['response.submitted'],
  })
  await cashier.do('rotateWebhookSecret', hook._id, { overlapHours: 24 })
  await owner.do('createGrant', trial, anna)
  const { secret } = await cashier.do('beginTotp')
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: parseInstant(s.now())! / 1000 })
  const { recoveryCodes } = await cashier.do('enableTotp', { password: PASSWORD, code })
  const other = await s.signInStaff(s.invite(['team.read']))
  await other.do('beginTotp')
  const meeting = await meetingWithKey(s)
  const sql = s.db.$client
  sql.run('UPDATE participants SET passwordHash = ? WHERE _id = ?', [
    sealPassword(services, s.bert, 'a password'),
    s.bert,
  ])
  const tokens = sealTokens(services, anna, 'fitbit', { access: 'a', refresh: 'r' })
  sql.run(
    `INSERT INTO wearableConnections (participant, service, trial, status, connectedAt, tokens) VALUES (?, 'fitbit', ?, 'connected', 1, ?)`,
    [anna, trial, tokens],
  )
  const begun = sealSignIn(services, anna, 'fitbit', { state: 's', returnUrl: '/' })
  sql.run(`INSERT INTO wearableSignIns VALUES (?, 'fitbit', ?, 9e15)`, [anna, begun])
  for (const { _id } of sql.query<{ _id: string }, []>('SELECT _id FROM incentives').all())
    sql.run('UPDATE incentives SET secret = ? WHERE _id = ?', [services.seal.close('{}', cardLabel(_id)), _id])
  recordRemainingChanges(s.db, parseInstant(s.now())!)
  return { ...s, recoveryCodes, meeting }
}

/** A meeting that was made with an Idempotency-Key: its answer holds a link. */
async function meetingWithKey(s: Study) {
  const url = `/trials/${s.trial}/participants/${s.anna}/meetings` as const
  const body = { name: 'Call', startAt: '2026-03-10T09:00:00.000000Z', personnel: [s.owner._id] }
  const again = (by: Pick<Study['owner'], 'call'> = s.owner) =>
    by.call('POST', url, body, { headers: { 'Idempotency-Key': 'meeting-1' } })
  expect(await again()).toMatchObject({ status: 200 })
  return { again }
}

describe('every place that holds something made with a key', () => {
  test('is made anew by a rotation: the new key alone reads it, the old one does not, and the audit trail verifies', async () => {
    const s = await everySecret()
    const held = (db: Study['db']) =>
      Object.fromEntries(
        keyedColumns.map((place) => [
          `${place.table}.${place.column}`,
          rowsIn(db, place).filter((row) => place.version(row) !== undefined).length,
        ]),
      )
    const before = held(s.db)
    expect(Object.entries(before).filter(([, count]) => !count)).toEqual([])
    const { db, renewed } = rotated(s)
    expect(renewed).toEqual({ renewed: Object.values(before).reduce((a, b) => a + b), unreadable: new Map() })
    expect(held(db)).toEqual(before)
    const all = renewed!.renewed
    expect(unreadableIn(db, keys.forgotten)).toEqual({ all, unreadable: new Map() })
    expect(unreadableIn(db, keys.before).unreadable).toEqual(new Map(Object.entries(before)))
    // The text itself, not only the number of the key, is of the new key.
    const disguised = [{ version: 2, secret: keys.before[0].secret }] as const
    const hashes = before['voucherCodes.hash']!
    expect([...unreadableIn(db, disguised).unreadable.values()].reduce((a, b) => a + b)).toBe(all - hashes + hashes)
    expect(verifyRows(db.$client)).toBeString()
  })

  test('is named: whatever seals is known here', () => {
    const sealing = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && /\bseal\)?\.close\(/.test(readFileSync(join('src', path), 'utf8')))
      .sort()
    expect(sealing).toEqual([
      'accounts/users/totpOperations.ts',
      'conduct/participants/grantOperations.ts',
      'conduct/participants/pendingPasswords.ts',
      'conduct/sharedDevices/pass.ts', // it is not stored: tablets have it
      'conduct/wearables/signIn.ts',
      'http/idempotency.ts',
      'office/incentives/orders.ts',
      'office/incentives/vouchers/operations.ts',
      'office/webhooks/secret.ts',
      'server/secrets/keyedColumns.ts',
    ])
  })

  test('is read at any moment of a rotation that was interrupted', async () => {
    const s = await everySecret()
    const { db, as } = rotated(s, 'rotated', true)
    expect(unreadableIn(db, keys.rotated).unreadable).toEqual(new Map())
    expect(await as(s.cashier).do('listWebhooks', s.trial)).toBeDefined()
    expect((await as(s.owner).do('readGrant', s.trial, s.anna)).url).toContain('grant=')
    // A voucher that was loaded with the first key is known, though its hash was not made anew.
    const again = await as(s.owner).call('POST', s.codesUrl, { content: 'code,amount\nCODE-1,25' })
    expect(again.body.validations.json.content).toEqual(['Line 2, code: It was loaded before.'])
  })
})

test('after a rotation vouchers are known, and a write that is repeated is answered as before', async () => {
  const s = await everySecret()
  for (const which of ['rotated', 'forgotten'] as const) {
    const { as } = rotated(s, which)
    const owner = as(s.owner)
    const again = await owner.call('POST', s.codesUrl, { content: 'code,amount\nCODE-1,25' })
    expect(again.body.validations.json.content).toEqual(['Line 2, code: It was loaded before.'])
    expect((await s.meeting.again(owner)).body).toEqual((await s.meeting.again()).body)
    const other = { name: 'Other', startAt: '2026-03-10T09:00:00.000000Z', personnel: [] }
    const url = `/trials/${s.trial}/participants/${s.anna}/meetings` as const
    const { status } = await owner.call('POST', url, other, { headers: { 'Idempotency-Key': 'meeting-1' } })
    // With the key, another write is told from the first one.
    expect(status).toBe(which === 'rotated' ? 400 : 200)
  }
})

test('recovery codes are accepted, until their key is forgotten', async () => {
  const s = await everySecret()
  const signIn = (by: Study['nobody'], code: string) =>
    by.call('POST', '/sessions', { email: s.owner.email, password: PASSWORD, code })
  const kept = rotated(s)
  expect([recoverableWith(kept.db, 1), recoverableWith(kept.db, 2)]).toEqual([[s.owner.email], []])
  expect((await signIn(kept.nobody, present(s.recoveryCodes[0]))).status).toBe(200)
  expect((await signIn(kept.nobody, present(s.recoveryCodes[0]))).status).toBe(401)
  const gone = rotated(s, 'forgotten')
  expect((await signIn(gone.nobody, present(s.recoveryCodes[1]))).status).toBe(401)
})

test('what still needs a key is reported with its amount, the date and what to do', async () => {
  const s = await everySecret()
  const { owner, trial, bert } = s
  keepDeleted(s)
  await owner.call('DELETE', `/trials/${trial}/participants/${bert}`, { reason: 'twice' })
  const { deletions } = await owner.do('listDeletions', trial)
  s.clock('2026-03-06T12:00:00Z')
  const now = parseInstant(s.now())!
  const { db } = rotated(s)
  const lines = usesOf(db, { ...keys.rotated[1], since: null, until: now }, now).map(
    ({ count, what, remedy }) => `${count} ${what}: ${remedy}`,
  )
  expect(lines).toEqual([
    `1 accounts with unused recovery codes: ask these people to make new codes on the page “Account”: ${owner.email}`,
    expect.stringMatching(/^1 meetings to come: wait until 2026-03-10T\S+Z, or plan them anew$/),
    `1 deletions that can be undone: wait until ${deletions[0]!.restorableUntil}, or purge them before`,
  ])
})

test('links to meetings and files work, until their key is forgotten, and new ones name the new key', async () => {
  const s = await calendarStudy()
  const nurse = s.coordinator()
  const body = { name: 'Call', startAt: '2026-03-10T09:00:00.000000Z', personnel: [nurse._id] }
  const { _id, joinUrl } = await nurse.do('createMeeting', s.trial, s.anna, body)
  s.clock('2026-03-10T09:00:00Z')
  const tokenOf = (url: string | null) => present(url).split('/').at(-1)!
  const { services } = s.service
  const link = services.storage.uploadUrl('0123456789abcdef01234567-x.png', parseInstant('2026-03-11T00:00:00Z')!)
  const put = (service: Study['service'], url: string) =>
    service.storage(new Request(url, { method: 'PUT' }), { timeout: () => {} })
  for (const [which, meeting, file] of [
    ['rotated', 200, 404],
    ['forgotten', 404, 403],
  ] as const) {
    const { as, nobody, service } = rotated(s, which)
    expect((await nobody.call('GET', `/meeting-links/${tokenOf(joinUrl)}`)).status).toBe(meeting)
    const { meetings } = await as(nurse).do('listMeetings', s.trial, s.anna)
    const now = tokenOf(present(meetings.find((each) => each._id === _id)).joinUrl)
    expect(now).toMatch(/s[0-9a-f]{24}2\.[\w-]{43}$/)
    expect((await nobody.call('GET', `/meeting-links/${now}`)).status).toBe(200)
    expect((await nobody.call('GET', `/meeting-links/${now.replace('2.', '3.')}`)).status).toBe(404)
    // The file is not there; the signature is checked before.
    expect((await put(service, link))?.status).toBe(file)
    const newer = service.services.storage.uploadUrl(
      '0123456789abcdef01234567-x.png',
      parseInstant('2026-03-11T00:00:00Z')!,
    )
    expect(newer).toContain('signature=2.')
    expect((await put(service, newer))?.status).toBe(404)
    expect((await put(service, newer.replace('signature=2.', 'signature=')))?.status).toBe(403)
  }
})

test('a tablet hands over what it sealed before, a file that had begun goes on, and a PIN is hashed anew when it is used', async () => {
  const s = await tabletStudy()
  const { pass, me } = await s.signInAs()
  const { opened, version } = await me.do('openStage', s.trial, s.stage)
  const entry = { entry: 'e-1', pass, stage: s.stage, opened, version }
  const response = { [present(s.ids.pulse)]: { value: 61, createdAt: s.now() } }
  const envelope = await s.seal({ ...entry, response })
  const bytes = Buffer.alloc(100, 7)
  const part = async (from: number, to: number) => ({
    device: s.device._id,
    envelope: await s.seal({
      ...{ pass, file: 'f-1', name: 'wound.jpg', size: 100, type: 'image/jpeg', from },
      bytes: bytes.subarray(from, to).toString('base64url'),
    }),
  })
  expect((await s.nobody.call('POST', '/shared-devices/files', await part(0, 40))).body).toMatchObject({ received: 40 })
  const [first, rest] = [await part(0, 40), await part(40, 100)]

  const { nobody, db } = rotated(s)
  expect((await nobody.call('POST', '/shared-devices/files', first)).body).toMatchObject({ received: 40 })
  expect((await nobody.call('POST', '/shared-devices/files', rest)).body).toEqual({ received: 100, isComplete: true })
  const carry = { device: s.device._id, envelope }
  expect(await nobody.call('POST', '/shared-devices/envelopes', carry)).toMatchObject({
    status: 200,
    body: { status: 'stored' },
  })
  expect((await nobody.do('readOpenedSharedDevice', s.opened.secret)).publicKey).not.toBe(s.opened.publicKey)
  expect([pinsOf(db, 1), pinsOf(db, 2)]).toEqual([2, 0])
  const signIn = (pin: string, by = nobody) => by.call('POST', s.sessions, { participantId: 'P-1', pin })
  expect((await signIn('9999')).status).toBe(401)
  expect([pinsOf(db, 1), pinsOf(db, 2)]).toEqual([2, 0])
  expect((await signIn(PIN)).status).toBe(200)
  expect([pinsOf(db, 1), pinsOf(db, 2)]).toEqual([1, 1])
  expect((await signIn(PIN)).status).toBe(200)
  expect(verifyRows(db.$client)).toBeString()

  const gone = rotated(s, 'forgotten')
  expect(await gone.nobody.call('POST', '/shared-devices/envelopes', carry)).toMatchObject({ status: 400 })
  expect((await signIn(PIN, gone.nobody)).status).toBe(401)
})

test('what a form proves of when it was opened is believed, until its key is forgotten', async () => {
  const s = await study({ stage: { availabilityWindowHours: 24 } })
  const app = await s.signIn()
  const { opened } = await app.do('openStage', s.trial, s.stage)
  const body = { [present(s.ids.pulse)]: { value: 61, createdAt: s.now() } }
  s.clock('2026-03-05T12:00:00Z')
  const send = (which: 'rotated' | 'forgotten') =>
    rotated(s, which)
      .as(app)
      .call('POST', `/participants/trials/${s.trial}/stages/${s.stage}/responses?opened=${opened}`, body)
  expect((await send('rotated')).status).toBe(200)
  expect(await send('forgotten')).toMatchObject({ status: 403, body: { details: { late: 'notOpened' } } })
})

test('codes of a consent are accepted, its form keeps its link, and so it is in a session that goes on', async () => {
  const w = await consentWorld()
  const { owner, trialId: trial } = w
  await owner.do('updateTrial', trial, { restrictRegistration: false })
  const stage = (await owner.do('createStage', trial, { name: 'Screening', components: [] }))._id
  await owner.do('updateConsentForm', trial, w.documentId, { postConsentStage: stage })
  const consent = await w.consented('Ann Lee', 'ann@example.org')
  const urlOf = async (by: typeof w.nobody) =>
    present((await by.do('readConsentSession', consent.token)).consent).postConsentStage?.url
  const url = await urlOf(w.nobody)
  const token = await w.start()
  await w.nobody.do('sendConsentCode', token, { method: 'email', address: 'bo@example.org' })
  for (const [which, code, signIn] of [
    ['rotated', true, 200],
    ['forgotten', false, 401],
  ] as const) {
    const { nobody } = rotated(w, which)
    const entered = { method: 'email', code: w.codeTo('bo@example.org') } as const
    expect(await nobody.do('checkConsentCode', token, entered)).toMatchObject({
      isVerified: code,
    })
    if (which === 'rotated') expect(await urlOf(nobody)).toBe(url)
    else expect(await urlOf(nobody)).not.toBe(url)
    const answer = await nobody.call('POST', '/participants/sessions', {
      ...{ trialCode: 'sleep', participantId: 'A-1', password: 'a good password' },
      ...{ eConsentEmail: 'ann@example.org', eConsentCode: consent.signInCode },
    })
    expect(answer.status).toBe(signIn)
  }
})
