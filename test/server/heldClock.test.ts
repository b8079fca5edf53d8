import { expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE, parseInstant, SECOND } from '#kernel/time'
import { type ClockChange, HOLD, heldClock } from '#server/health/heldClock'

const noon = parseInstant('2026-03-02T12:00:00Z')!

/** A clock over a machine whose clock and steady time the test moves. */
function machine(start: Parameters<typeof heldClock>[2] = { isSure: true }) {
  const at = { wall: noon, steady: 1000 * SECOND, slept: 0 }
  const steady = {
    now: () => at.steady,
    exact: () => {
      at.steady += at.slept
      at.slept = 0
      return at.steady
    },
    boot: 'one',
  }
  const clock = heldClock({ now: () => at.wall }, steady, start)
  const pass = (by: number) => {
    at.wall += by
    at.steady += by
  }
  /** What the clock says, from noon. */
  const shows = () => clock.now() - noon
  const kinds = () => clock.takeChanges().map(({ kind }: ClockChange) => kind)
  return { ...clock, at, pass, shows, kinds, step: (by: number) => (at.wall += by) }
}

test.each([
  ['five minutes ahead', 5 * MINUTE, true],
  ['a little more', 5 * MINUTE + SECOND, false],
  ['400 days ahead', 400 * DAY, false],
  ['two minutes back', -2 * MINUTE, true],
  ['a little more back', -2 * MINUTE - SECOND, false],
  ['an hour back', -HOUR, false],
])('a step of %s: followed at once is %p', (_, by, isFollowed) => {
  const m = machine()
  m.pass(MINUTE)
  m.step(by)
  m.pass(SECOND)
  expect(m.shows()).toBe(MINUTE + SECOND + (isFollowed ? by : 0))
  expect(m.isSure()).toBe(isFollowed)
  expect(m.kinds()).toEqual(isFollowed ? [] : ['step'])
})

test('a step is followed when it has held for ten minutes, and not before', () => {
  const m = machine()
  m.step(DAY)
  m.isSure()
  m.pass(HOLD - 1)
  expect([m.shows(), m.isSure()]).toEqual([HOLD - 1, false])
  m.pass(1)
  expect([m.shows(), m.isSure()]).toEqual([DAY + HOLD, true])
  expect(m.kinds()).toEqual(['step', 'follow'])
  m.pass(HOLD)
  expect(m.kinds()).toEqual([])
})

test('a second step begins the ten minutes anew', () => {
  const m = machine()
  m.step(DAY)
  m.isSure()
  m.pass(9 * MINUTE)
  m.step(HOUR)
  m.isSure()
  m.pass(9 * MINUTE)
  expect([m.shows(), m.isSure()]).toEqual([18 * MINUTE, false])
  m.pass(MINUTE)
  expect(m.isSure()).toBe(true)
})

test('a step that is taken back leaves the time as it was, and need not hold', () => {
  const m = machine()
  m.step(400 * DAY)
  m.pass(SECOND)
  expect(m.shows()).toBe(SECOND)
  m.step(-400 * DAY)
  expect([m.shows(), m.isSure()]).toEqual([SECOND, true])
  expect(m.kinds()).toEqual(['step', 'return'])
})

test('an operator confirms, and the clock follows at once', () => {
  const m = machine()
  m.step(-DAY)
  expect(m.isSure()).toBe(false)
  m.accept()
  expect([m.shows(), m.isSure()]).toEqual([-DAY, true])
  expect(m.takeChanges()).toMatchObject([{ kind: 'step' }, { kind: 'follow', by: 'operator', expected: noon }])
})

test('many small steps add up', () => {
  const m = machine()
  for (let n = 0; n < 3; n++) {
    m.step(2 * MINUTE)
    m.isSure()
    m.pass(SECOND)
  }
  expect(m.isSure()).toBe(false)
  // With ten minutes between them, each is the time by then.
  const slow = machine()
  for (let n = 0; n < 3; n++) {
    slow.step(2 * MINUTE)
    slow.isSure()
    slow.pass(HOLD)
    expect(slow.isSure()).toBe(true)
  }
})

test('a machine that slept has made no step', () => {
  const m = machine()
  m.at.wall += 8 * HOUR
  m.at.slept = 8 * HOUR
  expect([m.shows(), m.isSure(), m.kinds()]).toEqual([8 * HOUR, true, []])
})

test('a start of the same machine whose clock was moved meanwhile is a step', () => {
  const offset = noon - 1000 * SECOND
  const same = machine({ offset, isSure: true })
  expect([same.isSure(), same.kinds()]).toEqual([true, []])
  const ahead = machine({ offset: offset - 365 * DAY, isSure: true })
  expect([ahead.isSure(), ahead.shows(), ahead.kinds()]).toEqual([false, -365 * DAY, ['step']])
})

test('after a start about which nothing is known the time must hold, and steps are followed', () => {
  const m = machine({ isSure: false })
  expect([m.isSure(), m.shows()]).toEqual([false, 0])
  m.pass(MINUTE)
  m.step(-365 * DAY)
  expect([m.isSure(), m.shows()]).toEqual([false, MINUTE - 365 * DAY])
  expect(m.takeChanges()).toMatchObject([{ kind: 'step', isFollowed: true }])
  m.pass(HOLD - 1)
  expect([m.isSure(), m.status().sureIn]).toEqual([false, 1])
  m.pass(1)
  expect([m.isSure(), m.status()]).toEqual([true, { shown: m.at.wall, isFollowed: true, sureIn: 0 }])
})
