import { describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { PASSWORD } from '../../harness'
import { keepDeleted } from '../../purge'
import { tabletStudy } from './sharedDevices.study'

/** A tablet on which Anna is signed in, and an envelope with an answer of hers. */
async function session(options: Parameters<typeof tabletStudy>[0] = {}) {
  const s = await tabletStudy(options)
  const { pass, me } = await s.signInAs()
  const { opened, version } = await me.do('openStage', s.trial, s.stage)
  const content = (entry: string, pulse: number, more: object = {}) => ({
    ...{ entry, pass, stage: s.stage, opened, version },
    response: { [s.ids.pulse!]: { value: pulse, createdAt: s.now() } },
    ...more,
  })
  return {
    ...s,
    me,
    pass,
    content,
    put: async (entry: string, pulse: number, more: object = {}) => s.carry(await s.seal(content(entry, pulse, more))),
    stored: () => s.db.$client.query('SELECT entry, createdByType, sentLate FROM storedSubmissions').all(),
    held: async () => (await s.owner.do('listHeldEntries', s.trial)).heldEntries,
  }
}

test('an envelope is stored as the participant’s answer, once, with the tablet in the audit trail', async () => {
  const s = await session()
  await s.me.do('signOutParticipant')
  const envelope = await s.seal(s.content('e-1', 61))
  const answers = await Promise.all([s.carry(envelope), s.carry(envelope)])
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, { status: 'stored' }],
    [200, { status: 'stored' }],
  ])
  expect(await s.carry(envelope)).toMatchObject({ status: 200, body: { status: 'stored' } })
  expect(s.stored()).toEqual([{ entry: 'e-1', createdByType: 'participant', sentLate: 0 }])
  const [entry, ...others] = s.log('submitResponse')
  expect(others).toEqual([])
  expect(entry).toMatchObject({ userType: 'participant', participant: s.anna })
  expect(JSON.parse(entry?.event ?? '')).toMatchObject({ sharedDevice: s.device._id, entryId: 'e-1' })
})

test('the same entry that was sent with a connection before is not stored again', async () => {
  const s = await session()
  const path = `/participants/trials/${s.trial}/stages/${s.stage}/responses` as const
  await s.me.call('POST', path, { [s.ids.pulse!]: { value: 61 } }, { headers: { 'Idempotency-Key': 'e-1' } })
  expect(await s.put('e-1', 61)).toMatchObject({ status: 200, body: { status: 'stored' } })
  expect(s.stored()).toHaveLength(1)
})

test('answers that were given in time count late, and those that were not are held', async () => {
  const s = await session({ stage: { availabilityWindowHours: 24 } })
  const [inTime, tooLate] = [await s.seal(s.content('e-1', 61)), { ...s.content('e-2', 62), opened: null }]
  s.clock(2 * DAY)
  expect((await s.carry(inTime)).body).toEqual({ status: 'stored' })
  expect(s.stored()).toMatchObject([{ entry: 'e-1', sentLate: 1 }])
  expect((await s.carry(await s.seal(tooLate))).body).toEqual({ status: 'held' })
  expect(await s.held()).toMatchObject([{ entry: 'e-2', code: 'closed', status: 'held', participantId: 'P-1' }])
})

