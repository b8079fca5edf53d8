import { describe, expect, test } from 'bun:test'
import { MINUTE, parseInstant } from '#kernel/time'
import { completionOf, daysOf, isOverdue } from '#office/monitoring/rules'

const at = (text: string) => parseInstant(`${text}Z`)!
const now = at('2026-03-10T12:00:00')
const then = at('2026-03-09T15:00:00')
const pending = { status: 'pending', completedAt: null } as const
const completed = { status: 'completed', completedAt: then } as const

describe('completedAt follows the status', () => {
  test.each([
    ['nothing is asked of a pending visit', pending, {}, pending],
    ['it is completed', pending, { status: 'completed' }, { status: 'completed', completedAt: now }],
    ['it was completed then', pending, { status: 'completed', completedAt: then }, completed],
    ['a completed one is not completed again', completed, { status: 'completed' }, completed],
    ['another field of a completed one changes', completed, {}, completed],
    ['its time is corrected', completed, { completedAt: now }, { status: 'completed', completedAt: now }],
    ['its time is not emptied', completed, { completedAt: null }, completed],
    ['it is pending again', completed, { status: 'pending' }, pending],
    ['the whole object is sent back with another status', completed, { ...completed, status: 'pending' }, pending],
    ['a pending visit gets a time', pending, { completedAt: then }, undefined],
    ['it is pending again with another time', completed, { status: 'pending', completedAt: now }, undefined],
  ] as const)('%s', (_, before, asked, after) => {
    expect(completionOf(before, asked, now)).toEqual(after)
  })
})

test.each([
  [{ scheduledAt: then, duration: null }, true],
  [{ scheduledAt: now, duration: null }, false],
  [{ scheduledAt: now - 1, duration: 0 }, true],
  [{ scheduledAt: now - 60 * MINUTE, duration: 60 }, false],
  [{ scheduledAt: now - 60 * MINUTE, duration: 59 }, true],
  [{ scheduledAt: null, duration: 10 }, false],
  [{ scheduledAt: then, duration: null, ...completed }, false],
])('%j is overdue: %p', (visit, expected) => {
  expect(isOverdue({ ...pending, ...visit }, now)).toBe(expected)
})

describe('the days of a visit', () => {
  const berlin = (from: string, to: string) => ({ from: at(from), to: at(to) })
  test.each([
    ['planned for later', pending, at('2026-03-12T08:00:00'), null],
    [
      'planned for later today',
      pending,
      at('2026-03-10T16:00:00'),
      berlin('2026-03-09T23:00:00', '2026-03-10T23:00:00'),
    ],
    ['begun yesterday', pending, then, berlin('2026-03-08T23:00:00', '2026-03-10T23:00:00')],
    ['completed', completed, at('2026-03-08T23:30:00'), berlin('2026-03-08T23:00:00', '2026-03-09T23:00:00')],
    ['completed before it was planned', completed, now, berlin('2026-03-08T23:00:00', '2026-03-09T23:00:00')],
    ['completed without a plan', completed, null, berlin('2026-03-08T23:00:00', '2026-03-09T23:00:00')],
    ['never planned', pending, null, null],
  ] as const)('%s', (_, status, scheduledAt, expected) => {
    expect(daysOf({ ...status, scheduledAt, duration: null }, 'Europe/Berlin', now)).toEqual(expected)
  })

  test('has 23 hours when the clocks go forward', () => {
    const visit = {
      status: 'completed',
      completedAt: at('2026-03-29T12:00:00'),
      scheduledAt: null,
      duration: null,
    } as const
    expect(daysOf(visit, 'Europe/Berlin', now)).toEqual(berlin('2026-03-28T23:00:00', '2026-03-29T22:00:00'))
  })
})
