/** Which messages of a form a participant's device may compute itself, and that it says the same as the server. */
import { describe, expect, test } from 'bun:test'
import { present } from '../../present'
import { study } from '../../study'

const scoring = [{ id: 'r', points: 5, operator: 'more', value: 100 }]
const strong = {
  id: 'strong',
  severity: 'urgent',
  conditions: [{ id: 'c', operator: 'more', scoreThreshold: 4 }],
  actions: [
    { id: 'a', type: 'notifyTeam', message: 'For the team only.' },
    // The same id twice, which nothing forbids.
    { id: 'a', type: 'showMessage', message: 'Call the ward: 112.' },
    { id: 'b', type: 'messageParticipant', message: 'For the thread only.' },
  ],
}
const always = { id: 'always', conditions: [], actions: [{ id: 'a', type: 'showMessage', message: 'Thank you.' }] }
const inDevice = { id: 'strong/1', severity: 'urgent' as const, message: 'Call the ward: 112.' }

type Options = NonNullable<Parameters<typeof study>[0]>
const withRules = (component: Record<string, Record<string, unknown>>, more: object = {}): Options => ({
  stage: { component, onSubmitRules: [strong, always], ...more },
})

async function openedStage(options: Options) {
  const built = await study(options)
  const me = await built.signIn()
  const at = `/participants/trials/${built.trial}/stages/${built.stage}` as const
  return { ...built, me, at, detail: async () => (await me.do('openStage', built.trial, built.stage)).deviceMessages }
}

describe('the device is given', () => {
  test('the rules that show something, and by what the score is computed', async () => {
    const { detail, ids, me, sent, stage, trial } = await openedStage(withRules({ pulse: { scoringRules: scoring } }))
    const given: unknown = await detail()
    expect(given).toEqual({
      rules: [
        { conditions: strong.conditions, messages: [inDevice] },
        { conditions: [], messages: [{ id: 'always/0', severity: 'normal', message: 'Thank you.' }] },
      ],
      scoring: [{ dataType: ids.pulse, scoringRules: scoring }],
      needs: [ids.pulse],
    })
    const receipt = await me.do('submitResponse', trial, stage, sent({ pulse: 120 }))
    expect(receipt.onScreenMessages).toEqual(['Call the ward: 112.', 'Thank you.'])
    expect(receipt.ruleMessages).toEqual([
      inDevice,
      { id: 'always/0', severity: 'normal' as const, message: 'Thank you.' },
    ])
  })

  test.each([
    ['a field that is not asked counts', { pulse: { isHidden: true, scoringRules: scoring } }],
    [
      'a field that counts is shown by one that is not asked',
      { smoker: { isHidden: true }, pulse: { scoringRules: scoring, conditionOn: 'smoker' } },
    ],
    ['a calculation counts whose field is not asked', { pulse: { isHidden: true }, double: { scoringRules: scoring } }],
    ['nothing counts', {}],
  ])('only what needs no score, if %s', async (_, component) => {
    const { conditionOn, ...rest } = Object.assign({ conditionOn: undefined }, Reflect.get(component, 'pulse'))
    const { ids, owner, stage, detail } = await openedStage(
      withRules({ ...component, ...(Reflect.has(component, 'pulse') ? { pulse: rest } : {}) }),
    )
    if (conditionOn) {
      const { components } = await owner.do('readStage', stage)
      const changed = components?.map((each) =>
        each.dataType === ids.pulse
          ? { ...each, condition: { dataType: ids.smoker, operator: 'exists' as const } }
          : each,
      )
      await owner.do('updateStage', stage, { components: changed })
    }
    const given = await detail()
    expect(given?.rules.map(({ messages }) => messages.map(({ id }) => id))).toEqual([['always/0']])
    expect([given?.scoring, given?.needs]).toEqual([[], []])
    expect(JSON.stringify(given)).not.toContain('112')
  })

  test('nothing where no rule shows something, and no severity that nobody has set', async () => {
    const { detail, owner, stage } = await openedStage({
      stage: { component: { pulse: { scoringRules: scoring } }, onSubmitRules: [{ ...always, actions: [] }] },
    })
    expect(await detail()).toBeUndefined()
    const kept: unknown = (await owner.do('readStage', stage)).onSubmitRules
    expect(kept).toEqual([{ ...always, actions: [] }])
  })

  test('what a calculation needs whose fields are asked', async () => {
    const { detail, ids } = await openedStage(withRules({ double: { scoringRules: scoring } }))
    expect((await detail())?.needs.toSorted()).toEqual([present(ids.pulse), present(ids.double)].toSorted())
  })

  test('of an amendment no score that a restricted field decides, as nobody says whether it has an answer', async () => {
    const { me, sent, owner, ids, detail, stage, trial } = await openedStage(
      withRules({ pulse: { scoringRules: scoring } }),
    )
    await owner.do('updateDataType', ids.pulse, { isRestricted: true })
    expect((await detail())?.rules).toHaveLength(2)
    await me.do('submitResponse', trial, stage, sent({ pulse: 60 }))
    expect((await detail())?.rules.map(({ messages }) => messages[0]?.id)).toEqual(['always/0'])
  })

  test('of an amendment by a link no score at all', async () => {
    const { owner, trial, anna, stage, me, sent } = await openedStage(withRules({ pulse: { scoringRules: scoring } }))
    const { url } = await owner.do('createStageToken', trial, anna, stage, {})
    const link = `/stage-tokens/${url.split('/').at(-1) ?? ''}` as const
    const rules = async () => (await owner.get<'openStageToken'>(link)).deviceMessages?.rules.length
    expect(await rules()).toBe(2)
    await me.do('submitResponse', trial, stage, sent({ pulse: 60 }))
    expect(await rules()).toBe(1)
  })
})

test('the version of a form does not change with its rules', async () => {
  const { me, owner, stage, trial } = await openedStage(withRules({ pulse: { scoringRules: scoring } }))
  const { version } = await me.do('openStage', trial, stage)
  await owner.do('updateStage', stage, { onSubmitRules: [] })
  expect((await me.do('openStage', trial, stage)).version).toBe(version)
})

test.each(['high', 'URGENT', '', null, '\ud83c', 1])('a severity %p is refused', async (severity) => {
  const { owner, stage } = await study()
  const { status } = await owner.call('PUT', `/stages/${stage}`, { onSubmitRules: [{ ...always, severity }] })
  expect(status).toBe(422)
})
