/** Rules for submissions of staff and participants: files, repeats, occurrences, and who may still submit. */
import { describe, expect, test } from 'bun:test'
import { form } from '../../form'
import { present } from '../../present'

const pulse = { code: 'pulse', format: 'integer' }

describe('a file', () => {
  test('must be finished, the participant’s own, and of the right kind, whether staff or participants submit', async () => {
    const { owner, me, mine, trial, stage, ownUrl, fetch, ids, sent } = await form([
      { code: 'letter', format: 'file' },
      { code: 'photo', format: 'image' },
      { code: 'film', format: 'video' },
    ])
    const staffUrl = `/trials/${trial}/participants/${mine}/responses/${stage}`
    const other = present((await owner.do('listParticipants', trial)).participants.find(({ _id }) => _id !== mine))._id
    type UploadQuery = Record<string, string>
    const upload = async (
      by: typeof owner | typeof me,
      uploadQuery: UploadQuery,
      type = 'application/pdf',
      isFinished = true,
    ) => {
      const question = new URLSearchParams({ name: 'a.pdf', size: '3', type, forType: 'participant', ...uploadQuery })
      const { signedRequestURL, fileName } = await by.get<'requestFileUpload'>(`/uploads/file/request?${question}`)
      const headers = { 'Content-Type': type, 'Content-Length': '3' }
      if (isFinished) await fetch(signedRequestURL, { method: 'PUT', body: 'abc', headers })
      return { fileName, name: 'a.pdf' }
    }
    const statuses = async (code: string, value: unknown) => {
      const answers = sent({ [code]: value })
      const all = [await owner.call('PUT', staffUrl, { response: answers }), await me.call('POST', ownUrl, answers)]
      for (const { status, body } of all) {
        if (status === 200) expect(body.response[ids[code]!].value).toEqual(value)
        else expect(Object.keys(body.details.fields)).toEqual([ids[code]!])
      }
      return all.map(({ status }) => status)
    }
    const own = await upload(me, {})
    expect(await statuses('letter', own)).toEqual([200, 200])
    expect(await statuses('letter', await upload(owner, { forId: mine }))).toEqual([200, 200])
    expect(await statuses('letter', await upload(me, {}, 'application/pdf', false))).toEqual([400, 400])
    expect(await statuses('letter', await upload(owner, { forId: other }))).toEqual([400, 400])
    expect(await statuses('letter', await upload(owner, { forType: 'trial', forId: trial }))).toEqual([400, 400])
    expect(await statuses('photo', own)).toEqual([400, 400])
    expect(await statuses('film', await upload(me, {}, 'image/png'))).toEqual([400, 400])
    expect(await statuses('photo', await upload(me, {}, 'image/png'))).toEqual([200, 200])
  })
})

describe('a repeated submission with its Idempotency-Key', () => {
  test('is stored once, also if both are simultaneous, and once for each account', async () => {
    const { owner, me, mine, trial, stage, ownUrl, sent } = await form([pulse], { adHoc: true })
    const staffUrl = `/trials/${trial}/participants/${mine}/responses/${stage}`
    const options = { headers: { 'Idempotency-Key': 'one' } }
    const staff = (value: number) => owner.call('PUT', staffUrl, { response: sent({ pulse: value }) }, options)
    const own = (value: number) => me.call('POST', ownUrl, sent({ pulse: value }), options)
    const answers = await Promise.all([staff(60), staff(60), own(70), own(70), staff(61), own(71)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 400])
    expect(answers[1]!.body).toEqual(answers[0]!.body)
    expect(answers[3]!.body).toEqual(answers[2]!.body)
    const { responses } = await owner.do('readParticipantResponses', trial, mine)
    expect(responses).toHaveLength(2)
  })
})

describe('an ad hoc stage', () => {
  test('has a new response for each submission, and `::n` amends the n-th, for staff and participants', async () => {
    const { owner, me, mine, trial, stage, ownUrl, sent, ids } = await form([pulse], { adHoc: true })
    const staff = (value: number, n = '') =>
      owner.call('PUT', `/trials/${trial}/participants/${mine}/responses/${stage}${n}`, {
        response: sent({ pulse: value }),
      })
    const own = (value: number, n = '') => me.call('POST', ownUrl.replace(stage, stage + n), sent({ pulse: value }))
    expect([(await staff(60)).body.stageRecurrence, (await own(61)).body.stageRecurrence]).toEqual([0, 1])
    expect([(await staff(70, '::1')).body.stageRecurrence, (await own(71, '::0')).body.stageRecurrence]).toEqual([1, 0])
    for (const { status } of [await staff(1, '::2'), await own(1, '::2'), await own(1, '::-1'), await own(1, '::00')])
      expect(status).toBe(404)
    const { responses } = await owner.do('readParticipantResponses', trial, mine)
    expect(responses.map((each) => each.response[ids.pulse!]!.value)).toEqual([71, 70])
  })
})

describe('submitting', () => {
  test('for a withdrawn participant is for staff only, for an archived one refused, and earlier links are refused', async () => {
    const { owner, me, mine, nobody, trial, stage, ownUrl, sent } = await form([pulse])
    const participant = `/trials/${trial}/participants/${mine}` as const
    const { token } = await owner.do('createStageToken', trial, mine, stage)
    const answers = sent({ pulse: 60 })
    const statuses = async () => [
      (await owner.call('PUT', `${participant}/responses/${stage}`, { response: answers })).status,
      (await me.call('POST', ownUrl, answers)).status,
      (await nobody.call('POST', `/stage-tokens/${token}/responses`, answers)).status,
    ]
    expect(await statuses()).toEqual([200, 200, 200])
    await owner.do('updateParticipant', trial, mine, { isWithdrawn: true })
    expect(await statuses()).toEqual([200, 403, 403])
    await owner.do('updateParticipant', trial, mine, { isWithdrawn: false, isArchived: true })
    expect(await statuses()).toEqual([400, 401, 404])
  })

  test('to a stage of another trial is refused', async () => {
    const { owner, me, mine, team, trial, stage, ownUrl } = await form([pulse])
    const other = await owner.do('createTrial', team, { name: 'Elsewhere' })
    const { _id } = await owner.do('createStage', other._id, { name: 'Visit' })
    const staffUrl = `/trials/${trial}/participants/${mine}/responses/${_id}`
    expect((await owner.call('PUT', staffUrl, { response: {} })).status).toBe(404)
    expect((await owner.call('PUT', `${staffUrl}?draft=true`, { response: {} })).status).toBe(404)
    expect((await me.call('POST', ownUrl.replace(stage, _id), {})).status).toBe(404)
  })
})

describe('a submission that leaves required fields blank', () => {
  const required = (allows: boolean) =>
    form([pulse, { code: 'why', format: 'text' }], { allowIncompleteSubmission: allows })
  test.each([
    // Whether the stage allows incomplete submission, the answers, and the result: refused, or whether it is partial.
    [false, { pulse: 60 }, false],
    [false, { why: 'x' }, 400],
    [false, { pulse: null, why: 'x' }, 400],
    [true, { pulse: 60 }, false],
    [true, { why: 'x' }, true],
    [true, {}, true],
  ])('allowed: %p, %j: %p', async (allows, answers, expected) => {
    const { owner, stage, components, both } = await required(allows)
    await owner.do('updateStage', stage, {
      components: components.map((each) => ({ ...each, isRequired: each.id === 'pulse' })),
    })
    for (const { status, body } of await both(answers)) {
      expect(status === 200 ? body.partialSubmission : status).toBe(expected)
    }
  })
})
