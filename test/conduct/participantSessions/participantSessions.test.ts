import { expect, test } from 'bun:test'
import { hashPassword } from '#accounts/users/passwords'
import { auditEntries, participants, participantTokens, teams, trials } from '#db/tables/index'
import { DAY, MINUTE } from '#kernel/time'
import type { world } from '../../harness'
import { take } from '../../present'
import { FAILED, study } from './participantSessions.study'

test('a participant signs in, reads their account and trial, and signs out', async () => {
  const { enter, trial, team, anna, owner, db } = await study({
    settings: { sponsor: 'Acme' },
    description: 'About it',
  })
  const site = await owner.do('createSite', trial, { name: 'Berlin', id: 'BER', contactPhone: '112' })
  await owner.do('addSiteMember', site._id, anna._id)
  const me = await enter()
  const ownTrial = {
    _id: trial,
    name: 'Heart',
    code: 'heart',
    sponsor: 'Acme',
    description: 'About it',
    team: { _id: team, name: 'Research' },
    features: expect.objectContaining({ videoCalls: true, eConsent: false, foodDiaries: false }),
    pushPublicKey: null,
    languages: [],
  }
  expect(await me.do('readOwnTrial')).toEqual(ownTrial)
  expect(await me.do('readOwnParticipant')).toEqual({
    participant: {
      _id: anna._id,
      id: 'A-1',
      createdAt: anna.createdAt,
      pushAvailable: false,
      emailAvailable: false,
      smsAvailable: false,
      whatsappAvailable: false,
      timezone: null,
      language: null,
      isWithdrawn: false,
    },
    zone: 'UTC',
    pushHere: false,
    trial: ownTrial,
    sites: [expect.objectContaining({ _id: site._id, name: 'Berlin', contactPhone: '112' })],
    consents: [],
    connectedServices: [],
    texts: { language: null, source: null, untranslated: [], messages: null },
  })
  expect(await me.do('signOutParticipant')).toEqual({})
  expect((await me.call('GET', '/participants/me')).status).toBe(401)
  const own = db
    .select()
    .from(auditEntries)
    .all()
    .filter(({ userType }) => userType === 'participant')
  expect(own.map(({ type }) => type)).toEqual(['signInParticipant', 'signOutParticipant'])
  expect(own[0]).toMatchObject({ participant: anna._id, event: { by: 'credentials', first: true }, chain: trial })
})

test('only the hash of a token is stored, and staff operations refuse the token', async () => {
  const { enter, url, db } = await study()
  const me = await enter()
  const token = me.credentials.Authorization!.slice(7)
  expect(JSON.stringify(db.select().from(participantTokens).all())).not.toContain(token)
  expect((await me.call('GET', url)).status).toBe(401)
})

test('a participant sets their time zone, unless the database is locked', async () => {
  const { enter, at, owner, db } = await study()
  const me = await enter()
  expect((await me.do('updateOwnParticipant', { timezone: 'Asia/Tokyo' })).participant.timezone).toBe('Asia/Tokyo')
  expect((await owner.get<'readParticipant'>(at)).timezone).toBe('Asia/Tokyo')
  expect((await me.call('PUT', '/participants/me', { timezone: 'Nowhere' })).status).toBe(422)
  expect((await me.call('PUT', '/participants/me', {})).status).toBe(422)
  db.update(trials).set({ isDatabaseLocked: true }).run()
  expect((await me.call('PUT', '/participants/me', { timezone: 'UTC' })).status).toBe(403)
})

test('codes and IDs are accepted in any case, and `code` for `trialCode`', async () => {
  const { signIn, person } = await study()
  expect((await signIn({ trialCode: ' HEART ', participantId: 'a-1 ', password: 'annas words' })).status).toBe(200)
  const body = { code: 'heart', participantId: 'A-1', password: 'annas words' }
  expect((await person({}).call('POST', '/participants/sessions', body)).status).toBe(200)
  const { code: _, ...without } = body
  expect((await person({}).call('POST', '/participants/sessions', without)).status).toBe(422)
})

test.each([
  ['a wrong password', { password: 'annas word' }],
  ['no password', { password: '' }],
  ['an unknown participant', { participantId: 'B-1', password: 'annas words' }],
  ['an unknown trial', { trialCode: 'lung', password: 'annas words' }],
])('%s gets the same 401', async (_, body) => {
  const { signIn, db } = await study()
  const answer = await signIn(body)
  expect([answer.status, answer.body]).toEqual([401, FAILED])
  expect(db.select().from(participantTokens).all()).toEqual([])
})

test('without a password, a participant cannot sign in with credentials', async () => {
  const { signIn, owner, trial } = await study()
  await owner.do('registerParticipants', trial, { participantId: 'B-1' })
  for (const password of ['', 'x']) {
    expect((await signIn({ participantId: 'B-1', password })).body).toEqual(FAILED)
  }
})

