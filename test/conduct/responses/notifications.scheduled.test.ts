import { describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { ruleStudy } from './notifications.study'

describe('scheduled notifications', () => {
  const pill = {
    id: 'pill',
    type: 'scheduledNotification',
    title: 'Second dose',
    notificationTitle: 'Your medicine',
    notificationBody: 'Take the second dose now.',
    notificationDelay: 90,
  }

  /** The small study, with these components added to its stage. */
  async function scheduled(...components: Record<string, unknown>[]) {
    const at = await ruleStudy({})
    await at.owner.do('updateStage', at.stage, { components: [...at.components, ...components] })
    return at
  }

  test('are sent once, their number of minutes after the first submission', async () => {
    const { enter, mails, wait, waiting, anna } = await scheduled(pill)
    await enter({ pulse: 60 })
    await wait(90 * MINUTE - 1)
    expect([mails(), waiting()]).toEqual([[], 1])
    await enter({ pulse: 61 }) // an amendment neither postpones it nor sends another
    await wait(1)
    expect(mails()).toMatchObject([
      { channel: 'email', participant: anna, subject: 'Your medicine', body: 'Take the second dose now.' },
      { channel: 'sms', participant: anna },
    ])
    expect(waiting()).toBe(0)
    await wait(DAY)
    expect(mails()).toHaveLength(2)
  })

  test('are sent at once if there is no delay, with the component’s title if there is no text', async () => {
    const { id, type, title } = pill
    const { enter, mails, wait } = await scheduled({ id, type, title })
    await enter({ pulse: 60 })
    await wait(0)
    expect(mails()[0]).toMatchObject({ subject: 'Breath study', body: 'Second dose' })
  })

  test('are sent only if their condition holds, and the conditions of the fields that it names', async () => {
    const { ids, components, enter, owner, stage, mails, wait, url, bert, carl } = await ruleStudy({})
    const diary = { condition: { dataType: ids.smoker, operator: 'equal', value: 'Yes' } }
    const conditioned = { ...pill, condition: { dataType: ids.diary, operator: 'exists' } }
    const changed = components.map((each) => (each.id === 'diary' ? { ...each, ...diary } : each))
    await owner.do('updateStage', stage, { components: [...changed, conditioned] })
    await enter({ smoker: ['Yes'], diary: 'Ten a day.' })
    await enter({ smoker: ['Yes'] }, {}, owner, url(bert))
    await enter({ smoker: ['No'], diary: 'None.' }, {}, owner, url(carl))
    await wait(2 * HOUR)
    expect(new Set(mails().map(({ recipient }) => recipient))).toEqual(new Set(['anna@example.org', '+44 7700 900123']))
  })

  /** Whether the participant smokes, entered at these minutes, and when the notification is sent. */
  const amended: [string, Record<number, 'Yes' | 'No' | null>, number[]][] = [
    ['is true at first', { 0: 'Yes' }, [90]],
    ['is never true', { 0: 'No', 30: null, 60: 'No' }, []],
    ['becomes true by an amendment', { 0: 'No', 30: 'Yes' }, [120]],
    ['is answered by an amendment only', { 0: null, 30: 'Yes' }, [120]],
    ['stays true', { 0: 'Yes', 30: 'Yes', 60: 'Yes' }, [90]],
    ['becomes true and stays true', { 0: 'No', 30: 'Yes', 60: 'Yes' }, [120]],
    ['becomes false', { 0: 'Yes', 30: 'No' }, []],
    ['loses its answer', { 0: 'Yes', 80: null }, []],
    ['is true again before the sending', { 0: 'Yes', 30: 'No', 60: 'Yes' }, [150]],
    ['is true again after the time of sending', { 0: 'Yes', 30: 'No', 120: 'Yes' }, [210]],
    ['is true again after the sending', { 0: 'Yes', 100: 'No', 110: 'Yes' }, [90]],
    ['becomes true, false after the sending, and true again', { 0: 'No', 10: 'Yes', 110: 'No', 120: 'Yes' }, [100]],
  ]

  test.each(amended)('with a condition that %s', async (_, answers, expected) => {
    const { ids, enter, wait, mails, waiting, owner, self, components, stage } = await ruleStudy({})
    await owner.put<'updateParticipant'>(self, { phone: null })
    const condition = { dataType: ids.smoker, operator: 'equal', value: 'Yes' }
    const always = { ...pill, id: 'always', notificationBody: 'Rest.' }
    await owner.do('updateStage', stage, { components: [...components, { ...pill, condition }, always] })
    const sent: Record<string, number[]> = { 'Take the second dose now.': [], 'Rest.': [] }
    for (let minute = 0; minute <= 300; minute += 10) {
      await wait(minute && 10 * MINUTE)
      const before = Object.values(sent).flat().length
      for (const { body } of mails().slice(before)) sent[body!]!.push(minute)
      const smoker = answers[minute]
      if (smoker === undefined) continue
      const { status } = await enter({ smoker: smoker && [smoker], pulse: 60 + minute / 10 })
      expect(status).toBe(200)
    }
    expect(sent).toEqual({ 'Take the second dose now.': expected, 'Rest.': [90] })
    expect(waiting()).toBe(0)
  })

  test('of a component that is added later are planned only by an amendment that makes its condition hold', async () => {
    const { ids, enter, wait, mails, owner, components, stage } = await ruleStudy({})
    await enter({ smoker: ['Yes'] })
    const condition = { dataType: ids.smoker, operator: 'equal', value: 'Yes' }
    const always = { ...pill, id: 'always' }
    await owner.do('updateStage', stage, { components: [...components, { ...pill, condition }, always] })
    await enter({ smoker: ['Yes'], pulse: 60 })
    await wait(2 * HOUR)
    expect(mails()).toEqual([])
    await enter({ smoker: ['No'] })
    await enter({ smoker: ['Yes'] })
    await wait(2 * HOUR)
    expect(mails().map(({ body }) => body)).toEqual(Array(2).fill('Take the second dose now.'))
  })

  test('are not sent again after the response is moved to another participant', async () => {
    const { ids, enter, wait, mails, waiting, owner, components, stage, self, trial, carl, url } = await ruleStudy({})
    const condition = { dataType: ids.smoker, operator: 'equal', value: 'Yes' }
    await owner.do('updateStage', stage, { components: [...components, { ...pill, condition }] })
    await owner.put<'updateParticipant'>(self, { isUnallocated: true })
    const { _id } = (await enter({ smoker: ['Yes'] })).body
    await wait(2 * HOUR)
    expect(mails()).toHaveLength(2)
    await owner.do('allocateResponse', trial, _id, {}, { participant: carl })
    for (const smoker of ['No', 'Yes']) await enter({ smoker: [smoker] }, {}, owner, url(carl))
    await wait(2 * HOUR)
    expect([mails().length, waiting()]).toEqual([2, 0])
  })

  test('of an ad hoc stage are sent after each new response', async () => {
    const { enter, mails, wait, owner, stage } = await scheduled(pill)
    await owner.do('updateStage', stage, { adHoc: true })
    await enter({ pulse: 60 })
    await enter({ pulse: 60 })
    await wait(2 * HOUR)
    expect(mails()).toHaveLength(4)
  })

  test('are not sent to withdrawn or archived participants, nor for a deleted response', async () => {
    for (const change of [{ isWithdrawn: true }, { isArchived: true }]) {
      const { enter, mails, wait, owner, self, waiting } = await scheduled(pill)
      await enter({ pulse: 60 })
      await owner.put<'updateParticipant'>(self, change)
      await wait(2 * HOUR)
      expect([mails(), waiting()]).toEqual([[], 0])
    }
    const { enter, waiting, db } = await scheduled(pill)
    await enter({ pulse: 60 })
    db.$client.run('DELETE FROM storedResponses')
    expect(waiting()).toBe(0)
  })

  test('go to the contact details at the time of sending', async () => {
    const { enter, mails, wait, owner, self } = await scheduled(pill)
    await enter({ pulse: 60 })
    await owner.put<'updateParticipant'>(self, { email: 'new@example.org', phone: null })
    await wait(2 * HOUR)
    expect(mails().map(({ recipient }) => recipient)).toEqual(['new@example.org'])
  })

  test('are stored as expired after a pause of more than a day', async () => {
    const late = await scheduled(pill)
    await late.enter({ pulse: 60 })
    await late.wait(90 * MINUTE + DAY)
    expect(late.mails()).toMatchObject([{ status: 'expired', recipient: '', body: 'Take the second dose now.' }])
    const timely = await scheduled(pill)
    await timely.enter({ pulse: 60 })
    await timely.wait(90 * MINUTE + DAY - 1)
    expect(timely.mails().map(({ status }) => status)).toEqual(['notSent', 'notSent'])
  })
})
