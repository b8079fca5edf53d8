import { expect, test } from 'bun:test'
import { hashPassword } from '#accounts/users/passwords'
import { anchors, auditEntries, participantAnchors, participants, trials } from '#db/tables/index'
import { logLines } from '#exchange/logs/service'
import { MINUTE } from '#kernel/time'
import { present } from '../../present'
import { FAILED, study } from './participantSessions.study'

test('if registration is open, a sign-in with an unknown ID registers it', async () => {
  const { enter, signIn, db } = await study({ restrictRegistration: false })
  await enter({ participantId: 'new', password: 'mine' })
  expect((await signIn({ participantId: 'NEW', password: 'other' })).status).toBe(401)
  expect((await signIn({ participantId: 'NEW', password: 'mine' })).status).toBe(200)
  expect((await signIn({ participantId: 'A-1', password: 'mine' })).status).toBe(401)
  expect(
    db
      .select()
      .from(participants)
      .all()
      .map(({ id }) => id),
  ).toEqual(['A-1', 'new'])
  const created = db
    .select()
    .from(auditEntries)
    .all()
    .filter(({ type }) => type === 'createParticipant')
  expect(created.map(({ userType }) => userType)).toEqual(['user', 'participant'])
})

test('open registration asks for the trial’s password if it has one', async () => {
  const open = { restrictRegistration: false, passwordHash: await hashPassword('everyone') }
  const { signIn, db } = await study(open)
  expect((await signIn({ participantId: 'new', password: 'mine' })).status).toBe(401)
  expect((await signIn({ participantId: 'new', password: 'everyone' })).status).toBe(200)
  expect(db.select().from(participants).all()).toHaveLength(2)
})

test('a first sign-in with eConsent asks for contact and code only after the right password', async () => {
  const { signIn, owner, at, db, enter } = await study()
  const me = await enter()
  await me.do('readOwnParticipant')
  db.update(trials)
    .set({ settings: { eConsentEnabled: true } })
    .run()
  await enter() // who has joined before
  db.update(participants).set({ joinedAt: null }).run()
  const refusal = await signIn({ password: 'annas words' })
  expect([refusal.status, refusal.body.details]).toEqual([
    400,
    {
      code: 'eConsentRequired',
      eConsentRequired: true,
      manual: '/manual/participants#first-sign-in-with-econsent',
    },
  ])
  for (const part of [
    { eConsentEmail: 'a@example.org' },
    { eConsentCode: '123' },
    { eConsentPhone: '', eConsentCode: '1' },
  ]) {
    expect((await signIn({ password: 'annas words', ...part })).status).toBe(400)
    expect((await signIn({ password: 'wrong', ...part })).body).toEqual(FAILED)
  }
  const unproven = await signIn({ password: 'annas words', eConsentPhone: '+49 30 123456', eConsentCode: '123' })
  expect([unproven.status, unproven.body]).toEqual([401, FAILED])
  const grant = new URL(present((await owner.post<'createGrant'>(`${at}/grants`)).url)).searchParams.get('grant')
  expect((await owner.call('POST', '/participants/grants/exchange', { grant })).status).toBe(200)
})

test('the first sign-in of any kind marks the participant as joined, and sets the anchors that wait for it', async () => {
  const { enter, trial, anna, db, owner, clock } = await study()
  const anchor = { _id: 'a'.repeat(24), createdAt: 0, trial, name: 'Joined' }
  db.insert(anchors)
    .values({ ...anchor, assignmentRule: { type: 'participant_login' } })
    .run()
  expect((await owner.do('listParticipants', trial, { joinedNotJoined: true })).total).toBe(1)
  await enter()
  expect((await owner.do('listParticipants', trial, { joinedJoined: true })).participants).toMatchObject([
    { id: 'A-1' },
  ])
  const [set] = db.select().from(participantAnchors).all()
  expect(set).toMatchObject({ participant: anna._id, anchor: anchor._id })
  clock(5 * MINUTE)
  await enter()
  expect(db.select().from(participantAnchors).all()).toEqual([set!])
  const [row] = db.select().from(participants).all()
  expect(row!.lastSeenAt! - row!.joinedAt!).toBe(5 * MINUTE)
})

test('a failed sign-in is in the trail of the trial; one with an unknown ID or trial only in the log of the service', async () => {
  const here = await study()
  const { signIn, owner, trial, anna, db, now } = here
  const wrong = { trialCode: 'heart', participantId: 'A-1', password: 'not annas words' }
  for (const change of [{}, { participantId: 'B-9' }, { trialCode: 'nowhere' }])
    expect((await signIn({ ...wrong, ...change })).status).toBe(401)
  const { entries } = await owner.do('readLogs', trial, { userType: 'system', type: 'identityNotProven' })
  expect(entries).toMatchObject([{ participantId: 'A-1' }])
  const lines = logLines(db, { type: 'identityNotProven', last: 10, isJson: true }).map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    { chain: 'service', createdAt: now(), event: { trial }, client: { address: expect.any(String) } },
    { chain: 'service', event: { trial: null } },
  ])
  // The address of a participant is personal information.
  const stored = db
    .select()
    .from(auditEntries)
    .all()
    .find(({ chain, type }) => chain === trial && type === 'identityNotProven')
  expect(stored).toMatchObject({ participant: anna._id, event: {}, address: null, personal: expect.anything() })
})