describe('what the study refuses is held for the study team, whole, and nothing of it is stored', () => {
  test.each([
    ['a value that does not fit', { value: 9999 }, 'answerNotTaken'],
    ['a form that was not sent', { unfinished: true }, 'unfinished'],
    ['files that are missing', { withoutFiles: true }, 'filesMissing'],
    ['a time before the session', { createdAt: '2026-03-01T10:00:00Z' }, 'notOfSession'],
  ] as const)('%s', async (_, change, code) => {
    const s = await session({ stage: { required: [] } })
    const { value, createdAt, ...more } = { value: 61, createdAt: s.now(), ...change }
    const response = { [s.ids.pulse!]: { value, createdAt } }
    expect((await s.put('e-1', 61, { ...more, response })).body).toEqual({ status: 'held' })
    expect(s.stored()).toEqual([])
    expect(await s.held()).toMatchObject([{ entry: 'e-1', code }])
    expect((await s.put('e-1', 61, { ...more, response })).body).toEqual({ status: 'held' })
    expect(await s.held()).toHaveLength(1)
    expect(s.log('holdEntry')).toHaveLength(1)
    expect(s.log('submitResponse')).toEqual([])
    if (code !== 'unfinished') return
    const [held] = await s.held()
    const accept = `/trials/${s.trial}/heldEntries/${held?._id}/acceptance`
    expect((await s.owner.call('POST', accept, { updateNote: 'Complete enough.' })).status).toBe(200)
  })

  test('while the database is locked, or of an archived participant, or of a stage that is gone', async () => {
    const s = await session()
    await s.owner.do('updateParticipant', s.trial, s.anna, { isArchived: true })
    expect((await s.put('e-1', 61)).body).toEqual({ status: 'held' })
    expect((await s.put('e-2', 61, { stage: '0'.repeat(24) })).body).toEqual({ status: 'held' })
    const admin = await s.signInStaff(s.owner)
    await admin.do('confirmIdentity', { password: 'harbour lantern 71' })
    await admin.do('updateTrial', s.trial, {
      isDatabaseLocked: true,
      databaseLockJustification: 'The end of the study.',
    })
    expect((await s.put('e-3', 61)).body).toEqual({ status: 'held' })
    expect((await s.held()).map(({ entry, code }) => [entry, code])).toEqual([
      ['e-3', 'locked'],
      ['e-2', 'notFound'],
      ['e-1', 'archived'],
    ])
  })
})

test('an envelope that was altered, or is of another tablet or server, or has no pass of this one, is refused', async () => {
  const s = await session()
  const other = await s.owner.do('createSharedDeviceOfTrial', s.trial, { name: 'Other' })
  const good = await s.seal(s.content('e-1', 61))
  const code = async (envelope: string, device = s.device._id) => {
    const { status, body } = await s.carry(envelope, device)
    return [status, body.details?.code]
  }
  expect(await code(`${good.slice(0, -2)}AA`)).toEqual([400, 'unreadableEnvelope'])
  expect(await code(good, other._id)).toEqual([400, 'unreadableEnvelope'])
  expect(await code('💥')).toEqual([400, 'unreadableEnvelope'])
  expect(await code(await s.seal(s.content('e-1', 61), other._id), other._id)).toEqual([400, 'foreignEnvelope'])
  expect(await code(await s.seal({ ...s.content('e-1', 61), pass: 'made up' }))).toEqual([400, 'foreignEnvelope'])
  for (const content of [{}, null, 'text', { ...s.content('e-1', 61), entry: '' }, { ...s.content('\ud800', 61) }])
    expect(await code(await s.seal(content))).toEqual([400, 'unreadableEnvelope'])
  expect(await code(good, '0'.repeat(24))).toEqual([404, 'notFound'])
  expect(s.stored()).toEqual([])
})

test('envelopes are taken after the end of the tablet; not from who has withdrawn; of who was deleted nothing is left', async () => {
  const s = await session()
  s.clock(HOUR + MINUTE)
  const [first, second] = [await s.seal(s.content('e-1', 61)), await s.seal(s.content('e-2', 62))]
  await s.owner.delete<'endSharedDevice'>(s.at)
  expect((await s.carry(first)).body).toEqual({ status: 'stored' })
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  expect(await s.carry(second)).toMatchObject({ status: 403, body: { details: { code: 'withdrawn' } } })
  const admin = await s.signInStaff(s.owner)
  await admin.do('confirmIdentity', { password: 'harbour lantern 71' })
  await admin.call('DELETE', `/trials/${s.trial}/participants/${s.anna}`, { reason: 'registered twice' })
  expect((await s.carry(second)).body).toEqual({ status: 'deleted' })
  expect(s.log('openSharedDeviceEnvelope')).toHaveLength(2)
})

