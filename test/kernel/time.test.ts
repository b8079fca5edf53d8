import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { instantText, isDay, parseInstant } from '#kernel/time'

const two = (n: number) => String(n).padStart(2, '0')

/** Whether JavaScript's own calendar has the day. */
const isInCalendar = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

test('days and moments are those of the calendar (property)', () => {
  const year = fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(0, 99, 100, 1900, 2000, 2024, 2025, 2100))
  fc.assert(
    fc.property(year, fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }), (year, month, day) => {
      const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
      const isReal = isInCalendar(year, month, day)
      expect([text, isDay(text)]).toEqual([text, isReal])
      const moment = parseInstant(`${text}T23:59:58.5Z`)
      expect(moment).toBe(isReal ? Date.UTC(year, month - 1, day, 23, 59, 58, 500) * 1000 : undefined)
    }),
    { numRuns: 2000 },
  )
  for (let month = 1; month <= 12; month++)
    for (let day = 28; day <= 31; day++)
      for (const year of [1900, 2000, 2024, 2026])
        expect(isDay(`${year}-${two(month)}-${two(day)}`)).toBe(isInCalendar(year, month, day))
})

test('the last microsecond of the year 9999, which a number does not hold, is written as it was read', () => {
  for (const text of ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.000000Z'])
    expect(instantText(parseInstant(text)!)).toBe(text)
})
