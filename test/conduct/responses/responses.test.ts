import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { goodAnswers, study } from '../../study'

describe('a submission by staff', () => {
  test('is stored with who, when and from where, and answered exactly', async () => {
    const { enter, owner, trial, stage, anna, ids, now } = await study()
    const { status, body } = await enter({ pulse: 72, smoker: ['No'] }, { updateNote: 'from paper' })
    expect(status).toBe(200)
    const stamp = {
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
        [ids.pulse!]: { value: 72, ...stamp },
        [ids.smoker!]: { value: ['No'], ...stamp },
        [ids.double!]: { value: 144, ...stamp },
      },
    })
  })

  test('keeps every format as it was sent', async () => {
    const { enter, values, owner, trial } = await study()
    const { body } = await enter(goodAnswers)
    const { responses } = await owner.get(`/trials/${trial}/responses/${body._id}`)
    expect(values(responses[0])).toEqual({ ...goodAnswers, double: 144 })
  })

  test('keeps the time an answer was given apart from the time it was recorded', async () => {
    const { owner, url, ids, now } = await study()
    const givenAt = '2026-02-28T08:00:00.123456Z'
    const { response } = await owner.put(url(), { response: { [ids.pulse!]: { value: 60, createdAt: givenAt } } })
    expect(response[ids.pulse!]).toMatchObject({ createdAt: now(), enteredAt: givenAt })
    expect(response[ids.double!]).not.toHaveProperty('enteredAt')
  })

  test('ignores what is no field of the stage', async () => {
    const { enter, values } = await study()
    const { body } = await enter({ pulse: 60, ['0'.repeat(24)]: 3, other: 4 })
    expect(values(body)).toEqual({ pulse: 60, double: 120 })
  })

  test('may be read, changed and written back', async () => {
    const { enter, owner, url, ids, trial, values } = await study()
    const { body } = await enter(goodAnswers)
    body.response[ids.pulse!].value = 80
    body.response[ids.double!] = undefined
    await owner.put(url(), body) // with all that is read-only
    const { responses } = await owner.get(`/trials/${trial}/responses/${body._id}`)
    expect(values(responses[0])).toEqual({ ...goodAnswers, pulse: 80, double: 160 })
  })

  test('is made once, however often it is repeated with its Idempotency-Key', async () => {
    const { owner, url, sent, trial, anna, stage } = await study({ stage: { adHoc: true } })
    const send = (pulse: number, key: string) =>
      owner.call('PUT', url(), { response: sent({ pulse }) }, { headers: { 'Idempotency-Key': key } })
    const first = await send(60, 'visit-1')
    expect((await send(60, 'visit-1')).body).toEqual(first.body)
    expect((await send(61, 'visit-1')).status).toBe(400)
    expect((await send(60, 'visit-2')).body.stageRecurrence).toBe(1)
    const { responses } = await owner.get(`/trials/${trial}/participants/${anna}/responses`)
    expect(
      responses.map((each: { stage: string; stageRecurrence: number }) => [each.stage, each.stageRecurrence]),
    ).toEqual([
      [stage, 0],
      [stage, 1],
    ])
  })
})

describe('what does not fit is refused, and nothing of it is kept', () => {
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
    const { enter, owner, trial, anna, ids } = await study()
    const { status, body } = await enter({ pulse: 60, [code]: value })
    expect(status).toBe(400)
    expect(Object.keys(body.details.fields)).toEqual([ids[code]!])
    expect((await owner.get(`/trials/${trial}/participants/${anna}/responses`)).responses).toEqual([])
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
    const { enter } = await study()
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
      const { owner, url } = await study()
      expect((await owner.call('PUT', url(), body)).status).toBe(422)
    },
  )
})

