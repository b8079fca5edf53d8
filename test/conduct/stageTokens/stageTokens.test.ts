import { describe, expect, test } from 'bun:test'
import type { Id } from '#kernel/id'
import { sha256 } from '#kernel/id'
import { DAY, HOUR } from '#kernel/time'
import { goodAnswers, study } from '../../study'

type Options = Parameters<typeof study>[0]

/** The small study, with links to its stage. */
async function linkStudy(options: Options = {}) {
  const at = await study(options)
  const { owner, trial, anna, stage, nobody } = at
  const url = (participant: Id = anna, to: string = stage) =>
    `/trials/${trial}/participants/${participant}/stages/${to}/tokens` as const
  const link = async (body: Record<string, unknown> = {}): Promise<string> =>
    (await owner.post<'createStageToken'>(url(), body)).token
  return {
    ...at,
    tokens: url,
    link,
    submit: (token: string, answers: Record<string, unknown>, headers: Record<string, string> = {}) =>
      nobody.call('POST', `/stage-tokens/${token}/responses`, at.sent(answers), { headers }),
    open: (token: string) => nobody.call('GET', `/stage-tokens/${token}`),
    entries: (type: string) =>
      at.db.$client.query('SELECT * FROM auditEntries WHERE type = ? ORDER BY number').all(type) as Record<
        string,
        string
      >[],
  }
}

test('a link opens one stage, and its submission counts as the participant’s', async () => {
  const at = await linkStudy({ stage: { postSubmissionText: 'Thank you.' } })
  const { owner, tokens, open, submit, anna, stage, trial, db, ids, entries } = at
  const created = await owner.post<'createStageToken'>(tokens(), { recurrence: 0, expiresInDays: 3 })
  expect(created).toEqual({
    token: expect.stringMatching(/^[\w-]{43}$/),
    url: `http://localhost/app/stage/${created.token}` as const,
    expiresAt: '2026-03-05T12:00:00.000000Z',
  })
  const stored = db.$client.query('SELECT * FROM stageTokens').all()
  expect(stored).toMatchObject([{ hash: sha256(created.token), participant: anna, stage, stageRecurrence: 0 }])
  expect(JSON.stringify(stored)).not.toContain(created.token)

  const opened = await open(created.token)
  expect(opened.status).toBe(200)
  expect(opened.body).toMatchObject({
    trialName: 'Breath study',
    stage,
    name: 'Visit',
    enabled: true,
    completed: false,
  })
  expect(opened.body.components).toHaveLength(Object.keys(ids).length)

  const receipt = await submit(created.token, goodAnswers)
  expect(receipt.status).toBe(200)
  expect(at.values(receipt.body)).toEqual({ ...goodAnswers, double: 144 })
  expect(receipt.body).toMatchObject({ participant: anna, postSubmissionText: 'Thank you.', onScreenMessages: [] })
  expect(receipt.body.response[ids.pulse!]).toMatchObject({ createdBy: anna, createdByType: 'participant' })
  expect((await open(created.token)).body.completed).toBe(true)
  const again = await submit(created.token, { pulse: 80 })
  expect(again.body._id).toBe(receipt.body._id)

  expect(entries('createStageToken')).toMatchObject([{ chain: trial, participant: anna, userType: 'user' }])
  expect(entries('submitResponse')).toMatchObject([
    { chain: trial, participant: anna, userType: 'participant', user: null, address: null },
    { chain: trial, participant: anna, userType: 'participant' },
  ])
  expect(JSON.parse(entries('submitResponse')[0]!.personal!).content).toEqual({
    client: { address: '192.0.2.1', device: null },
  })
  expect(JSON.stringify(db.$client.query('SELECT * FROM auditEntries').all())).not.toContain(created.token)
  // The token does not sign the participant in.
  expect(db.$client.query('SELECT joinedAt, lastSeenAt FROM participants WHERE _id = ?').get(anna)).toEqual({
    joinedAt: null,
    lastSeenAt: null,
  })
})

