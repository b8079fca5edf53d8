/** Automatic messages in threads (docs/messages.md, "Threads"). */
import { expect, test } from 'bun:test'
import { DAY, HOUR } from '#kernel/time'
import { ruleStudy } from '../responses/notifications.study'
import { messageStudy } from './messages.study'

const conditions = [{ id: 'any', operator: 'more', scoreThreshold: 0 }]
const onSubmitRules = [
  { id: 'tell', conditions, actions: [{ id: 'one', type: 'messageParticipant', message: 'Your pulse is high.' }] },
]

test('what a submission causes is in the thread as what it is, and each channel says what became of it', async () => {
  const s = await ruleStudy({ onSubmitRules })
  const { components, ids, stage, owner, trial, self } = s
  const condition = { dataType: ids.pulse, operator: 'more', value: 60 }
  const pill = {
    ...{ id: 'pill', type: 'scheduledNotification', title: 'Take the pill', notificationTitle: 'Pill', condition },
    ...{ notificationBody: 'Take it now.', notificationDelay: 60 },
  }
  const scored = components.map((each) =>
    each.id === 'pulse' ? { ...each, scoringRules: [{ id: 'r', points: 1, operator: 'more', value: 60 }] } : each,
  )
  await owner.do('updateStage', stage, { components: [...scored, pill] })
  await s.enter({ pulse: 90 })
  await s.wait(HOUR)
  const { messages, automaticMessages } = await owner.get<'listMessages'>(`${self}/messages`)
  expect(messages).toEqual([])
  const shown = automaticMessages.map(({ type, title, message, sender, deliveries }) => ({
    ...{ type, title, message, sender: sender.type },
    deliveries: deliveries.map(({ channel, status }) => `${channel} ${status}`),
  }))
  const deliveries = ['email notSent', 'sms notSent']
  expect(shown.slice(1)).toEqual([
    { type: 'onSubmit', title: 'Breath study', message: 'Your pulse is high.', sender: 'system', deliveries },
    { type: 'scheduledNotification', title: 'Pill', message: 'Take it now.', sender: 'system', deliveries },
  ])
  const me = await s.signIn()
  const thread = await me.do('listOwnMessages')
  expect(thread.messages.map(({ type, message }) => [type, message]).slice(1)).toEqual([
    ['onSubmit', 'Your pulse is high.'],
    ['scheduledNotification', 'Take it now.'],
  ])
  expect(thread.unreadCount).toBe(2)
  s.clock(1_000_000)
  await me.do('markOwnMessagesRead', { upTo: thread.messages[1]!._id })
  const read = (await owner.get<'listMessages'>(`${self}/messages`)).automaticMessages.map(({ readAt }) => readAt)
  expect(read).toEqual([null, s.now(), null])
  expect((await me.do('listOwnMessages')).unreadCount).toBe(1)
  expect((await owner.get<'readParticipant'>(self)).unreadCount).toBe(0) // the team has nothing to read

  // Who may not see the answers that caused them does not see them either.
  const types = async (words: string[]) =>
    (await s.staff(trial, words).get<'listMessages'>(`${self}/messages`)).automaticMessages.map(({ type }) => type)
  const caused = ['onSubmit', 'scheduledNotification'] as const
  expect(await types(['trial.support'])).toEqual(['welcome'])
  expect(await types(['trial.support', 'trial.readParticipantStudyData'])).toEqual(['welcome', ...caused])
  await owner.do('updateDataType', ids.pulse, { isRestricted: true })
  expect(await types(['trial.write'])).toEqual(['welcome'])
  expect(await types(['trial.write', 'trial.readParticipantStudyDataRestricted'])).toEqual(['welcome', ...caused])
  expect(await types(['trial.admin'])).toEqual(['welcome', ...caused])
})

test('reminders and notices are in the thread, and the notice also if no channel reaches the participant', async () => {
  const s = await messageStudy()
  const reminders = [{ hour: 1, title: 'Diary', body: 'Please fill in %n.', sendVia: ['email'] }]
  const fields = { name: 'Day %n', isRecurring: true, recurringFrequency: 1, recurringDuration: 2, reminders }
  await s.owner.do('createStage', s.trial, {
    ...fields,
    availabilityWindowHours: 48,
    behindCutoffTime: '18:00:00',
  })
  await s.owner.do('updateStage', s.stage, { exemptFromBehindStatus: true })
  await s.tick(HOUR)
  await s.tick(6 * HOUR)
  const of = async (participant: string) =>
    (await s.owner.do('listMessages', s.trial, participant)).automaticMessages
      .slice(1)
      .map(({ type, title, message, deliveries }) => [type, title, message, deliveries.map(({ status }) => status)])
  expect(await of(s.anna)).toEqual([
    ['reminder', 'Diary', 'Please fill in 1.', ['notSent']],
    ['notice', 'Breath study', '“Day 1” is waiting for your answers.', ['notSent']],
  ])
  expect(await of(s.bert)).toEqual([
    ['reminder', 'Diary', 'Please fill in 1.', ['unreachable']],
    ['notice', 'Breath study', '“Day 1” is waiting for your answers.', []],
  ])
  const types = (await s.me.do('listOwnMessages')).messages.map(({ type }) => type)
  expect(types).toEqual(['welcome', 'reminder', 'notice'])
  await s.tick(DAY)
  expect((await of(s.anna)).length).toBeGreaterThan(2)
})
