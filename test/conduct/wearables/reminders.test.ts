/** Participants are reminded to connect an account. */
import { expect, test } from 'bun:test'
import { DAY, HOUR } from '#kernel/time'
import { dexcomServer, fitbitServer } from './providers'
import { wearableStudy } from './wearables.study'

/** A study that reminds of Fitbit, on a Monday at 13:00 in Berlin; Anna has signed in. */
async function reminderStudy(change: Record<string, unknown> = {}) {
  const fitbit = fitbitServer()
  const s = await wearableStudy({ fitbit })
  await s.owner.do('updateParticipant', s.trial, s.anna, { email: 'anna@example.org', language: 'de' })
  await s.owner.do('updateTrial', s.trial, { fitbitConnectionReminders: true, ...change })
  const tick = () => s.service.services.tick()
  await tick()
  const sent = async () =>
    (await s.owner.do('listMessages', s.trial, s.anna)).automaticMessages.flatMap(({ type, createdAt, message }) =>
      type === 'reminder' ? [[createdAt, message]] : [],
    )
  return { ...s, fitbit, tick, sent }
}

const TEXT = 'Bitte verbinden Sie Ihr Konto bei Fitbit für Breath study: http://localhost/join'

test('at ten the next day, then every seven days, four times; each once', async () => {
  const s = await reminderStudy()
  s.clock('2026-03-10T08:59:00Z')
  await s.tick()
  expect(await s.sent()).toEqual([])
  s.clock('2026-03-10T09:00:00Z')
  await s.tick()
  await s.tick()
  expect(await s.sent()).toEqual([['2026-03-10T09:00:00.000000Z', TEXT]])
  expect(s.db.$client.query(`SELECT channel, recipient FROM outbox`).all()).toEqual([
    { channel: 'email', recipient: 'anna@example.org' },
  ])
  for (let day = 0; day < 40; day++) {
    s.clock(DAY)
    await s.tick()
  }
  const times = (await s.sent()).map(([at]) => `${at}`.slice(0, 10)).sort()
  expect(times).toEqual(['2026-03-10', '2026-03-17', '2026-03-24', '2026-03-31'])
})

test('who connects, or has disconnected, is not reminded; who lost access is asked to connect again', async () => {
  const s = await reminderStudy()
  await s.connect('fitbit')
  await s.synced('fitbit')
  s.clock(3 * DAY)
  await s.tick()
  expect(await s.sent()).toEqual([])
  s.fitbit.state.valid = undefined
  s.clock(7 * HOUR)
  await s.synced('fitbit')
  await s.tick()
  expect((await s.sent()).map(([, text]) => text)).toEqual([
    'Von Fitbit kommen keine Daten mehr an. Bitte verbinden Sie Ihr Konto noch einmal: http://localhost/join',
  ])
  await s.patient.do('disconnectWearable', 'fitbit')
  s.clock(20 * DAY)
  await s.tick()
  expect(await s.sent()).toHaveLength(1)
})

test.each<[string, (s: Awaited<ReturnType<typeof reminderStudy>>) => Promise<unknown>]>([
  ['the trial does not remind', (s) => s.owner.do('updateTrial', s.trial, { fitbitConnectionReminders: false })],
  ['the service is off', (s) => s.owner.do('updateTrial', s.trial, { fitbitEnabled: false })],
  ['the service is for another group', (s) => otherGroup(s)],
  ['the team has no wearables', (s) => s.owner.do('updateTeam', s.team, { features: { wearables: false } })],
  ['they have withdrawn', (s) => s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })],
])('nobody is reminded while %s', async (_, change) => {
  const s = await reminderStudy()
  await change(s)
  s.clock(2 * DAY)
  await s.tick()
  expect(await s.sent()).toEqual([])
})

async function otherGroup(s: Awaited<ReturnType<typeof reminderStudy>>) {
  const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm A' }))._id
  await s.owner.do('updateTrial', s.trial, { fitbitGroups: [group] })
}

test('nor of a service that the server is not configured for; nor those who have never signed in', async () => {
  const s = await wearableStudy({ dexcom: dexcomServer() })
  await s.owner.do('updateTrial', s.trial, { fitbitConnectionReminders: true, dexcomConnectionReminders: true })
  await s.service.services.tick()
  s.clock(2 * DAY)
  await s.service.services.tick()
  const messages = s.db.$client
    .query<{ participant: string; message: string }, []>(
      `SELECT participant, message FROM messages WHERE type = 'reminder'`,
    )
    .all()
  expect(messages).toEqual([
    { participant: s.anna, message: 'Please connect your Dexcom account for Breath study: http://localhost/join' },
  ])
})
