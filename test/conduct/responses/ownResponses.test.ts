import { describe, expect, test } from 'bun:test'
import { HOUR } from '#kernel/time'
import { present } from '../../present'
import { goodAnswers, study } from '../../study'

describe('a participant', () => {
  test('sees their stages, opens one, and submits it', async () => {
    const { signIn, stage, trial, sent, values, anna, ids } = await study({
      stage: { postSubmissionText: 'Thank you.', description: 'How are you?' },
    })
    const me = await signIn()
    const { stages, ratioComplete } = await me.do('readOwnTimeline', trial)
    expect(stages).toEqual([
      {
        _id: stage,
        name: 'Visit',
        description: 'How are you?',
        enabled: true,
        completed: false,
        completedAt: null,
        enableAt: '2026-03-02T12:00:00.000000Z',
        expired: false,
        adHoc: false,
        behind: false,
      },
    ])
    expect(ratioComplete).toBe(0)
    const detail = await me.do('openStage', trial, stage)
    expect(detail.components.map(({ id }) => id)).toEqual(Object.keys(ids))
    expect(present(detail.components[10]).type).toMatchObject({
      format: 'choice',
      options: [
        { label: 'Yes', code: '1' },
        { label: 'No', code: '0' },
      ],
    })
    const receipt = await me.do('submitResponse', trial, stage, sent(goodAnswers))
    expect(values(receipt)).toEqual({ ...goodAnswers, double: 144 })
    expect(receipt).toMatchObject({ postSubmissionText: 'Thank you.', onScreenMessages: [], participant: anna })
    expect(receipt.response[ids.pulse!]).toMatchObject({ createdBy: anna, createdByType: 'participant' })
    expect((await me.do('readOwnTimeline', trial)).ratioComplete).toBe(1)
  })

  test('submitting again amends', async () => {
    const { signIn, stage, trial, sent, values, owner } = await study()
    const me = await signIn()
    const first = await me.do('submitResponse', trial, stage, sent({ pulse: 60, symptom: 'cough' }))
    const second = await me.do('submitResponse', trial, stage, sent({ pulse: 61 }))
    expect(second._id).toBe(first._id)
    expect(values(second)).toMatchObject({ pulse: 61, symptom: 'cough' })
    expect((await owner.do('readResponseHistory', trial, first._id)).history).toHaveLength(2)
  })

  test('gets the same refusals as staff', async () => {
    const { signIn, stage, trial, sent } = await study({ stage: { required: ['symptom'] } })
    const me = await signIn()
    const submit = (body: unknown) => me.call('POST', `/participants/trials/${trial}/stages/${stage}/responses`, body)
    expect((await submit(sent({ pulse: 60 }))).status).toBe(400)
    expect((await submit(sent({ symptom: 'cough', pulse: 500 }))).status).toBe(400)
    expect((await submit(sent({ symptom: 7 }))).status).toBe(422)
    expect((await submit([])).status).toBe(422)
  })

  test('cannot submit before the opening, after the window, or once withdrawn', async () => {
    const { signIn, stage, trial, sent, owner, anna, clock } = await study({
      stage: { availabilityWindowHours: 24, enableAtTime: '18:00:00' },
    })
    const me = await signIn()
    const submit = () => me.call('POST', `/participants/trials/${trial}/stages/${stage}/responses`, sent({ pulse: 60 }))
    expect((await submit()).status).toBe(403)
    clock(6 * HOUR)
    expect((await submit()).status).toBe(200)
    clock(24 * HOUR - 1)
    expect((await submit()).status).toBe(200)
    clock(1)
    const late = await submit()
    expect(late.status).toBe(403)
    expect(late.body.message).toContain('passed')
    await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
    expect((await submit()).body.message).toContain('withdrawn')
  })

  test('does not stop staff from entering data after withdrawal or after the window', async () => {
    const { owner, anna, trial, enter, clock } = await study({ stage: { availabilityWindowHours: 1 } })
    await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
    clock(100 * HOUR)
    expect((await enter({ pulse: 60 })).status).toBe(200)
  })

  test('does not see disabled stages, or another trial', async () => {
    const { signIn, stage, trial, owner, sent, db, team } = await study()
    const me = await signIn()
    await owner.do('updateStage', stage, { enabled: false })
    expect((await me.do('readOwnTimeline', trial)).stages).toEqual([])
    expect((await me.call('GET', `/participants/trials/${trial}/stages/${stage}`)).status).toBe(404)
    expect(
      (await me.call('POST', `/participants/trials/${trial}/stages/${stage}/responses`, sent({ pulse: 1 }))).status,
    ).toBe(404)
    const other = await owner.do('createTrial', team, { name: 'Other' })
    expect((await me.call('GET', `/participants/trials/${other._id}/stages`)).status).toBe(404)
    expect((await me.call('GET', `/trials/${trial}`)).status).toBe(401)
    expect(db).toBeDefined()
  })

  test('opens the submission of an ad hoc stage that the path names, and amends it', async () => {
    const { signIn, stage, trial, sent, clock } = await study({ stage: { adHoc: true } })
    const me = await signIn()
    const at = `/participants/trials/${trial}/stages/${stage}` as const
    await me.do('submitResponse', trial, stage, sent({ pulse: 60 }))
    clock(HOUR)
    await me.do('submitResponse', trial, stage, sent({ pulse: 61 }))
    const first = await me.do('openStage', trial, `${stage}::0`)
    expect(first).toMatchObject({
      _id: `${stage}::0`,
      stageRecurrence: 0,
      completed: true,
      completedAt: '2026-03-02T12:00:00.000000Z',
    })
    expect((await me.do('submitResponse', trial, first._id, sent({ pulse: 62 }))).stageRecurrence).toBe(0)
    expect(await me.do('openStage', trial, stage)).toMatchObject({
      _id: stage,
      stageRecurrence: null,
      completedAt: '2026-03-02T13:00:00.000000Z',
      answered: [],
      added: null,
    })
    expect((await me.call('GET', `${at}::2`)).status).toBe(404)
  })

  test('sees earlier answers if look-back is on, and never the scores', async () => {
    const { signIn, stage, trial, sent, ids, clock } = await study({
      trial: { enableLookback: true },
      stage: {
        isRecurring: true,
        recurringFrequency: 1,
        recurringDuration: 3,
        component: { pulse: { scoringRules: [{ id: 'r', points: 1, operator: 'more', value: 3 }] } },
      },
    })
    const me = await signIn()
    await me.do('submitResponse', trial, `${stage}::0`, sent({ pulse: 60 }))
    clock(24 * HOUR)
    await me.do('submitResponse', trial, `${stage}::1`, sent({ pulse: 61 }))
    const detail = await me.do('openStage', trial, `${stage}::1`)
    const pulse = present(detail.components.find(({ dataType }) => dataType === ids.pulse))
    expect(pulse.previousResponses?.map(({ value }) => value)).toEqual([61, 60])
    expect(pulse).not.toHaveProperty('scoringRules')
  })

  test('is neither shown nor asked what the study team fills in; a hidden calculation comes without its values', async () => {
    const hidden = { isHidden: true }
    const { owner, signIn, stage, trial, ids, components, enter, anna, url } = await study({
      trial: { enableLookback: true },
      stage: { component: { diary: hidden, pain: hidden, double: hidden } },
    })
    const ofPulse = { dataType: ids.double!, operator: 'more' as const, value: 100 }
    await owner.do('updateStage', stage, {
      components: components.map((each) => (each.id === 'symptom' ? { ...each, condition: ofPulse } : each)),
    })
    await enter({ pulse: 60, diary: 'Seemed tired.' })
    expect((await enter({ pulse: 61 }, {}, owner, url(anna, `${stage}::1`))).status).toBe(404)
    const me = await signIn()
    const shown = (await me.do('openStage', trial, stage)).components
    expect(shown.filter(({ id }) => id === 'diary' || id === 'pain')).toEqual([])
    const calculation = present(shown.find(({ id }) => id === 'double'))
    expect([calculation.isHidden, calculation.previousResponses]).toEqual([true, undefined])
  })

  test('reads the messages that the score calls for', async () => {
    const { signIn, stage, trial, sent } = await study({
      stage: {
        component: { pulse: { scoringRules: [{ id: 'r', points: 5, operator: 'more', value: 100 }] } },
        onSubmitRules: [
          {
            id: 'fast',
            conditions: [{ id: 'c', operator: 'more', scoreThreshold: 4 }],
            actions: [{ id: 'a', type: 'showMessage', message: 'Please call the study nurse.' }],
          },
        ],
      },
    })
    const me = await signIn()
    expect((await me.do('submitResponse', trial, stage, sent({ pulse: 120 }))).onScreenMessages).toEqual([
      'Please call the study nurse.',
    ])
    expect((await me.do('submitResponse', trial, stage, sent({ pulse: 60 }))).onScreenMessages).toEqual([])
  })
})

describe('progress', () => {
  test('is stored when something changes it, and when a cut-off passes', async () => {
    const { owner, enter, trial, anna, service, clock } = await study()
    const progress = async () => (await owner.do('readParticipant', trial, anna)).progress
    expect(await progress()).toEqual({ ratioComplete: 0, stagesBehindSchedule: 0 })
    clock(24 * HOUR)
    await owner.do('createGroup', trial, { name: 'Arm A' }) // any write recalculates what is due
    expect(await progress()).toEqual({ ratioComplete: 0, stagesBehindSchedule: 1 })
    await enter({ pulse: 60 })
    expect(await progress()).toEqual({ ratioComplete: 1, stagesBehindSchedule: 0 })
    expect(service).toBeDefined()
  })
})