test('of who was deleted and can be restored, the tablet keeps answers and files until then', async () => {
  const s = await session()
  keepDeleted(s)
  const envelope = await s.seal(s.content('e-1', 61))
  const part = { pass: s.pass, file: 'f-1', name: 'a.txt', size: 1, type: 'text/plain', from: 0, bytes: 'QQ' }
  const file = { device: s.device._id, envelope: await s.seal(part) }
  await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'By mistake' })
  const refused = { status: 400, body: { details: { code: 'participantDeleted' } } }
  expect(await s.carry(envelope)).toMatchObject(refused)
  expect(await s.nobody.call('POST', '/shared-devices/files', file)).toMatchObject(refused)
  const admin = await s.signInStaff(s.owner)
  await admin.do('confirmIdentity', { password: PASSWORD })
  const [kept] = (await s.owner.do('listDeletions', s.trial)).deletions
  await admin.do('restoreDeletion', s.trial, kept!._id, { reason: 'By mistake' })
  expect((await s.carry(envelope)).body).toEqual({ status: 'stored' })
  expect(s.stored()).toHaveLength(1)
})

test('answers of somebody whom a restored server does not know are refused, so that the tablet keeps them', async () => {
  const s = await session()
  await s.owner.do('registerParticipants', s.trial, { participants: [{ participantId: 'P-9' }] })
  const envelope = await s.seal(s.content('e-1', 61))
  const part = { pass: s.pass, file: 'f-1', name: 'a.txt', size: 1, type: 'text/plain', from: 0, bytes: 'QQ' }
  const file = await s.seal(part)
  // As in a backup from before the registration: neither the participant is there, nor a trace of a deletion.
  for (const { name } of s.db.$client
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .all())
    s.db.$client.run(`DROP TRIGGER "${name}"`)
  s.db.$client.run('PRAGMA foreign_keys = OFF')
  s.db.$client.query('DELETE FROM participants WHERE _id = ?').run(s.anna)
  expect(await s.carry(envelope)).toMatchObject({ status: 400, body: { details: { code: 'unknownParticipant' } } })
  const handed = await s.nobody.call('POST', '/shared-devices/files', { device: s.device._id, envelope: file })
  expect(handed).toMatchObject({ status: 400, body: { details: { code: 'unknownParticipant' } } })
})

describe('messages of rules', () => {
  const CALL = 'Call the ward now: 030 450-50.'
  const rule = (id: string, message: string, severity: 'urgent' | 'normal') => ({
    ...{ id, severity, conditions: [] },
    actions: [{ id: 'a', type: 'showMessage' as const, message }],
  })
  const withRules = async () => {
    const s = await session()
    const stage = await s.owner.do('readStage', s.stage)
    const { components } = stage
    await s.owner.do('updateStage', s.stage, {
      components,
      onSubmitRules: [rule('strong', CALL, 'urgent'), rule('some', 'Please rest.', 'normal')],
    })
    const shownMessages = async () =>
      (await s.owner.do('listMessages', s.trial, s.anna)).automaticMessages.flatMap(({ type, message }) =>
        type === 'onSubmit' ? [message] : [],
      )
    const tasks = async () => (await s.owner.do('listTasks', s.trial)).tasks.map(({ description }) => description ?? '')
    return { ...s, told: shownMessages, tasks }
  }

  test('of answers that arrive when nobody is there any more are in the thread, once, and the team hears of the urgent one', async () => {
    const s = await withRules()
    const envelope = await s.seal(s.content('e-1', 61))
    for (let times = 0; times < 2; times++) expect((await s.carry(envelope)).body).toEqual({ status: 'stored' })
    expect(await s.told()).toEqual([CALL, 'Please rest.'])
    expect(await s.tasks()).toEqual([expect.stringContaining('left the shared tablet')])
    expect((await s.tasks())[0]).toStartWith(CALL)
  })

  test('also if the server had stored them, and the tablet never heard of it', async () => {
    const s = await withRules()
    const path = `/participants/trials/${s.trial}/stages/${s.stage}/responses` as const
    await s.me.call('POST', path, { [s.ids.pulse!]: { value: 61 } }, { headers: { 'Idempotency-Key': 'e-1' } })
    expect(await s.told()).toEqual([])
    expect((await s.put('e-1', 61)).body).toEqual({ status: 'stored' })
    expect(await s.told()).toEqual([CALL, 'Please rest.'])
  })
})
