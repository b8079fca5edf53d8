/** No message is sent twice, whatever other servers do and whenever the service stops. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { DAY, HOUR, MINUTE, parseInstant, SECOND } from '#kernel/time'
import { createDelivery, RETRY_DELAYS, type Sender } from '#outbox/delivery'
import { messageParticipant } from '#outbox/messages'
import type { Outcome } from '#outbox/status'
import { recordInterrupted } from '#outbox/store'
import { authoredText } from '#texts/writer'
import { runs } from '../proof'
import { reached } from './study'

/** What the other server does with a message: whether it arrives, and what it responds; no response if the service is killed. */
type Fate = { name: string; arrives: boolean; outcome: Outcome | 'throws' | 'killed' }

const detail = 'as the test says'
const fates: Fate[] = [
  { name: 'sent', arrives: true, outcome: { is: 'sent' } },
  { name: 'later', arrives: false, outcome: { is: 'again', detail } },
  { name: 'refused', arrives: false, outcome: { is: 'failed', detail } },
  { name: 'timed out, arrived', arrives: true, outcome: { is: 'unknown', detail } },
  { name: 'timed out, lost', arrives: false, outcome: { is: 'unknown', detail } },
  { name: 'threw, arrived', arrives: true, outcome: 'throws' },
  { name: 'killed, arrived', arrives: true, outcome: 'killed' },
  { name: 'killed before', arrives: false, outcome: 'killed' },
]

const steps = ['say', 'say', 'begin', 'begin', 'restart', 'withdraw', 'return'] as const
type Step = (typeof steps)[number] | number

test('a message arrives at most once, in any order of events (property)', async () => {
  const outcomes = new Set<string>()
  const run = async (list: Step[], chosen: Fate[]) => {
    const s = await reached({})
    const { services } = s.service
    const arrived = new Map<string, number>()
    let at = 0
    const send: Sender = async ({ _id }) => {
      const fate = chosen[at++ % chosen.length]!
      if (fate.arrives) arrived.set(_id, (arrived.get(_id) ?? 0) + 1)
      if (fate.outcome === 'throws') throw new Error(detail)
      return fate.outcome === 'killed' ? new Promise(() => {}) : fate.outcome
    }
    const start = () => createDelivery({ ...services, fault: () => {} }, { sms: send }, () => {})
    let running = start()
    for (const step of list) {
      if (typeof step === 'number') s.clock(step)
      else if (step === 'say') s.say('sms')
      else if (step === 'begin') running.begin()
      else if (step === 'restart') {
        await running.finish(0) // messages that hang are abandoned, as by a kill
        recordInterrupted(s.db)
        running = start()
      } else await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: step === 'withdraw' })
      await Bun.sleep(0)
      await services.commit((): unknown => undefined)
    }
    await running.finish(20)
    recordInterrupted(s.db)
    const rows = s.db.$client.query('SELECT _id, status, attempts FROM outbox').all() as {
      _id: string
      status: string
      attempts: number
    }[]
    for (const { _id, status, attempts } of rows) {
      outcomes.add(status)
      const times = arrived.get(_id) ?? 0
      expect(times).toBeLessThanOrEqual(1)
      if (status === 'sent') expect(times).toBe(1)
      if (times === 1) expect(['sent', 'unknown']).toContain(status)
      expect(attempts).toBeLessThanOrEqual(RETRY_DELAYS.length + 1)
    }
  }
  const step = fc.oneof(fc.constantFrom(...steps), fc.constantFrom(SECOND, MINUTE, 5 * MINUTE, HOUR, DAY))
  // Each fate at least once, and a message that is no longer wanted.
  const examples: [Step[], Fate[]][] = [
    ...fates.map((fate): [Step[], Fate[]] => [['say', 'begin', MINUTE, 'begin', 'restart', 'begin'], [fate]]),
    [['say', 'withdraw', 'begin', DAY, 'begin', 'say'], [fates[0]!]],
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 30 }),
      fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 6 }),
      run,
    ),
    { numRuns: runs(40), examples },
  )
  expect(outcomes.size).toBeGreaterThan(runs(3)) // the cases covered different results
}, 180_000)

test('a message is marked as sending on the disk before it is sent', async () => {
  const s = await reached({})
  const { services } = s.service
  const found: unknown[] = []
  const send: Sender = async ({ _id, attempts }) => {
    found.push([attempts, services.db.$client.inTransaction, ...s.rows().map(({ status }) => status)])
    return _id ? { is: 'sent' } : { is: 'failed', detail }
  }
  messageParticipant(
    s.db,
    parseInstant(s.now())!,
    rowById(s.db, participants, s.anna)!,
    { subject: null, body: authoredText('x') },
    ['sms'],
  )
  const running = createDelivery(services, { sms: send }, () => {})
  running.begin()
  await running.idle()
  expect(found).toEqual([[1, false, 'sending']])
  expect(s.rows()).toMatchObject([{ status: 'sent' }])
})