test('submissions by link follow the rules of the participant’s submissions', async () => {
  const { link, submit } = await linkStudy({ stage: { required: ['symptom'] } })
  const token = await link()
  expect((await submit(token, { pulse: 60 })).status).toBe(400)
  expect((await submit(token, { symptom: 'cough', pulse: 500 })).status).toBe(400)
  expect((await submit(token, { symptom: 7 })).status).toBe(422)
  expect((await submit(token, { symptom: 'cough' })).status).toBe(200)
})

test('a link expires at its time, and not before', async () => {
  const { link, open, submit, clock, service, db } = await linkStudy()
  const token = await link({ expiresInDays: 1 })
  clock(DAY - 1)
  expect((await open(token)).status).toBe(200)
  clock(1)
  expect((await open(token)).status).toBe(404)
  expect((await submit(token, { pulse: 60 })).status).toBe(404)
  expect((await open('x'.repeat(43))).status).toBe(404)
  expect((await open('x')).status).toBe(404)
  expect((await open(token)).body).toMatchObject({ details: { code: 'expired' } })
  clock(31 * DAY)
  await service.services.tick()
  expect(db.$client.query('SELECT count(*) AS n FROM stageTokens').get()).toEqual({ n: 0 })
})

describe('a link to a closed stage', () => {
  test('before its opening and after its window: submitting is 403, and reading it says so', async () => {
    const { link, open, submit, clock, entries, anna } = await linkStudy({
      stage: { availabilityWindowHours: 24, enableAtTime: '18:00:00' },
    })
    const token = await link()
    expect((await open(token)).body).toMatchObject({ enabled: false, enableAt: '2026-03-02T18:00:00.000000Z' })
    expect((await submit(token, { pulse: 60 })).status).toBe(403)
    clock(6 * HOUR)
    expect((await submit(token, { pulse: 60 })).status).toBe(200)
    clock(24 * HOUR)
    expect((await submit(token, { pulse: 61 })).body.message).toContain('passed')
    const refused = entries('accessRefused')
    expect(JSON.stringify(refused)).not.toContain(token)
    expect(refused).toMatchObject([
      { userType: 'participant', participant: anna, address: null },
      { userType: 'participant', participant: anna, address: null },
    ])
  })

  test('switched off: 404; withdrawn: 403; archived: the link has ended', async () => {
    const { link, open, submit, owner, stage, trial, anna, db } = await linkStudy()
    const token = await link()
    const status = async () => {
      const { status, body } = await open(token)
      return [status, (await submit(token, { pulse: 60 })).status, ...(body.refuses ? [body.refuses] : [])]
    }
    await owner.do('updateStage', stage, { enabled: false })
    expect(await status()).toEqual([404, 404])
    await owner.do('updateStage', stage, { enabled: true })
    await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
    expect(await status()).toEqual([200, 403, 'withdrawn'])
    await owner.do('updateParticipant', trial, anna, { isWithdrawn: false })
    db.$client.query('UPDATE trials SET isDatabaseLocked = 1').run()
    expect(await status()).toEqual([200, 403, 'locked'])
    db.$client.query('UPDATE trials SET isDatabaseLocked = 0').run()
    expect(await status()).toEqual([200, 200])
    await owner.do('updateParticipant', trial, anna, { isArchived: true })
    expect(await status()).toEqual([404, 404])
  })
})

test('a link to a recurring stage opens the occurrence it was created for', async () => {
  const { link, open, submit, owner, tokens, stage } = await linkStudy({
    stage: { name: 'Day %n', isRecurring: true, recurringFrequency: 1, recurringDuration: 3 },
  })
  expect((await owner.call('POST', tokens(), {})).status).toBe(400)
  expect((await owner.call('POST', tokens(), { recurrence: 3 })).status).toBe(400)
  const token = await link({ recurrence: 0 })
  expect((await open(token)).body).toMatchObject({ _id: `${stage}::0`, name: 'Day 1', stageRecurrence: 0 })
  expect((await submit(token, { pulse: 60 })).body.stageRecurrence).toBe(0)
  expect((await submit(await link({ recurrence: 2 }), { pulse: 60 })).status).toBe(403)
})

