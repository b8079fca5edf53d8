/** What a submission sends under keys that are no field of its form is told, and kept. */
import { describe, expect, test } from 'bun:test'
import { verifyResponses } from '#conduct/responses/verify'
import { form } from '../../form'
import { study } from '../../study'

const fields = [
  { code: 'pulse', format: 'integer' },
  { code: 'hiv', format: 'text', isRestricted: true },
]

type Form = Awaited<ReturnType<typeof form>>

/** Takes a field out of the form, as staff do while somebody fills it in. */
const removeField = ({ owner, stage, components }: Form, code: string) =>
  owner.do('updateStage', stage, { components: components.filter(({ id }) => id !== code) })

const historyOf = async ({ owner, trial }: Form, response: string, by: Pick<Form['owner'], 'get'> = owner) =>
  (await by.get<'readResponseHistory'>(`/trials/${trial}/responses/${response}/history`)).events.filter(
    ({ type }) => type === 'ignored',
  )

const entryOf = async ({ owner, trial }: Form, userType: 'user' | 'participant') =>
  (await owner.do('readLogs', trial, { type: 'submitResponse', userType })).entries[0]!.event

describe('a body with `response` around the answers', () => {
  const problem = 'The body is keyed by data type `_id`, without `response` around it.'

  test.each(['account', 'link'])('is refused for a participant (%s), and nothing is stored', async (by) => {
    const s = await study()
    const { token } = await s.owner.do('createStageToken', s.trial, s.anna, s.stage)
    const me = await s.signIn()
    const send = (body: object) =>
      by === 'link'
        ? s.nobody.call('POST', `/stage-tokens/${token}/responses`, body)
        : me.call('POST', `/participants/trials/${s.trial}/stages/${s.stage}/responses`, body)
    const bodies = [{ response: s.sent({ pulse: 60 }) }, { response: {}, updateNote: 'x' }, { response: { value: 6 } }]
    for (const body of bodies) {
      const answer = await send(body)
      expect([answer.status, answer.body.validations]).toEqual([422, { json: { response: [problem] } }])
    }
    const plain = await send({ [s.ids.pulse!]: 60 })
    expect(plain.body.details.fields).toEqual({
      [s.ids.pulse!]: 'Must be an object with a value, such as the number 6 under "value".',
    })
    expect((await s.owner.do('readParticipantResponses', s.trial, s.anna)).responses).toEqual([])
  })

  test('is what staff send: without it they are told the form', async () => {
    const { owner, url, sent } = await study()
    const { status, body } = await owner.call('PUT', url(), sent({ pulse: 60 }))
    expect(status).toBe(422)
    expect(body.validations.json.response).toEqual([
      'Missing data for required field: the answers, as "response" with an object keyed by data type `_id`.',
    ])
  })
})

