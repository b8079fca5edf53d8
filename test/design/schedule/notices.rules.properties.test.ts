import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cutoffOf, expiryOf, openingsOf } from '#design/schedule/openings'
import { compileTimeline, type TimelineInput, timelineOf } from '#design/schedule/rules'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { zoneOf } from '#kernel/zones'
import { MESSAGE_LIFETIME } from '#outbox/status'
import { runs } from '../../proof'
import { hours } from './notices.rules.shared'
import { anInput, aStage, at, daily, idOf, noticed, reminderKey, short } from './timeline.rules.sample'

describe('as time passes', () => {
  const timeOfDay = fc.constantFrom('00:00', '02:30:00', '08:00', '20:00', '23:59:59')
  const form = fc.record({
    reminders: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 2 }).map((all) => hours(...all)),
    isRecurring: fc.boolean(),
    recurringFrequency: fc.integer({ min: 1, max: 3 }),
    recurringDuration: fc.integer({ min: 1, max: 9 }),
    enableAtTime: fc.option(timeOfDay),
    behindCutoffTime: fc.option(timeOfDay),
    availabilityWindowHours: fc.option(fc.integer({ min: 1, max: 60 })),
    exemptFromBehindStatus: fc.boolean(),
  })
  const stages = fc
    .array(form, { minLength: 1, maxLength: 3 })
    .map((all) => all.map((each, index) => aStage({ ...each, index, _id: idOf('abc'[index]!) })))
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/New_York', 'Pacific/Apia')
  const start = fc.integer({ min: at('2026-03-01T00:00Z'), max: at('2026-11-10T00:00Z') })
  const step = fc.record({
    pause: fc.oneof(fc.integer({ min: 0, max: 5 * DAY }), fc.integer({ min: 0, max: 3 * HOUR })),
    act: fc.option(
      fc.record({
        stage: fc.nat(2),
        n: fc.nat(8),
        does: fc.constantFrom('complete', 'move', 'restore'),
        by: fc.integer({ min: -3 * DAY, max: 3 * DAY }),
      }),
    ),
  })

  test('after any changes, none is sent twice, too early, too late, or for a closed form', () => {
    let total = 0
    fc.assert(
      fc.property(stages, zone, start, fc.array(step, { maxLength: 40 }), (all, zone, registeredAt, steps) => {
        const compiled = compileTimeline(all)
        const sent = new Set<string>()
        const completions = new Map<string, number>()
        let overrides: TimelineInput['overrides'] = []
        let now = registeredAt
        for (const { pause, act } of steps) {
          now += pause
          if (act) {
            const { stage, does, n, by } = act
            const { _id } = all[stage % all.length]!
            if (does === 'complete') completions.set(`${_id}::${n}`, now)
            if (does === 'restore') overrides = []
            if (does === 'move') {
              const override = {
                stage: _id,
                stageRecurrence: n,
                enableAt: now + by,
                applyToAllRecurrences: n % 2 === 0,
              }
              overrides = [...overrides, override]
            }
          }
          const input = anInput({ zone, registeredAt, now, completions, overrides })
          const entries = timelineOf(compiled, input)
          for (const reminder of noticed(compiled, input, sent).due) {
            const key = reminderKey(reminder)
            expect(sent.has(key)).toBe(false)
            sent.add(key)
            if (reminder.occasion !== 'behind') continue
            const own = entries.find((each) => key.startsWith(`${each.stage}::${each.stageRecurrence} `))!
            expect(own).toMatchObject({ behind: true, enabled: true, completed: false, expired: false })
            const cutoff = cutoffOf(compiled.byId.get(own.stage)!, own.enableAt!, zoneOf(zone))
            expect(now).toBeGreaterThanOrEqual(cutoff)
            expect(now).toBeLessThan(cutoff + MESSAGE_LIFETIME)
            total++
          }
        }
      }),
      { numRuns: runs(1_000) },
    )
    expect(total).toBeGreaterThan(runs(100)) // notices were sent at all
  })

  test('a check at each nextAt sends the notice of every form that is open at its cut-off, at that moment', () => {
    fc.assert(
      fc.property(stages, zone, start, (all, zone, registeredAt) => {
        const compiled = compileTimeline(all)
        const sent = new Set<string>()
        const notices: string[] = []
        for (let now: number | null = registeredAt; now !== null; ) {
          const { due, nextAt } = noticed(compiled, anInput({ zone, registeredAt, now }), sent)
          for (const each of due) sent.add(reminderKey(each))
          for (const each of due) if (each.occasion === 'behind') notices.push(`${reminderKey(each)} at ${short(now)}`)
          for (const between of nextAt === null ? [now + 400 * DAY] : [now + (nextAt - now) / 2, nextAt - 1]) {
            const looked = noticed(compiled, anInput({ zone, registeredAt, now: Math.floor(between) }), sent)
            expect(looked).toEqual({ due: [], nextAt })
          }
          now = nextAt
        }
        const expected = compiled.stages.flatMap((each) => {
          const openings = openingsOf(each, anInput({ zone, registeredAt }), zoneOf(zone))
          return each.occurrences.flatMap(({ n, key }) => {
            const opening = openings(n)!
            const cutoff = cutoffOf(each, opening, zoneOf(zone))
            const isOpen = cutoff < (expiryOf(each, opening) ?? Infinity)
            if (each.stage.exemptFromBehindStatus || !isOpen || cutoff <= registeredAt) return []
            return [`${key} behind at ${short(cutoff)}`]
          })
        })
        expect(notices.sort()).toEqual(expected.sort())
      }),
      { numRuns: runs(200) },
    )
  })

  test('checks once a minute delay notices by less than a minute, and change nothing else', () => {
    const compiled = compileTimeline([daily(4, { behindCutoffTime: '20:00' })])
    const sent = new Set<string>()
    const seen: string[] = []
    for (let now = at('2026-03-01T10:00:30Z'); now < at('2026-03-07T00:00Z'); now += MINUTE) {
      for (const each of noticed(compiled, anInput({ now }), sent).due) {
        sent.add(reminderKey(each))
        seen.push(short(now))
      }
    }
    expect(seen).toEqual([1, 2, 3, 4].map((day) => `2026-03-0${day}T20:00:30Z`))
  })
})
