/** When reminders of appointments are due: a table of cases. */
import { expect, test } from 'bun:test'
import { dueReminders, joinWindow } from '#conduct/appointments/rules'
import { instantText, parseInstant } from '#kernel/time'

const at = (text: string) => parseInstant(text)!
const START = '2026-03-10T09:00:00Z'
const zones = { participant: 'UTC', personnel: 'UTC' }

// now, when it was scheduled, what was sent → what is sent now, and when to look again
const cases: [now: string, scheduled: string, sent: string[], due: string[], next: string | null][] = [
  ['2026-03-08T09:00:00Z', '2026-03-01T00:00:00Z', [], [], '2026-03-09T09:00:00.000000Z'],
  [
    '2026-03-09T09:00:00Z',
    '2026-03-01T00:00:00Z',
    [],
    ['day participant', 'day personnel'],
    '2026-03-10T08:00:00.000000Z',
  ],
  [
    '2026-03-09T09:00:00Z',
    '2026-03-01T00:00:00Z',
    ['day participant'],
    ['day personnel'],
    '2026-03-10T08:00:00.000000Z',
  ],
  // Made less than a day before: no reminder of the day before.
  ['2026-03-09T20:00:00Z', '2026-03-09T20:00:00Z', [], [], '2026-03-10T08:00:00.000000Z'],
  ['2026-03-10T08:00:00Z', '2026-03-09T20:00:00Z', ['day participant'], ['hour participant', 'hour personnel'], null],
  // The server was off: only the last one.
  ['2026-03-10T08:30:00Z', '2026-03-01T00:00:00Z', [], ['hour participant', 'hour personnel'], null],
  ['2026-03-10T08:30:00Z', '2026-03-10T08:30:00Z', [], [], null],
  ['2026-03-10T09:00:00Z', '2026-03-01T00:00:00Z', [], [], null],
]

test.each(cases)('at %s, scheduled at %s, sent %p', (now, scheduled, sent, due, next) => {
  const found = dueReminders({
    now: at(now),
    startsAt: at(START),
    scheduledAt: at(scheduled),
    zones,
    isSent: ({ occasion, audience }) => sent.includes(`${occasion} ${audience}`),
  })
  expect(found.due.map(({ occasion, audience }) => `${occasion} ${audience}`)).toEqual(due)
  expect(found.nextAt === null ? null : instantText(found.nextAt)).toBe(next)
})

test('a day before is the same time of day in each zone, also when the clocks go forward', () => {
  // Europe/Berlin: 29 March 2026 has 23 hours.
  const startsAt = at('2026-03-29T08:00:00Z') // 10:00 in Berlin
  const input = { startsAt, scheduledAt: 0, isSent: () => false }
  const berlin = { participant: 'Europe/Berlin', personnel: 'UTC' }
  const before = dueReminders({ ...input, now: at('2026-03-28T08:30:00Z'), zones: berlin })
  expect(before.due).toEqual([{ occasion: 'day', audience: 'personnel' }])
  expect(before.nextAt).toBe(at('2026-03-28T09:00:00Z')) // 10:00 in Berlin
})

test('a link is valid from 15 minutes before to an hour after the planned end', () => {
  const texts = (duration: number | null) =>
    Object.values(joinWindow({ startsAt: at(START), duration })).map(instantText)
  expect(texts(null)).toEqual(['2026-03-10T08:45:00.000000Z', '2026-03-10T11:00:00.000000Z'])
  expect(texts(20)).toEqual(['2026-03-10T08:45:00.000000Z', '2026-03-10T10:20:00.000000Z'])
})