describe('a key that is no field of the form', () => {
  test('is named to staff and in the audit entry, with a hint if it is a code', async () => {
    const s = await form(fields)
    const { owner, staffUrl, ids } = s
    const other = await owner.do('createDataType', s.trial, { name: 'Weight', code: 'weight', format: 'float' })
    const response = {
      [ids.pulse!]: { value: 60 },
      PULSE: { value: 61 },
      weight: { value: 80 },
      [other._id]: { value: 81 },
      nonsense: { value: null },
    }
    const answer = await owner.put<'enterResponse'>(staffUrl, { response })
    expect(answer.ignored).toEqual(['PULSE', 'weight', other._id, 'nonsense'])
    expect(answer.ignoredHints).toEqual({
      PULSE: `This is the code of a data type. Answers are keyed by the _id of the data type: ${ids.pulse}.`,
      weight: `This is the code of a data type, which is no field of this form. Answers are keyed by the _id of the data type: ${other._id}.`,
      [other._id]: '“Weight” is no field of this form.',
    })
    expect(Object.keys(answer.response)).toEqual([ids.pulse!])
    expect((await entryOf(s, 'user')).ignored).toEqual(answer.ignored)
    // A blank says nothing that could be lost.
    expect(await historyOf(s, answer._id)).toMatchObject([
      {
        submission: 1,
        createdByType: 'user',
        ignored: [
          { key: 'PULSE', dataType: ids.pulse, value: 61 },
          { key: 'weight', dataType: other._id, value: 80 },
          { key: other._id, dataType: other._id, value: 81 },
        ],
      },
    ])
    expect(
      await owner.put<'enterResponse'>(staffUrl, { response: { [ids.pulse!]: { value: 62 } } }),
    ).not.toHaveProperty('ignored')
  })

  test('is named to a participant, who learns nothing about data types that are not in the form', async () => {
    const s = await form([{ code: 'pulse', format: 'integer' }])
    const other = await s.owner.do('createDataType', s.trial, { name: 'Arm', code: 'arm', format: 'text' })
    const sent = { pulse: { value: 60 }, arm: { value: 'A' }, [other._id]: { value: 'A' } }
    const answer = await s.me.do('submitResponse', s.trial, s.stage, sent)
    expect(answer.ignored).toEqual(['pulse', 'arm', other._id])
    expect(Object.keys(answer.ignoredHints ?? {})).toEqual(['pulse'])
    expect((await entryOf(s, 'participant')).ignored).toEqual(answer.ignored)
  })

  test('keeps what was answered if the form was edited while somebody filled it in', async () => {
    const s = await form(fields)
    await removeField(s, 'hiv')
    const answer = await s.me.do('submitResponse', s.trial, s.stage, s.sent({ pulse: 60, hiv: 'positive' }))
    expect(answer.ignored).toEqual([s.ids.hiv!])
    const [event] = await historyOf(s, answer._id)
    expect(event).toMatchObject({
      createdBy: s.mine,
      createdByType: 'participant',
      ignored: [{ key: s.ids.hiv, dataType: s.ids.hiv, value: 'positive' }],
    })
    expect(verifyResponses(s.db.$client)).toBe('1 responses follow from 1 submissions')
  })

  test('is shown only to those who may read its data type, and of no data type to those who may read all', async () => {
    const s = await form(fields)
    await removeField(s, 'hiv')
    const answer = await s.me.do('submitResponse', s.trial, s.stage, {
      ...s.sent({ hiv: 'positive' }),
      other: { value: 'x' },
    })
    const nurse = s.staff(s.trial, ['trial.read'])
    const restricted = s.staff(s.trial, ['trial.read', 'trial.readParticipantStudyDataRestricted'])
    expect(await historyOf(s, answer._id, nurse)).toEqual([])
    expect((await historyOf(s, answer._id, restricted))[0]!.ignored!.map(({ key }) => key)).toEqual([s.ids.hiv!])
    expect((await historyOf(s, answer._id))[0]!.ignored).toHaveLength(2)
  })

  test('shows in the log by its key alone: no hash of it, nor whether the same was kept before', async () => {
    const s = await form(fields)
    const first = await s.owner.put<'enterResponse'>(s.staffUrl, { response: s.sent({ pulse: 60 }) })
    await removeField(s, 'hiv')
    const nurse = s.staff(s.trial, ['trial.write', 'trial.readLogs'])
    for (const hiv of ['positive', 'positive', 'negative'])
      await nurse.put<'enterResponse'>(s.staffUrl, { response: s.sent({ hiv }) })
    const { entries } = await nurse.do('readLogs', s.trial, { type: 'submitResponse', userType: 'user' })
    const shown = entries.slice(0, 3).map(({ event }) => Object.keys(event).sort().join())
    expect(new Set(shown)).toEqual(
      new Set(['ignored,participantId,response,stage,stageId,stageRecurrence,trialId,unchanged']),
    )
    expect(await historyOf(s, first._id)).toHaveLength(2)
  })

  test('is kept although nothing else changes, and once if the same is sent again', async () => {
    const s = await form(fields)
    await removeField(s, 'hiv')
    const first = await s.me.do('submitResponse', s.trial, s.stage, s.sent({ pulse: 60 }))
    for (const hiv of ['negative', 'negative', 'positive'])
      await s.me.do('submitResponse', s.trial, s.stage, s.sent({ pulse: 60, hiv }))
    const events = await historyOf(s, first._id)
    expect(events.map(({ ignored }) => ignored![0]!.value)).toEqual(['negative', 'positive'])
    expect(verifyResponses(s.db.$client)).toBe('1 responses follow from 1 submissions')
    for (const { name } of s.db.$client
      .query<{ name: string }, []>(
        `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'responseEvents'`,
      )
      .all())
      s.db.$client.run(`DROP TRIGGER ${name}`)
    s.db.$client.run(`UPDATE responseEvents SET content = replace(content, 'negative', 'unknown')`)
    expect(() => verifyResponses(s.db.$client)).toThrow('is not what')
  })

  test('stays in a draft', async () => {
    const s = await form(fields)
    const draft = `${s.staffUrl}?draft=true` as const
    await removeField(s, 'hiv')
    const { body } = await s.owner.call('PUT', draft, { response: s.sent({ pulse: 60, hiv: 'positive' }) })
    expect(body.ignored).toEqual([s.ids.hiv!])
    expect(body.response[s.ids.hiv!]).toEqual({ value: 'positive' })
    expect(body.ignoredHints[s.ids.hiv!]).toContain('is no field of this form')
    const wrong = await s.owner.call('PUT', draft, { response: s.sent({ pulse: 'sixty' }) })
    expect([wrong.status, Object.keys(wrong.body.details.fields)]).toEqual([422, [s.ids.pulse!]])
  })

  test('does not make the audit entry large', async () => {
    const s = await form(fields)
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n} ${'x'.repeat(300)}`, { value: 1 }]))
    const answer = await s.me.do('submitResponse', s.trial, s.stage, many)
    expect(answer.ignored).toHaveLength(300)
    const ignored = (await entryOf(s, 'participant')).ignored as string[]
    expect([ignored.length, ignored[0]!.length]).toEqual([100, 100])
    expect((await historyOf(s, answer._id))[0]!.ignored).toHaveLength(300)
    await s.me.do('submitResponse', s.trial, s.stage, { [`${'x'.repeat(99)}😀`]: { value: 1 } })
    expect((await entryOf(s, 'participant')).ignored).toEqual(['x'.repeat(99)])
  })
})
