import { describe, expect, test } from 'bun:test'
import { sharedInFile } from '../../harness'
import { firstOf } from '../../present'
import { goodAnswers, study } from '../../study'

describe('a submission by staff', () => {
  test('is stored with author, time and client, and the response shows it exactly', async () => {
    const { enter, owner, trial, stage, anna, ids, now } = await study()
    const { status, body } = await enter({ pulse: 72, smoker: ['No'] }, { updateNote: 'from paper' })
    expect(status).toBe(200)
    const meta = {
      createdAt: now(),
      createdBy: owner._id,
      createdByType: 'user',
      updateNote: 'from paper',
      client: { address: '192.0.2.1', device: null },
    }
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      trial,
      stage,
      stageRecurrence: 0,
      participant: anna,
      participantId: 'P-1',
      createdAt: now(),
      updatedAt: now(),
      status: null,
      partialSubmission: false,
      response: {
        [ids.pulse!]: { value: 72, ...meta },
        [ids.smoker!]: { value: ['No'], ...meta },
        [ids.double!]: { value: 144, ...meta },
      },
    })
  })

  test('stores every format as it was sent', async () => {
    const { enter, values, owner, trial } = await study()
    const { body } = await enter(goodAnswers)
    const { responses } = await owner.do('readResponse', trial, body._id)
    expect(values(firstOf(responses))).toEqual({ ...goodAnswers, double: 144 })
  })

  test('stores both the time an answer was given and the time it was recorded', async () => {
    const { owner, url, ids, now } = await study()
    const givenAt = '2026-02-28T08:00:00.123456Z'
    const { response } = await owner.put<'enterResponse'>(url(), {
      response: { [ids.pulse!]: { value: 60, createdAt: givenAt } },
    })
    expect(response[ids.pulse!]).toMatchObject({ createdAt: now(), enteredAt: givenAt })
    expect(response[ids.double!]).not.toHaveProperty('enteredAt')
  })

  test('ignores keys that are not fields of the stage', async () => {
    const { enter, values } = await study()
    const { body } = await enter({ pulse: 60, ['0'.repeat(24)]: 3, other: 4 })
    expect(values(body)).toEqual({ pulse: 60, double: 120 })
  })

  test('can be read, changed and sent back', async () => {
    const { enter, owner, url, ids, trial, values } = await study()
    const { body } = await enter(goodAnswers)
    body.response[ids.pulse!].value = 80
    body.response[ids.double!] = undefined
    // Another operation sets the status: to send it here would be without effect.
    const { status: _, ...content } = body
    const refused = await owner.call('PUT', url(), { ...body, status: 'unsuccessful' })
    expect(refused.status).toBe(422)
    expect(refused.body.details.fields.status).toContain('PUT /trials/:trialId/responses/:responseId/status')
    await owner.put<'enterResponse'>(url(), content) // with its read-only fields
    const { responses } = await owner.do('readResponse', trial, body._id)
    expect(values(firstOf(responses))).toEqual({ ...goodAnswers, pulse: 80, double: 160 })
  })

  test('is stored once, however often it is repeated with its Idempotency-Key', async () => {
    const { owner, url, sent, trial, anna, stage } = await study({ stage: { adHoc: true } })
    const send = (pulse: number, key: string) =>
      owner.call('PUT', url(), { response: sent({ pulse }) }, { headers: { 'Idempotency-Key': key } })
    const first = await send(60, 'visit-1')
    expect((await send(60, 'visit-1')).body).toEqual(first.body)
    expect((await send(61, 'visit-1')).status).toBe(400)
    expect((await send(60, 'visit-2')).body.stageRecurrence).toBe(1)
    const { responses } = await owner.do('readParticipantResponses', trial, anna)
    expect(responses.map((each) => [each.stage, each.stageRecurrence])).toEqual([
      [stage, 0],
      [stage, 1],
    ])
  })
})

describe('an invalid submission is refused, and nothing of it is stored', () => {
  const shared = sharedInFile(() => study())

  test.each([
    ['symptom', 'x'],
    ['symptom', 'x'.repeat(21)],
    ['pulse', 29],
    ['pulse', 221],
    ['pulse', 70.5],
    ['glucose', 5.45],
    ['pain', 36],
    ['sleep', 6],
    ['girth', 9],
    ['visitday', '2026-03-04T00:00:00.000000Z'],
    ['smoker', ['Perhaps']],
    ['smoker', ['Yes', 'No']],
    ['effects', ['Nausea', 'Rash', 'Fever']],
    ['effects', ['Nausea', 'None']],
    ['mood', { q1: 7 }],
    ['mood', { q9: 1 }],
    ['drugs', [{ name: 'a', dose: 0 }]],
    ['drugs', [{ dose: 1 }, { dose: 1 }, { dose: 1 }]],
    ['body', { height: 180, weight: 81, bmi: 31 }],
    ['double', 5],
    ['letter', { fileName: 'nothing.pdf', name: 'nothing.pdf' }],
  ])('400: %s = %j', async (code, value) => {
    const { enter, owner, trial, anna, ids } = await shared()
    const { status, body } = await enter({ pulse: 60, [code]: value })
    expect(status).toBe(400)
    expect(Object.keys(body.details.fields)).toEqual([ids[code]!])
    expect((await owner.do('readParticipantResponses', trial, anna)).responses).toEqual([])
  })

  test.each([
    ['symptom', 7],
    ['pulse', '72'],
    ['pulse', [72]],
    ['visitday', '2026-03-01'],
    ['takenat', 'yesterday'],
    ['wokeat', '25:00'],
    ['smoker', 'No'],
    ['mood', [1, 2]],
    ['drugs', { name: 'a' }],
    ['body', 25],
    ['photo', 'me.jpg'],
  ])('422: %s = %j', async (code, value) => {
    const { enter } = await shared()
    const { status, body } = await enter({ [code]: value })
    expect(status).toBe(422)
    expect(body.validations.json.response).toHaveLength(1)
  })

  test('a required field left blank', async () => {
    const { enter, ids } = await study({ stage: { required: ['pulse', 'mood'] } })
    expect((await enter({ symptom: 'cough' })).body.details.fields).toHaveProperty(ids.pulse!)
    expect((await enter({ pulse: 60, mood: { q1: 1 } })).status).toBe(400)
    expect((await enter({ pulse: 60, mood: { q1: 1, q2: null } })).body.partialSubmission).toBe(false)
  })

  test('unless the stage allows incomplete submission', async () => {
    const { enter } = await study({ stage: { required: ['pulse'], allowIncompleteSubmission: true } })
    expect((await enter({ symptom: 'cough' })).body.partialSubmission).toBe(true)
    expect((await enter({ pulse: 60 })).body.partialSubmission).toBe(false)
  })

  test.each([[{}], [{ response: [] }], [{ response: { a: 1 } }], [{ response: {}, score: 1, unknown: 2 }]])(
    'a body like %j',
    async (body) => {
      const { owner, url } = await shared()
      expect((await owner.call('PUT', url(), body)).status).toBe(422)
    },
  )
})