describe('an amendment', () => {
  test('changes what was sent, keeps the rest, and the history tells all of it', async () => {
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

    const { history } = await owner.get(`/trials/${trial}/responses/${first._id}/history`)
    expect(history).toHaveLength(2)
    expect(history[0]).toMatchObject({ createdAt: before, createdBy: owner._id, createdByType: 'user' })
    expect(history[1]).toMatchObject({ createdAt: now(), updateNote: 'typing error' })
    expect(history[1].changes).toHaveLength(3)
    expect(history[1].changes).toContainEqual({ dataType: ids.pulse!, value: 75, replaced: 60 })
    expect(history[1].changes).toContainEqual({ dataType: ids.symptom!, value: null, replaced: 'cough' })
    expect(history[1].changes).toContainEqual({ dataType: ids.double!, value: 150, replaced: 120 })
  })

  test('that changes nothing leaves no submission behind', async () => {
    const { enter, owner, trial } = await study()
    const first = (await enter({ pulse: 60 })).body
    expect((await enter({ pulse: 60 })).body).toEqual(first)
    expect((await owner.get(`/trials/${trial}/responses/${first._id}/history`)).history).toHaveLength(1)
  })

  test('needs a note where the study asks for one; a first entry does not', async () => {
    const { enter } = await study({ trial: { signOffNoteRequired: true } })
    expect((await enter({ pulse: 60 })).status).toBe(200)
    expect((await enter({ pulse: 61 })).status).toBe(400)
    expect((await enter({ pulse: 61 }, { updateNote: '  ' })).status).toBe(400)
    expect((await enter({ pulse: 61 }, { updateNote: 'misread' })).status).toBe(200)
  })

  test('of a field that is hidden then clears it, and the history keeps what it was', async () => {
    const { owner, enter, stage, components, ids, values, trial } = await study()
    const shown = components.map((each) =>
      each.id === 'pain' ? { ...each, condition: { dataType: ids.smoker, operator: 'equal', value: 'Yes' } } : each,
    )
    await owner.put(`/stages/${stage}`, { components: shown })
    const { body } = await enter({ smoker: ['Yes'], pain: 40 })
    expect(values((await enter({ smoker: ['No'] })).body)).toMatchObject({ smoker: ['No'], pain: null })
    const { history } = await owner.get(`/trials/${trial}/responses/${body._id}/history`)
    expect(history[1].changes).toContainEqual({ dataType: ids.pain!, value: null, replaced: 40 })
  })

  test('is what all submissions together say, whatever they are (property)', async () => {
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
      { numRuns: 40 },
    )
    const [response] = (await owner.get(`/trials/${trial}/participants/${anna}/responses`)).responses
    const { history } = await owner.get(`/trials/${trial}/responses/${response._id}/history`)
    const rebuilt: Record<string, unknown> = {}
    for (const { changes } of history) {
      for (const { dataType, value, replaced } of changes) {
        expect(rebuilt[dataType] ?? null).toEqual(replaced)
        rebuilt[dataType] = value
      }
    }
    for (const [dataType, { value }] of Object.entries(response.response as Record<string, { value: unknown }>)) {
      expect(rebuilt[dataType] ?? null).toEqual(value as string)
    }
  })
})

