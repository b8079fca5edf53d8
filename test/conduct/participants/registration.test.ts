import { expect, test } from 'bun:test'
import { auditEntries, participants, teams } from '#db/tables/index'
import { world } from '../../harness'

test('one participant is registered', async () => {
  const { owner, trial, db } = world()
  const id = trial()
  const group = await owner.do('createGroup', id, { name: 'Arm' })
  const registered = await owner.do('registerParticipants', id, {
    participantId: 'P-1',
    password: 'secret words',
    group: group._id,
    isUnallocated: true,
  })
  expect(registered).toEqual({
    _id: expect.any(String),
    id: 'P-1',
    createdAt: '2026-03-02T12:00:00.000000Z',
    lastSeenAt: null,
    groups: [group._id],
    sites: [],
    isUnallocated: true,
    allocatedReason: null,
    isArchived: false,
    isWithdrawn: false,
    hasUnreadMessages: false,
    unreadCount: 0,
    erasedAt: null,
    progress: { ratioComplete: 0, stagesBehindSchedule: 0 },
    passwordSet: true,
    pushAvailable: false,
    emailAvailable: false,
    smsAvailable: false,
    whatsappAvailable: false,
    timezone: null,
    language: null,
    name: null,
    dob: null,
    email: null,
    phone: null,
    whatsapp: null,
  })
  const [row] = db.select().from(participants).all()
  expect(row!.passwordHash).toStartWith('$argon2id$')
  const entry = db.select().from(auditEntries).all().at(-1)!
  expect(entry).toMatchObject({ type: 'createParticipant', participant: registered._id })
  expect(JSON.stringify(db.select().from(auditEntries).all())).not.toContain('secret words')
})

test('a batch is registered in one request, with an audit entry for each participant', async () => {
  const { owner, trial, db } = world()
  const id = trial()
  const { participants: registered } = await owner.do('registerParticipants', id, {
    participants: [{ participantId: 'B' }, { participantId: 'A', password: 'x' }],
  })
  expect(registered.map((each) => [each.id, each.passwordSet])).toEqual([
    ['B', false],
    ['A', true],
  ])
  expect(
    db
      .select()
      .from(auditEntries)
      .all()
      .filter(({ type }) => type === 'createParticipant'),
  ).toHaveLength(2)
})

test.each([
  ['in the batch', ['n-1', 'N-1'], ['N-1']],
  ['in the trial', ['n-1', 'p-1'], ['p-1']],
  ['in the trial with an accent', ['É', 'n'], ['É']],
  ['several', ['P-1', 'x', 'X'], ['P-1', 'X']],
])('with a duplicate ID %s nobody is registered', async (_, ids, named) => {
  const { owner, trial, db } = world()
  const id = trial()
  await owner.do('registerParticipants', id, { participants: [{ participantId: 'P-1' }, { participantId: 'é' }] })
  const batch = { participants: ids.map((participantId) => ({ participantId, password: 'pw' })) }
  const { status, body } = await owner.call('POST', `/trials/${id}/participants`, batch)
  expect(status).toBe(400)
  for (const name of named) expect(body.message).toContain(name)
  expect(db.select().from(participants).all()).toHaveLength(2)
})

test('an ID may be used again in another trial', async () => {
  const { owner, trial } = world()
  for (const id of [trial(), trial()]) await owner.do('registerParticipants', id, { participantId: 'P-1' })
})

test.each([
  [{}, 'participantId'],
  [{ participantId: '' }, 'participantId'],
  [{ participantId: 'x'.repeat(51) }, 'participantId'],
  [{ participantId: ' P' }, 'participantId'],
  [{ participantId: 'a\u0001b' }, 'participantId'],
  [{ participantId: 'P', password: 'x'.repeat(201) }, 'password'],
  [{ participantId: 'P', groups: ['arm'] }, 'groups'],
  [{ participantId: 'P', size: 3 }, 'size'],
  [{ participants: [] }, 'participants'],
  [{ participants: [{}] }, 'participants'],
  [{ participants: [{ participantId: 'P ' }] }, 'participants'],
  [{ participants: [{ participantId: 'P' }], reason: 'x' }, 'reason'],
])('refuses the registration %j and names the field', async (body, field) => {
  const { owner, trial, db } = world()
  const { status, body: answer } = await owner.call('POST', `/trials/${trial()}/participants`, body)
  expect(status).toBe(422)
  expect(Object.keys(answer.validations.json)).toEqual([field])
  expect(db.select().from(participants).all()).toEqual([])
})

