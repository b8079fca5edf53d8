import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { firstOf, present } from '../../present'
import { runs } from '../../proof'
import { study } from '../../study'

describe('an amendment', () => {
  test('changes the fields that were sent, keeps the others, and the history shows every change', async () => {
    const { enter, owner, trial, ids, clock, now, values } = await study()
    const first = (await enter({ pulse: 60, symptom: 'cough', smoker: ['No'] })).body
    const before = now()
    clock(3_600_000_000)
    const second = (await enter({ pulse: 75, symptom: null }, { updateNote: 'typing error' })).body
    expect(second._id).toBe(first._id)
    expect(second.createdAt).toBe(before)
    expect(values(second)).toEqual({ pulse: 75, symptom: null, smoker: ['No'], double: 150 })
    expect(second.response[ids.smoker!].createdAt).toBe(before)
    expect(second.response[ids.pulse!]).toMatchObject({ createdAt: now(), updateNote: 'typing error' })

    const { history } = await owner.do('readResponseHistory', trial, first._id)
    expect(history).toHaveLength(2)
    expect(history[0]).toMatchObject({ createdAt: before, createdBy: owner._id, createdByType: 'user' })
    expect(history[1]).toMatchObject({ createdAt: now(), updateNote: 'typing error' })
    expect(present(history[1]).changes).toHaveLength(3)
    expect(present(history[1]).changes).toContainEqual({ dataType: ids.pulse!, value: 75, replaced: 60 })
    expect(present(history[1]).changes).toContainEqual({ dataType: ids.symptom!, value: null, replaced: 'cough' })
    expect(present(history[1]).changes).toContainEqual({ dataType: ids.double!, value: 150, replaced: 120 })
  })

  test('that changes nothing stores no submission', async () => {
    const { enter, owner, trial } = await study()
    const first = (await enter({ pulse: 60 })).body
    expect((await enter({ pulse: 60 })).body).toEqual(first)
    expect((await owner.do('readResponseHistory', trial, first._id)).history).toHaveLength(1)
  })

  test('needs a note if the study asks for one; a first entry does not', async () => {
    const { enter } = await study({ trial: { signOffNoteRequired: true } })
    expect((await enter({ pulse: 60 })).status).toBe(200)
    expect((await enter({ pulse: 61 })).status).toBe(400)
    expect((await enter({ pulse: 61 }, { updateNote: '  ' })).status).toBe(400)
    expect((await enter({ pulse: 61 }, { updateNote: 'misread' })).status).toBe(200)
  })

  test('that hides a field clears it, and the history keeps its value', async () => {
    const { owner, enter, stage, components, ids, values, trial } = await study()
    const shown = components.map((each) =>
      each.id === 'pain' ? { ...each, condition: { dataType: ids.smoker, operator: 'equal', value: 'Yes' } } : each,
    )
    await owner.do('updateStage', stage, { components: shown })
    const { body } = await enter({ smoker: ['Yes'], pain: 40 })
    expect(values((await enter({ smoker: ['No'] })).body)).toMatchObject({ smoker: ['No'], pain: null })
    const { history } = await owner.do('readResponseHistory', trial, body._id)
    expect(present(history[1]).changes).toContainEqual({ dataType: ids.pain!, value: null, replaced: 40 })
  })

  test('leaves the response that all submissions together give, for any submissions (property)', async () => {
    const { enter, values, owner, trial, anna } = await study()
    const answer = fc.record(
      {
        pulse: fc.option(fc.integer({ min: 30, max: 220 })),
        symptom: fc.option(fc.constantFrom('cough', 'pain', 'none')),
        smoker: fc.option(fc.constantFrom(['Yes'], ['No'])),
        glucose: fc.option(fc.integer({ min: 0, max: 300 }).map((tenths) => tenths / 10)),
      },
      { requiredKeys: [] },
    )
    const lastAnswers: Record<string, unknown> = {}
    await fc.assert(
      fc.asyncProperty(answer, async (answers) => {
        const { status, body } = await enter(answers)
        expect(status).toBe(200)
        Object.assign(lastAnswers, answers)
        const expected = {
          ...lastAnswers,
          double: lastAnswers.pulse == null ? null : (lastAnswers.pulse as number) * 2,
        }
        const real = (all: Record<string, unknown>) =>
          Object.fromEntries(Object.entries(all).filter(([, value]) => value != null))
        expect(real(values(body))).toEqual(real(expected))
      }),
      { numRuns: runs(40) },
    )
    const response = firstOf((await owner.do('readParticipantResponses', trial, anna)).responses)
    const { history } = await owner.do('readResponseHistory', trial, response._id)
    const rebuilt: Record<string, unknown> = {}
    for (const { changes } of history) {
      for (const { dataType, value, replaced } of changes) {
        expect<unknown>(rebuilt[dataType] ?? null).toEqual(replaced)
        rebuilt[dataType] = value
      }
    }
    for (const [dataType, { value }] of Object.entries(response.response as Record<string, { value: unknown }>)) {
      expect(rebuilt[dataType] ?? null).toEqual(value as string)
    }
  })
})

