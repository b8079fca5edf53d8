import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileTimeline } from '#design/schedule/rules'
import { DAY } from '#kernel/time'
import { runs } from '../../proof'
import { hours } from './reminders.rules.shared'
import { anInput, aStage, at, reminded, reminderKey } from './timeline.rules.sample'

describe('as time passes', () => {
  const reminders = fc.uniqueArray(fc.integer({ min: 0, max: 100 }), { maxLength: 4 }).map((all) => hours(...all))
  const stage = fc.record({
    reminders,
    isRecurring: fc.boolean(),
    recurringFrequency: fc.integer({ min: 1, max: 3 }),
    recurringDuration: fc.integer({ min: 1, max: 9 }),
    enableAtTime: fc.constantFrom(null, '02:30:00', '08:00:00'),
    availabilityWindowHours: fc.option(fc.integer({ min: 1, max: 120 })),
  })
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/New_York')
  const start = fc.integer({ min: at('2026-03-01T00:00Z'), max: at('2026-11-10T00:00Z') })

  test('no reminder falls due before nextAt, so that a check at nextAt misses none', () => {
    fc.assert(
      fc.property(stage, zone, start, fc.double({ min: 0, max: 1, noNaN: true }), (each, zone, registeredAt, part) => {
        const compiled = compileTimeline([aStage(each)])
        const input = anInput({ zone, registeredAt })
        const sent = new Set<string>()
        let now = registeredAt
        for (let look = 0; look < 40; look++) {
          const { due, nextAt } = reminded(compiled, { ...input, now }, sent)
          for (const reminder of due) sent.add(reminderKey(reminder))
          expect(reminded(compiled, { ...input, now }, sent)).toEqual({ due: [], nextAt })
          const until = nextAt ?? now + 400 * DAY
          expect(until).toBeGreaterThan(now)
          const between = now + Math.floor((until - 1 - now) * part)
          for (const moment of [between, until - 1]) {
            expect(reminded(compiled, { ...input, now: moment }, sent)).toEqual({ due: [], nextAt })
          }
          if (nextAt === null) return
          now = nextAt
        }
      }),
      { numRuns: runs(200) },
    )
  })

  test('checks in time send every reminder within its window, at its time', () => {
    fc.assert(
      fc.property(stage, zone, start, (each, zone, registeredAt) => {
        const compiled = compileTimeline([aStage({ ...each, isRecurring: false })])
        const input = anInput({ zone, registeredAt })
        const sent: number[] = []
        const keys = new Set<string>()
        for (let now: number | null = registeredAt; now !== null; ) {
          const reminders = reminded(compiled, { ...input, now }, keys)
          for (const reminder of reminders.due) {
            keys.add(reminderKey(reminder))
            sent.push(Number(reminder.occasion))
          }
          now = reminders.nextAt
        }
        const within = each.reminders
          .map(({ hour }) => hour)
          .filter((hour) => hour < (each.availabilityWindowHours ?? Infinity))
        // If the opening is before the registration, the hour of a reminder may have passed already.
        const opening = each.enableAtTime === null
        if (opening) expect(sent).toEqual(within.sort((a, b) => a - b))
        else expect(within).toEqual(expect.arrayContaining(sent))
      }),
      { numRuns: runs(200) },
    )
  })

  test('with any checks, none is sent twice and none more than a day late', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 5 * DAY }), { maxLength: 30 })
    fc.assert(
      fc.property(stage, zone, start, pauses, (each, zone, registeredAt, pauses) => {
        const compiled = compileTimeline([aStage(each)])
        const sent = new Set<string>()
        let now = registeredAt
        for (const pause of pauses) {
          now += pause
          const { due } = reminded(compiled, anInput({ zone, registeredAt, now }), sent)
          const occurrences = due.map(({ stageRecurrence }) => stageRecurrence)
          expect(new Set(occurrences).size).toBe(occurrences.length)
          for (const reminder of due) {
            const key = reminderKey(reminder)
            expect(sent.has(key)).toBe(false)
            sent.add(key)
          }
        }
        expect(sent.size).toBeLessThanOrEqual(each.reminders.length * 9)
      }),
      { numRuns: runs(300) },
    )
  })
})