describe('occurrences', () => {
  test('of a recurring stage are separate, and must be named', async () => {
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

  test('of an ad hoc stage are as many as were submitted', async () => {
    const { owner, url, anna, stage, sent } = await study({ stage: { adHoc: true } })
    const put = (at: string, pulse: number) => owner.call('PUT', url(anna, at), { response: sent({ pulse }) })
    expect((await put(stage, 60)).body.stageRecurrence).toBe(0)
    expect((await put(stage, 61)).body.stageRecurrence).toBe(1)
    expect((await put(`${stage}::0`, 65)).body.stageRecurrence).toBe(0)
    expect((await put(`${stage}::7`, 65)).status).toBe(404)
  })
})

describe('the score', () => {
  test('adds the points of what was answered, and is hidden from those who may not see what it is made of', async () => {
    const { owner, enter, staff, trial, ids } = await study({
      stage: {
        component: {
          pulse: { scoringRules: [{ id: 'fast', points: 3, operator: 'more', value: 100 }] },
          mood: { scoringRules: [{ id: 'low', points: 2, operator: 'equal', value: 2 }] },
        },
      },
    })
    const { body } = await enter({ pulse: 120, mood: { q1: 2, q2: 2 } })
    expect(body.score).toBe(7)
    expect((await enter({ pulse: 80 })).body.score).toBe(4)
    await owner.put(`/data-types/${ids.mood}`, { isRestricted: true })
    const nurse = staff(trial, ['trial.read'])
    const readBack = (await nurse.get(`/trials/${trial}/responses/${body._id}`)).responses[0]
    expect(readBack).not.toHaveProperty('score')
    expect(Object.keys(readBack.response).sort()).toEqual([ids.pulse!, ids.double!].sort())
  })
})

describe('drafts', () => {
  test('belong to their author, keep whatever was typed, and end with the submission', async () => {
    const { owner, url, sent, staff, trial, anna, stage } = await study({ stage: { required: ['symptom'] } })
    const nurse = staff(trial, ['trial.write'])
    const draft = await owner.put(`${url()}?draft=true`, { response: sent({ pulse: 999 }) })
    expect(draft).toMatchObject({ stage, stageRecurrence: 0, response: sent({ pulse: 999 }) })
    expect((await owner.call('PUT', `${url()}?draft=true`, { response: sent({ pulse: 'x' }) })).status).toBe(422)
    const reading = (by: typeof nurse) => by.get(`/trials/${trial}/participants/${anna}/responses`)
    expect((await reading(nurse)).drafts).toEqual([])
    expect((await reading(owner)).drafts).toHaveLength(1)
    expect((await reading(owner)).responses).toEqual([])
    await owner.put(url(), { response: sent({ symptom: 'cough' }) })
    expect((await reading(owner)).drafts).toEqual([])
  })

  test('are discarded by their author only', async () => {
    const { owner, url, sent, staff, trial, anna, stage } = await study()
    const nurse = staff(trial, ['trial.write'])
    await owner.put(`${url()}?draft=true`, { response: sent({ pulse: 60 }) })
    const at = `/trials/${trial}/participants/${anna}/draftResponses/${stage}`
    expect((await nurse.call('DELETE', at)).status).toBe(404)
    expect(await owner.delete(at)).toEqual({})
    expect((await owner.call('DELETE', at)).status).toBe(404)
  })
})

describe('who may', () => {
  test('restricted and PII fields are left out without the permission', async () => {
    const { owner, enter, staff, trial, ids, anna } = await study()
    await owner.put(`/data-types/${ids.symptom}`, { isRestricted: true })
    await owner.put(`/data-types/${ids.diary}`, { isPii: true })
    const { body } = await enter({ symptom: 'cough', diary: 'Lives at home', pulse: 60 })
    const seenBy = async (words: string[]) => {
      const person = staff(trial, words)
      const all = [
        (await person.get(`/trials/${trial}/responses/${body._id}`)).responses[0],
        (await person.get(`/trials/${trial}/participants/${anna}/responses`)).responses[0],
      ]
      const { history } = await person.get(`/trials/${trial}/responses/${body._id}/history`)
      const inHistory = history.flatMap(({ changes }: { changes: { dataType: string }[] }) =>
        changes.map(({ dataType }) => dataType),
      )
      return [...all.map(({ response }) => Object.keys(response).length), inHistory.length]
    }
    expect(await seenBy(['trial.read'])).toEqual([2, 2, 2])
    expect(await seenBy(['trial.read', 'trial.readParticipantStudyDataRestricted'])).toEqual([3, 3, 3])
    expect(await seenBy(['trial.read', 'trial.readParticipantStudyDataPii'])).toEqual([3, 3, 3])
    expect(await seenBy(['trial.admin'])).toEqual([4, 4, 4])
  })

  test('the client behind an answer is personal information', async () => {
    const { enter, staff, trial, ids } = await study()
    const { body } = await enter({ pulse: 60 })
    const nurse = staff(trial, ['trial.read'])
    const readBack = (await nurse.get(`/trials/${trial}/responses/${body._id}`)).responses[0]
    expect(readBack.response[ids.pulse!]).not.toHaveProperty('client')
    const { history } = await nurse.get(`/trials/${trial}/responses/${body._id}/history`)
    expect(history[0]).not.toHaveProperty('client')
  })

  test('reading and writing need their permission; another team sees nothing', async () => {
    const { enter, staff, trial, url, sent, neighbours } = await study()
    const { body } = await enter({ pulse: 60 })
    const reader = staff(trial, ['trial.read'])
    const outsider = staff(trial, ['trial.readTasks'])
    expect((await reader.call('PUT', url(), { response: sent({ pulse: 61 }) })).status).toBe(403)
    expect((await outsider.call('GET', `/trials/${trial}/responses/${body._id}`)).status).toBe(403)
    const { owner: other } = neighbours()
    expect((await other.call('GET', `/trials/${trial}/responses/${body._id}`)).status).toBe(404)
    expect((await other.call('PUT', url(), { response: sent({ pulse: 61 }) })).status).toBe(404)
  })

  test('a person of one site reaches its participants only', async () => {
    const { owner, enter, staff, trial, anna, bert, url, sent } = await study()
    const site = await owner.post(`/trials/${trial}/sites`, { name: 'North', id: 'N1' })
    await owner.put(`/sites/${site._id}/memberships/${anna}`)
    const first = (await enter({ pulse: 60 })).body
    const other = (await enter({ pulse: 60 }, {}, owner, url(bert))).body
    const nurse = staff(trial, ['site.read', 'site.write'], site._id)
    expect((await nurse.call('GET', `/trials/${trial}/responses/${first._id}`)).status).toBe(200)
    expect((await nurse.call('GET', `/trials/${trial}/responses/${other._id}`)).status).toBe(404)
    expect((await nurse.call('PUT', url(), { response: sent({ pulse: 61 }) })).status).toBe(200)
    expect((await nurse.call('PUT', url(bert), { response: sent({ pulse: 61 }) })).status).toBe(404)
  })

  test('archived participants take no data, a locked database takes none at all', async () => {
    const { owner, enter, trial, anna, db } = await study()
    await owner.put(`/trials/${trial}/participants/${anna}`, { isArchived: true })
    expect((await enter({ pulse: 60 })).status).toBe(400)
    await owner.put(`/trials/${trial}/participants/${anna}`, { isArchived: false })
    db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
    expect((await enter({ pulse: 60 })).status).toBe(403)
  })

  test('every submission is in the audit trail, with what ties it to the history', async () => {
    const { enter, owner, trial, anna, stage, ids, staff } = await study()
    const { body } = await enter({ pulse: 60 })
    const { entries } = await owner.get(`/trials/${trial}/logs?type=submitResponse`)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ type: 'submitResponse', participantId: 'P-1', userEmail: 'owner@example.org' })
    expect(entries[0].event).toMatchObject({ response: body._id, stage, stageRecurrence: 0 })
    expect(entries[0].event.changes).toContainEqual({ dataType: ids.pulse!, before: null, after: 60 })
    await enter({ pulse: 61 })
    const [newest] = (await owner.get(`/trials/${trial}/logs?type=submitResponse`)).entries
    expect(newest.event.changes).toContainEqual({ dataType: ids.pulse!, before: 60, after: 61 })
    // A reader of the log who may not read the answers sees the act, but none of the values.
    await owner.put(`/data-types/${ids.pulse}`, { isRestricted: true })
    const seenBy = async (words: string[]) =>
      (await staff(trial, words).get(`/trials/${trial}/logs?type=submitResponse`)).entries[0].event.changes
    expect(await seenBy(['trial.readLogs'])).toBeUndefined()
    expect(await seenBy(['trial.readLogs', 'trial.read'])).toEqual([]) // twice the pulse would tell it
    expect(anna).toBeString()
  })
})