describe('occurrences', () => {
  test('of a recurring stage have separate responses, and the path must name one', async () => {
    const { owner, url, anna, stage, sent } = await study({
      stage: { isRecurring: true, recurringFrequency: 7, recurringDuration: 21, name: 'Week %n' },
    })
    const put = (at: string, pulse: number) => owner.call('PUT', url(anna, at), { response: sent({ pulse }) })
    expect((await put(`${stage}::0`, 60)).body.stageRecurrence).toBe(0)
    expect((await put(`${stage}::2`, 62)).body.stageRecurrence).toBe(2)
    expect((await put(`${stage}::3`, 63)).status).toBe(404)
    expect((await put(stage, 64)).status).toBe(400)
    expect((await put(`${stage}::x`, 64)).status).toBe(404)
  })

  test('of an ad hoc stage are as many as its submissions', async () => {
    const { owner, url, anna, stage, sent } = await study({ stage: { adHoc: true } })
    const put = (at: string, pulse: number) => owner.call('PUT', url(anna, at), { response: sent({ pulse }) })
    expect((await put(stage, 60)).body.stageRecurrence).toBe(0)
    expect((await put(stage, 61)).body.stageRecurrence).toBe(1)
    expect((await put(`${stage}::0`, 65)).body.stageRecurrence).toBe(0)
    expect((await put(`${stage}::7`, 65)).status).toBe(404)
  })
})

describe('drafts', () => {
  test('belong to their author, keep any input, and are deleted by the submission', async () => {
    const { owner, url, sent, staff, trial, anna, stage } = await study({ stage: { required: ['symptom'] } })
    const nurse = staff(trial, ['trial.write'])
    const draft = await owner.put(`${url()}?draft=true`, { response: sent({ pulse: 999 }) })
    expect(draft).toMatchObject({ stage, stageRecurrence: 0, response: sent({ pulse: 999 }) })
    expect((await owner.call('PUT', `${url()}?draft=true`, { response: sent({ pulse: 'x' }) })).status).toBe(422)
    const reading = (by: typeof nurse) => by.do('readParticipantResponses', trial, anna)
    expect((await reading(nurse)).drafts).toEqual([])
    expect((await reading(owner)).drafts).toHaveLength(1)
    expect((await reading(owner)).responses).toEqual([])
    await owner.put<'enterResponse'>(url(), { response: sent({ symptom: 'cough' }) })
    expect((await reading(owner)).drafts).toEqual([])
  })

  test.each([1, 19, 20, 30])(
    'are deleted by the submissions of the same moment, if %i participants have one',
    async (most) => {
      const { owner, trial, stage, sent, db } = await study()
      const { participants } = await owner.do('registerParticipants', trial, {
        participants: Array.from({ length: most + 1 }, (_, n) => ({ participantId: `D-${n}` })),
      })
      const [first, ...others] = participants.map(
        ({ _id }) => `/trials/${trial}/participants/${_id}/responses/${stage}`,
      )
      const save = (at: string) => owner.call('PUT', `${at}?draft=true`, { response: sent({ pulse: 60 }) })
      const submit = (at: string) => owner.call('PUT', at, { response: sent({ pulse: 60 }) })
      await Promise.all(others.map(save))
      const left = () => db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM drafts').get()!.n
      expect(left()).toBe(most)
      // The last draft is saved when a submission of the same transaction has looked for drafts already.
      const answers = await Promise.all([...others.map(submit), save(first!), submit(first!)])
      expect(answers.map(({ status }) => status)).toEqual(Array(most + 2).fill(200))
      expect(left()).toBe(0)
    },
  )

  test('are discarded by their author only', async () => {
    const { owner, url, sent, staff, trial, anna, stage } = await study()
    const nurse = staff(trial, ['trial.write'])
    await owner.put(`${url()}?draft=true`, { response: sent({ pulse: 60 }) })
    const at = `/trials/${trial}/participants/${anna}/draftResponses/${stage}` as const
    expect((await nurse.call('DELETE', at)).status).toBe(404)
    expect(await owner.do('discardDraft', trial, anna, stage)).toEqual({})
    expect((await owner.call('DELETE', at)).status).toBe(404)
  })
})