test('each submission by a link to an ad hoc stage is a new response, except a repeated request', async () => {
  const { link, submit, db, anna, owner, trial } = await linkStudy({ stage: { adHoc: true } })
  const token = await link({ recurrence: 0 })
  const once = { 'Idempotency-Key': 'a retry' }
  const first = await submit(token, { pulse: 60 }, once)
  expect(first.body.stageRecurrence).toBe(0)
  expect((await submit(token, { pulse: 60 }, once)).body).toEqual(first.body)
  expect((await submit(token, { pulse: 60 })).body.stageRecurrence).toBe(1)
  // The stored answers for repeated requests are deleted with the participant.
  await owner.do('deleteParticipant', trial, anna, { reason: 'asked to be forgotten' })
  expect(db.$client.query('SELECT count(*) AS n FROM idempotencyKeys').get()).toEqual({ n: 0 })
})

test('a link shows no earlier answers, even if look-back is on', async () => {
  const { link, open, submit, ids } = await linkStudy({ trial: { enableLookback: true }, stage: { adHoc: true } })
  const token = await link()
  await submit(token, { pulse: 60 })
  const { body } = await open(token)
  expect(body.components.find(({ dataType }: { dataType: Id }) => dataType === ids.pulse)).not.toHaveProperty(
    'previousResponses',
  )
})

test.each<[Record<string, unknown>, number]>([
  [{ recurrence: -1 }, 422],
  [{ recurrence: '0' }, 422],
  [{ recurrence: 1 }, 400],
  [{ recurrence: null }, 200],
  [{ expiresInDays: 0 }, 422],
  [{ expiresInDays: 1 }, 200],
  [{ expiresInDays: 365 }, 200],
  [{ expiresInDays: 366 }, 422],
  [{ more: 1 }, 422],
])('creating a link with %p is %p', async (body, status) => {
  const { owner, tokens } = await linkStudy()
  expect((await owner.call('POST', tokens(), body)).status).toBe(status)
})

test('creating a link: 404, 403 and 400', async () => {
  const { owner, tokens, anna, trial, team, staff, neighbours, entries } = await linkStudy()
  const other = (await owner.do('createTrial', team, { name: 'Other' }))._id
  const foreign = (await owner.do('createStage', other, { name: 'Foreign' }))._id
  for (const stage of [foreign, '0123456789abcdef01234567', 'x']) {
    expect((await owner.call('POST', tokens(anna, stage), {})).status).toBe(404)
  }
  expect((await neighbours().owner.call('POST', tokens(), {})).status).toBe(404)
  expect((await staff(trial, ['trial.read']).call('POST', tokens(), {})).status).toBe(403)
  expect(entries('accessRefused')).toHaveLength(1)
  expect((await staff(trial, ['trial.write']).call('POST', tokens(), {})).status).toBe(200)
  await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
  expect((await owner.call('POST', tokens(), {})).status).toBe(400)
  await owner.do('updateParticipant', trial, anna, { isWithdrawn: false, isArchived: true })
  expect((await owner.call('POST', tokens(), {})).status).toBe(400)
})

test('wrong tokens are counted by address', async () => {
  const { nobody, person } = await linkStudy()
  for (let i = 0; i < 60; i++) await nobody.call('GET', `/stage-tokens/guess${i}`)
  const { status, body, headers } = await nobody.call('GET', '/stage-tokens/guess')
  expect([status, body['Allowed limit']]).toEqual([429, '60 per 1 minute'])
  expect(headers.get('retry-after')).toBe('60')
  expect((await person({}, '198.51.100.7').call('GET', '/stage-tokens/guess')).status).toBe(404)
})
