/** A server whose machine's clock jumps, over HTTP. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { staleIn } from '#cli/checks'
import { repairDerived } from '#cli/repairDerived'
import { drizzleOf, openSqlite } from '#db/open'
import { DAY, HOUR, instantText, MINUTE, SECOND } from '#kernel/time'
import { mailAccount } from '#outbox/messages'
import { acceptClock } from '#server/health/acceptClock'
import { authoredText } from '#texts/writer'
import { person } from '../person'
import { machine, noon } from './steppedMachine'

test('a clock that is 400 days ahead for a moment changes nothing', async () => {
  const m = await machine()
  const s = m.start()
  await s.tick()
  const before = s.timelines()
  m.jump(400 * DAY)
  await s.tick()
  m.pass(1.5 * SECOND)
  await s.tick()
  await s.owner.do('createGroup', m.trial, { name: 'During' })
  expect(s.rows('SELECT createdAt FROM groups')).toEqual([{ createdAt: noon + 1.5 * SECOND }])
  const health = await s.owner.do('readHealth')
  expect(health).toMatchObject({ now: instantText(noon + 1.5 * SECOND), status: 'warning' })
  expect(health.problems).toContainEqual(expect.objectContaining({ code: 'clockStep', isFailing: false }))
  m.jump(-400 * DAY)
  await s.tick()
  await s.owner.do('createGroup', m.trial, { name: 'After' })
  expect(s.timelines()).toEqual(before)
  expect(s.logged()).toEqual(['clockStepped', 'clockReturned'])
  expect(s.clockMails()).toMatchObject([{ recipient: 'owner@example.org' }])
  expect(m.lines).toEqual([
    'the clock of the machine jumped from 2026-03-02T12:00:00.000000Z to 2027-04-06T12:00:00.000000Z; the server goes on with its own time',
    'the clock of the machine is right again: 2026-03-02T12:00:01.500000Z',
  ])
  expect((await s.owner.do('readHealth')).problems?.map(({ code }) => code)).not.toContain('clockStep')
  m.pass(3 * HOUR)
  await s.tick()
  expect(s.diaries()).toBe(8)
  expect([s.problems(), s.faults]).toEqual([[], []])
})

test.each([
  ['of the same start of the machine', 'one'],
  ['of another', 'two'],
])(
  'a server that was started with the clock a year ahead, and one that then starts with the right clock (%s)',
  async (_, boot) => {
    const m = await machine()
    const first = m.start()
    await first.tick()
    const before = first.timelines()
    first.stop()
    m.at.boot = boot
    m.jump(365 * DAY)
    const ahead = m.start()
    await ahead.tick()
    m.pass(5 * SECOND)
    await ahead.tick()
    expect([ahead.diaries(), ahead.timelines()]).toEqual([0, before])
    expect((await ahead.owner.do('readHealth')).problems?.map(({ code }) => code)).toContain(
      boot === 'one' ? 'clockStep' : 'clockNew',
    )
    ahead.stop()
    m.jump(-365 * DAY)
    const s = m.start()
    await s.tick()
    m.pass(3 * HOUR)
    await s.tick()
    expect(s.diaries()).toBe(8)
    expect([s.problems(), s.faults]).toEqual([[], []])
  },
)

test('while nothing is known of the time, people can work, and a step back is followed', async () => {
  const m = await machine()
  m.at.boot = 'two'
  m.jump(365 * DAY)
  const s = m.start()
  await s.owner.do('createGroup', m.trial, { name: 'Ahead' })
  m.jump(-365 * DAY + HOUR)
  await s.owner.do('createGroup', m.trial, { name: 'Right' })
  expect(s.rows(`SELECT createdAt FROM groups WHERE name = 'Right'`)).toEqual([{ createdAt: noon + HOUR }])
  await s.tick()
  expect([s.logged(), s.clockMails().length]).toEqual([['clockStepped'], 1])
  m.pass(10 * MINUTE)
  await s.tick()
  m.pass(2 * HOUR)
  await s.tick()
  expect(s.diaries()).toBe(8)
  expect(s.problems()).toEqual([])
})

test('until the time has held, nothing expires and nobody is reminded; then both', async () => {
  const m = await machine()
  const s = m.start()
  await s.tick()
  const links = () => s.rows('SELECT count(*) AS n FROM setupTokens')[0]!.n
  await person(s.service, {}).do('requestPasswordReset', { email: 'owner@example.org' })
  m.jump(DAY + HOUR)
  for (const by of [SECOND, 5 * MINUTE, 5 * MINUTE - 2 * SECOND]) {
    m.pass(by)
    await s.tick()
  }
  expect([links(), s.diaries(), s.logged()]).toEqual([1, 0, ['clockStepped']])
  m.pass(2 * SECOND)
  await s.tick()
  expect([links(), s.diaries(), s.logged()]).toEqual([0, 8, ['clockStepped', 'clockFollowed']])
  expect((await s.owner.do('readHealth')).now).toBe(instantText(m.at.wall))
})

test('messages that people cause go out at once; those that wait expire only when the time is known', async () => {
  const m = await machine()
  m.at.boot = 'two'
  const before = m.start()
  const { db, commit } = before.service.services
  const user = before.rows('SELECT _id, email FROM users LIMIT 1')[0] as { _id: string; email: string }
  await commit(() => mailAccount(db, noon, user, { subject: null, body: authoredText('waits') }))
  before.stop()
  m.at.boot = 'three'
  m.jump(30 * DAY)
  const s = m.start()
  await s.tick()
  expect(s.rows(`SELECT status FROM outbox WHERE body = 'waits'`)).toEqual([{ status: 'notSent' }])
})

test('an admin of a team confirms the clock, and nobody else', async () => {
  const m = await machine()
  const s = m.start()
  await s.tick()
  m.jump(DAY)
  const path = `/teams/${m.team}/clockAcceptance` as const
  expect((await s.stranger.call('POST', path)).status).toBe(404)
  expect((await s.owner.do('readHealth')).now).toBe(instantText(noon))
  expect(await s.owner.do('acceptClock', m.team)).toEqual({ now: instantText(noon + DAY) })
  expect((await s.owner.do('readHealth')).problems?.map(({ code }) => code)).not.toContain('clockStep')
  expect(s.rows(`SELECT event FROM auditEntries WHERE type = 'acceptClock'`)).toEqual([
    {
      event: JSON.stringify({ teamId: m.team, before: instantText(noon), clock: instantText(noon + DAY) }),
    },
  ])
  // Also when the clock is behind what was written last, while all other writes are refused.
  m.jump(-HOUR)
  m.pass(SECOND)
  await s.tick()
  m.pass(10 * MINUTE)
  expect((await s.owner.call('POST', m.groups, { name: 'No' })).status).toBe(503)
  expect((await s.owner.call('POST', path)).status).toBe(200)
  await s.owner.do('createGroup', m.trial, { name: 'Yes' })
})

test('`trialbox clock accept` confirms it to a running server and to the next start', async () => {
  const m = await machine()
  const s = m.start()
  await s.tick()
  m.jump(DAY)
  await s.tick()
  acceptClock(s.db, m.directory, m.machine, m.steady)
  await s.tick()
  expect((await s.owner.do('readHealth')).now).toBe(instantText(noon + DAY))
  expect(s.logged()).toEqual(['clockStepped', 'acceptClock', 'clockFollowed'])
  s.stop()
  m.jump(-DAY)
  m.at.boot = 'two' // the machine started again: nothing tells which clock is right
  expect(() => m.start()).toThrow('--accept-clock')
  const sqlite = openSqlite(join(m.directory, 'trialbox.db'))
  acceptClock(drizzleOf(sqlite), m.directory, m.machine, m.steady)
  sqlite.close()
  await m.start().owner.do('createGroup', m.trial, { name: 'Today' })
})

test.each(['by the server', 'by the command'])(
  'what was computed in a future that did not come is computed anew %s',
  async (how) => {
    const m = await machine()
    const s = m.start()
    await s.tick()
    m.jump(60 * DAY)
    await s.owner.do('acceptClock', m.team)
    await s.tick()
    expect(s.timelines().filter(({ remindersDueAt }) => remindersDueAt !== null)).toEqual([])
    m.jump(-60 * DAY)
    acceptClock(s.db, m.directory, m.machine, m.steady)
    expect(staleIn(s.db.$client)).toEqual([])
    if (how === 'by the server') await s.tick()
    else expect([...repairDerived(s.db, m.at.wall)].at(-1)).toStartWith('Everything')
    await s.tick()
    m.pass(3 * HOUR)
    await s.tick()
    expect([s.diaries(), s.problems()]).toEqual([8, []])
  },
)

test('the operator of the settings is notified instead of the admins', async () => {
  const m = await machine({ operator: 'it@hospital.example' })
  const s = m.start()
  m.jump(-HOUR)
  await s.tick()
  expect(s.clockMails().map(({ recipient }) => recipient)).toEqual(['it@hospital.example'])
  expect(s.clockMails()[0]!.body).toContain('from 02 Mar 2026, 12:00 UTC to 02 Mar 2026, 11:00 UTC')
})
