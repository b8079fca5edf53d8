import { describe, expect, test } from 'bun:test'
import { HOUR } from '#kernel/time'
import { form } from '../../form'
import { present } from '../../present'

describe('the time an answer was given', () => {
  const pulse = [
    { code: 'pulse', format: 'integer' },
    { code: 'double', format: 'calculation', expression: 'pulse * 2' },
  ]
  test('is not taken from the previous answer when a response is sent back as it was read', async () => {
    const { owner, me, staffUrl, ownUrl, sent, ids, clock, stage, trial } = await form(pulse)
    const first = await owner.put<'enterResponse'>(staffUrl, { response: sent({ pulse: 60 }) })
    const own = await me.do('submitResponse', trial, stage, sent({ pulse: 60 }))
    clock(HOUR)
    for (const { response } of [first, own]) present(response[ids.pulse!]).value = 70
    const givenAt = '2026-03-02T12:30:00.000000Z'
    const after = [
      await owner.put<'enterResponse'>(staffUrl, { response: first.response }),
      await me.do('submitResponse', trial, stage, own.response),
    ]
    for (const { response } of after) {
      expect(response[ids.pulse!]).not.toHaveProperty('enteredAt')
      expect(response[ids.double!]).not.toHaveProperty('enteredAt')
    }
    for (const createdAt of ['2026-03-02', '2026-02-30T00:00:00Z', 5]) {
      const bad = { [ids.pulse!]: { value: 80, createdAt } }
      for (const { status } of [
        await owner.call('PUT', staffUrl, { response: bad }),
        await me.call('POST', ownUrl, bad),
      ])
        expect(status).toBe(422)
    }
    const body = { response: { [ids.pulse!]: { value: 80, createdAt: givenAt } } }
    expect(present((await owner.put<'enterResponse'>(staffUrl, body)).response[ids.pulse!]).enteredAt).toBe(givenAt)
  })

  test('is not in the future, except by a small error of the client’s clock', async () => {
    const { owner, me, staffUrl, ownUrl, ids } = await form(pulse)
    const at = (createdAt: string) => ({ [ids.pulse!]: { value: 80, createdAt } })
    for (const ask of [
      (answers: object) => owner.call('PUT', staffUrl, { response: answers }),
      (answers: object) => me.call('POST', ownUrl, answers),
    ]) {
      const { status, body } = await ask(at('2026-03-03T12:00:00.000001Z'))
      expect([status, Object.keys(body.details.fields)]).toEqual([400, [ids.pulse!]])
      expect(body.message).toContain('the future')
      const ahead = '2026-03-03T12:00:00.000000Z'
      expect((await ask(at(ahead))).body.response[ids.pulse!].enteredAt).toBe(ahead)
    }
  })
})

describe('a draft', () => {
  test.each([
    ['date', '2026-0', 200],
    ['datetime', '2026-03-02T1', 200],
    ['time', '9:', 200],
    ['date', 2026, 422],
    ['time', 930, 422],
    ['integer', '6', 422],
    ['integer', 999, 200],
    ['text', {}, 422],
  ])('of a %s keeps incomplete input of the right type: %j %d', async (format, value, status) => {
    const { owner, staffUrl, sent } = await form([
      { code: 'field', format, ...(format === 'integer' ? { max: 9 } : {}) },
    ])
    const draft = await owner.call('PUT', `${staffUrl}?draft=true`, { response: sent({ field: value }) })
    expect(draft.status).toBe(status)
    if (status === 200) expect(draft.body.response).toEqual(sent({ field: value }))
  })
})

describe('a draft of a new ad hoc entry', () => {
  test('has no occurrence yet, whatever is submitted meanwhile, and is deleted when its author submits', async () => {
    const { owner, me, mine, sent, trial, stage } = await form([{ code: 'pulse', format: 'integer' }], {
      adHoc: true,
    })
    const url = `/trials/${trial}/participants/${mine}` as const
    const save = (pulse: number, at = stage) =>
      owner.call('PUT', `${url}/responses/${at}?draft=true`, { response: sent({ pulse }) })
    const drafts = async () =>
      (await owner.do('readParticipantResponses', trial, mine)).drafts.map(
        (draft: { stageRecurrence: number | null; response: object }) => [draft.stageRecurrence, draft.response],
      )
    expect((await save(60)).body).toMatchObject({ stage, stageRecurrence: null, response: sent({ pulse: 60 }) })
    expect((await save(60, `${stage}::0`)).status).toBe(404)
    expect((await me.do('submitResponse', trial, stage, sent({ pulse: 50 }))).stageRecurrence).toBe(0)
    await save(51, `${stage}::0`)
    expect(await drafts()).toEqual([
      [null, sent({ pulse: 60 })],
      [0, sent({ pulse: 51 })],
    ])
    const entered = await owner.do('enterResponse', trial, mine, stage, { response: sent({ pulse: 60 }) })
    expect(entered.stageRecurrence).toBe(1)
    expect(await drafts()).toEqual([[0, sent({ pulse: 51 })]])
    await save(62)
    await owner.do('discardDraft', trial, mine, stage)
    expect(await drafts()).toEqual([[0, sent({ pulse: 51 })]])
  })
})

describe('refusals have an order:', () => {
  const pulse = { code: 'pulse', format: 'integer', max: 200 }
  test('an unknown stage before a withdrawn participant', async () => {
    const { owner, me, mine, trial, ownUrl, stage, sent } = await form([pulse])
    await owner.do('updateParticipant', trial, mine, { isWithdrawn: true })
    expect((await me.call('POST', ownUrl.replace(stage, '0'.repeat(24)), {})).status).toBe(404)
    expect((await me.call('POST', ownUrl, sent({ pulse: 60 }))).status).toBe(403)
  })

  test('a value of the wrong kind before a missing note', async () => {
    const { owner, trial, staffUrl, sent } = await form([pulse])
    await owner.do('updateTrial', trial, { signOffNoteRequired: true })
    const put = async (value: unknown) =>
      (await owner.call('PUT', staffUrl, { response: sent({ pulse: value }) })).status
    expect([await put(60), await put('x'), await put(61)]).toEqual([200, 422, 400])
  })
})