test('the trial’s password and the participant’s own both work', async () => {
  const { signIn, owner, trial } = await study({ passwordHash: await hashPassword('everyone') })
  await owner.do('registerParticipants', trial, { participantId: 'B-1' })
  expect((await signIn({ password: 'everyone' })).status).toBe(200)
  expect((await signIn({ password: 'annas words' })).status).toBe(200)
  expect((await signIn({ participantId: 'B-1', password: 'everyone' })).status).toBe(200)
  expect((await signIn({ participantId: 'B-1', password: 'annas words' })).status).toBe(401)
  expect((await signIn({ participantId: 'C-1', password: 'everyone' })).status).toBe(401)
})

test.each([
  ['the team is full', ({ db }: World) => db.update(teams).set({ participantLimit: 1 }).run(), {}],
  ['the database is locked', ({ db }: World) => db.update(trials).set({ isDatabaseLocked: true }).run(), {}],
  ['the password is empty', () => {}, { password: '' }],
  ['the ID is blank', () => {}, { participantId: ' ' }],
])('open registration fails when %s', async (_, prepare, body) => {
  const all = await study({ restrictRegistration: false })
  prepare(all as never)
  const answer = await all.signIn({ participantId: 'new', password: 'mine', ...body })
  expect([answer.status, answer.body]).toEqual([401, FAILED])
  expect(all.db.select().from(participants).all()).toHaveLength(1)
})

type World = ReturnType<typeof world>

test('archived participants cannot sign in and lose their token; withdrawn ones keep it', async () => {
  const { enter, signIn, owner, at } = await study()
  const me = await enter()
  await owner.put<'updateParticipant'>(at, { isWithdrawn: true })
  expect((await me.do('readOwnParticipant')).participant.isWithdrawn).toBe(true)
  await owner.put<'updateParticipant'>(at, { isArchived: true })
  expect((await me.call('GET', '/participants/me')).status).toBe(401)
  expect((await signIn({ password: 'annas words' })).body).toEqual(FAILED)
  await owner.put<'updateParticipant'>(at, { isArchived: false })
  expect((await me.call('GET', '/participants/me')).status).toBe(401)
  expect((await signIn({ password: 'annas words' })).status).toBe(200)
})

test('a new password ends all tokens', async () => {
  const { enter, signIn, owner, at } = await study()
  const me = await enter()
  await owner.put<'updateParticipant'>(at, { password: 'newer words' })
  expect((await me.call('GET', '/participants/me')).status).toBe(401)
  expect((await signIn({ password: 'annas words' })).status).toBe(401)
  await enter({ password: 'newer words' })
})

test('a token ends after 90 days without use', async () => {
  const { enter, clock } = await study()
  const me = await enter()
  clock(90 * DAY - 1)
  expect((await me.call('PUT', '/participants/me', { timezone: 'UTC' })).status).toBe(200)
  clock(90 * DAY - 1)
  expect((await me.call('GET', '/participants/me')).status).toBe(200)
  clock(90 * DAY)
  expect((await me.call('GET', '/participants/me')).status).toBe(401)
})

test('a token that is used at the same moments as another one of the participant does not end', async () => {
  const { enter, clock } = await study()
  const devices = [await enter(), await enter()]
  for (let use = 0; use < 3; use++) {
    clock(60 * DAY)
    for (const me of devices) {
      expect((await me.call('PUT', '/participants/me', { timezone: 'UTC' })).status).toBe(200)
    }
  }
})

test('failed sign-ins are limited per participant and per address', async () => {
  const { signIn, clock } = await study()
  for (let guess = 0; guess < 10; guess++) {
    expect((await signIn({ password: `${guess}` }, `192.0.2.${guess}`)).status).toBe(401)
  }
  const { status, body } = await signIn({ password: 'annas words', participantId: 'a-1' }, '192.0.2.99')
  expect([status, body['Allowed limit']]).toEqual([429, '10 per 1 minute'])
  clock(MINUTE)
  expect((await signIn({ password: 'annas words' })).status).toBe(200)
}, 180_000)

test('a sign-in with an Idempotency-Key does not store the token', async () => {
  const { person, db } = await study()
  const body = { trialCode: 'heart', participantId: 'A-1', password: 'annas words' }
  const options = { headers: { 'Idempotency-Key': 'k' } }
  const tokens = [1, 2].map(() => person({}).post('/participants/sessions', body, options))
  const [one, two] = take(2, await Promise.all(tokens))
  expect(one.token).not.toBe(two.token)
  expect(db.$client.query('SELECT count(*) AS n FROM idempotencyKeys').get()).toEqual({ n: 0 })
})
