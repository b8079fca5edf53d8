/** Days and readings of the clocks in windows of time. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { daysIn } from '#conduct/calendar/days'
import { clockRangeIn } from '#conduct/calendar/visits'
import { DAY, HOUR, instantText, parseInstant } from '#kernel/time'
import { clockOf, instantOf, zoneOf } from '#kernel/zones'
import { moment, zoneName } from '../../design/schedule/timeline.rules.arbitrary'

const at = (text: string) => parseInstant(text)!

test('days begin and end at midnight of the zone, also when the clocks change', () => {
  const window = { from: at('2026-03-28T12:00:00Z'), to: at('2026-03-30T01:00:00Z') }
  const days = daysIn(window, 'Europe/Berlin').map(({ day, from, to }) => [day, instantText(from), instantText(to)])
  expect(days).toEqual([
    ['2026-03-28', '2026-03-28T12:00:00.000000Z', '2026-03-28T23:00:00.000000Z'],
    ['2026-03-29', '2026-03-28T23:00:00.000000Z', '2026-03-29T22:00:00.000000Z'],
    ['2026-03-30', '2026-03-29T22:00:00.000000Z', '2026-03-30T01:00:00.000000Z'],
  ])
})

test('a day that a zone skips is not a day: Samoa had no 30 December 2011', () => {
  const window = { from: at('2011-12-29T12:00:00Z'), to: at('2012-01-01T00:00:00Z') }
  expect(daysIn(window, 'Pacific/Apia').map(({ day }) => day)).toEqual(['2011-12-29', '2011-12-31', '2012-01-01'])
})

test('a year ends at midnight of the zone', () => {
  const window = { from: at('2027-12-31T10:00:00Z'), to: at('2027-12-31T14:00:00Z') }
  const days = daysIn(window, 'Pacific/Auckland').map(({ day, to }) => [day, instantText(to)])
  expect(days).toEqual([
    ['2027-12-31', '2027-12-31T11:00:00.000000Z'],
    ['2028-01-01', '2027-12-31T14:00:00.000000Z'],
  ])
})

const range = fc.record({ zone: zoneName, from: moment, length: fc.integer({ min: 1, max: 3 * DAY }) })

test('days cover their window without gaps', () => {
  fc.assert(
    fc.property(range, ({ zone, from, length }) => {
      const days = daysIn({ from, to: from + length }, zone)
      expect([days[0]!.from, days.at(-1)!.to]).toEqual([from, from + length])
      for (const [n, day] of days.entries()) {
        expect(day.to).toBeGreaterThan(day.from)
        if (n) expect(day.from).toBe(days[n - 1]!.to)
      }
    }),
  )
})

test('every opening in a range is found by its reading', () => {
  fc.assert(
    fc.property(range, fc.integer({ min: -3 * HOUR, max: 4 * DAY }), ({ zone: name, from, length }, offset) => {
      const zone = zoneOf(name)
      const { lo, hi } = clockRangeIn(name, { from, to: from + length })
      const isIn = (moment: number) => moment >= from && moment < from + length
      const reading = clockOf(zone, from) + offset
      if (isIn(instantOf(zone, reading))) expect(reading >= lo && reading < hi).toBe(true)
      if (isIn(from + offset)) {
        const own = clockOf(zone, from + offset)
        expect(own >= lo && own < hi).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})