test('a participant ID may have 50 characters and a password 200', async () => {
  const { owner, trial } = world()
  const body = { participantId: 'x'.repeat(50), password: 'y'.repeat(200) }
  expect((await owner.do('registerParticipants', trial(), body)).id).toBe(body.participantId)
})

test('the participant limit of the team may be reached but not exceeded', async () => {
  const { owner, trial, db } = world()
  const id = trial()
  db.update(teams).set({ participantLimit: 3 }).run()
  const register = (...ids: string[]) =>
    owner.call('POST', `/trials/${id}/participants`, { participants: ids.map((participantId) => ({ participantId })) })
  expect((await register('a', 'b')).status).toBe(200)
  expect((await register('c', 'd')).status).toBe(400)
  expect((await register('c')).status).toBe(200)
  expect((await register('d')).status).toBe(400)
  expect(db.select().from(participants).all()).toHaveLength(3)
})

test('a group must belong to the trial', async () => {
  const { owner, trial } = world()
  const group = await owner.do('createGroup', trial(), { name: 'Elsewhere' })
  const body = { participantId: 'P', groups: [group._id] }
  expect((await owner.call('POST', `/trials/${trial()}/participants`, body)).status).toBe(400)
})

test('a registrar restricted to sites or groups registers into those only', async () => {
  const { owner, trial, staff, db } = world()
  const id = trial()
  const a = await owner.do('createSite', id, { name: 'Berlin', id: 'BER' })
  await owner.do('createSite', id, { name: 'Paris', id: 'PAR' })
  const g = await owner.do('createGroup', id, { name: 'Arm' })
  const other = await owner.do('createGroup', id, { name: 'Other' })
  const url = `/trials/${id}/participants` as const
  const nurse = staff(id, ['site.write'], a._id)
  const registered = await nurse.do('registerParticipants', id, { participantId: 'P', groups: [other._id] })
  expect(registered).toMatchObject({ sites: [a._id], groups: [other._id] })
  expect(registered).not.toHaveProperty('name')
  const coach = staff(id, ['group.write'], g._id)
  expect(await coach.do('registerParticipants', id, { participantId: 'Q' })).toMatchObject({
    sites: [],
    groups: [g._id],
  })
  expect((await coach.call('POST', url, { participantId: 'R', group: other._id })).status).toBe(404)
  const reader = staff(id, ['trial.read'])
  expect((await reader.call('POST', url, { participantId: 'R' })).status).toBe(403)
  const refusals = db
    .select()
    .from(auditEntries)
    .all()
    .filter(({ type }) => type === 'accessRefused')
  expect(refusals.map(({ user }) => user)).toEqual([reader._id])
})

test('a locked database refuses registrations, a locked configuration does not', async () => {
  const { owner, trial } = world()
  const body = { participantId: 'P' }
  expect((await owner.call('POST', `/trials/${trial({ isDatabaseLocked: true })}/participants`, body)).status).toBe(403)
  expect((await owner.call('POST', `/trials/${trial({ isLocked: true })}/participants`, body)).status).toBe(200)
})

test('of two simultaneous registrations of one ID, one succeeds', async () => {
  const { owner, trial, db } = world()
  const url = `/trials/${trial()}/participants` as const
  const answers = await Promise.all(
    [1, 2, 3].map(() => owner.call('POST', url, { participantId: 'P', password: 'pw' })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  expect(db.select().from(participants).all()).toHaveLength(1)
})
