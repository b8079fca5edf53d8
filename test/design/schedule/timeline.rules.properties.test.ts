import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { dueAnchors, type TimelineAnchor } from '#design/schedule/anchors'
import { timelineProblems } from '#design/schedule/problems'
import {
  compileTimeline,
  openingOf,
  parseOccurrence,
  progressOf,
  type TimelineInput,
  type TimelineStage,
  timelineOf,
} from '#design/schedule/rules'
import { DAY, HOUR, SECOND } from '#kernel/time'
import { clockAfter, clockOf, instantAfter, instantOf, zoneOf } from '#kernel/zones'
import { runs } from '../../proof'
import {
  anchorId,
  days,
  end,
  ids,
  input,
  moment,
  oftenNull,
  stageId,
  stages,
  start,
  zoneName,
  zoneNames,
} from './timeline.rules.arbitrary'
import { anInput, aStage, at, idOf } from './timeline.rules.sample'

const holds = (check: (all: TimelineStage[], known: TimelineInput) => void) =>
  fc.assert(fc.property(stages, input, check), { numRuns: runs(400) })

describe('a timeline', () => {
  test('does not depend on the order of the stages', () => {
    fc.assert(
      fc.property(stages, input, fc.infiniteStream(fc.nat()), (all, known, keys) => {
        const shuffled = all.map((stage) => ({ stage, key: keys.next().value! })).sort((a, b) => a.key - b.key)
        const other = compileTimeline(shuffled.map(({ stage }) => stage))
        expect(timelineOf(other, known)).toEqual(timelineOf(compileTimeline(all), known))
        expect(progressOf(other, known)).toEqual(progressOf(compileTimeline(all), known))
      }),
      { numRuns: runs(200) },
    )
  })

  test('has the same openings as time passes', () => {
    fc.assert(
      fc.property(stages, input, moment, (all, known, later) => {
        const compiled = compileTimeline(all)
        const fixed = (now: number) =>
          timelineOf(compiled, { ...known, now }).map(({ _id, enableAt, expiresAt, completedAt, visible }) => [
            ...[_id, enableAt, expiresAt, completedAt, visible],
          ])
        expect(fixed(later)).toEqual(fixed(known.now))
      }),
      { numRuns: runs(200) },
    )
  })

  test('has each occurrence once, with an id that can be parsed', () => {
    holds((all, known) => {
      const entries = timelineOf(compileTimeline(all), known)
      expect(new Set(entries.map(({ _id }) => _id)).size).toBe(entries.length)
      for (const entry of entries) {
        const { stageId, n } = parseOccurrence(entry._id)!
        expect(stageId).toBe(entry.stage)
        expect(n ?? 0).toBe(entry.stageRecurrence ?? 0)
      }
    })
  })

  test('has consistent entries', () => {
    holds((all, known) => {
      for (const entry of timelineOf(compileTimeline(all), known)) {
        if (entry.expired) expect(entry.enabled).toBe(false)
        if (entry.enabled) expect(entry.visible && (entry.adHoc || entry.enableAt! <= known.now)).toBe(true)
        if (entry.behind) expect(entry.visible && !entry.completed && entry.enableAt! < known.now).toBe(true)
        if (entry.expiresAt != null) expect(entry.expiresAt).toBeGreaterThan(entry.enableAt!)
      }
    })
  })

  test('agrees with the check at submission', () => {
    holds((all, known) => {
      const compiled = compileTimeline(all)
      for (const entry of timelineOf(compiled, known)) {
        const opening = openingOf(compiled, known, entry.stage, entry.stageRecurrence ?? 0)!
        expect(opening.enabled).toBe(entry.enabled)
        expect([opening.enableAt, opening.expiresAt]).toEqual([entry.enableAt, entry.expiresAt ?? null])
        expect(opening.closedReason === 'expired').toBe(entry.visible && entry.expired)
      }
    })
  })
})

describe('progress', () => {
  test('counts the entries of the timeline', () => {
    holds((all, known) => {
      const compiled = compileTimeline(all)
      const { ratioComplete, stagesBehindSchedule } = progressOf(compiled, known)
      const timepoints = timelineOf(compiled, known).filter(({ visible, adHoc }) => visible && !adHoc)
      const completed = timepoints.filter((entry) => entry.completed).length
      expect(ratioComplete).toBe(timepoints.length ? completed / timepoints.length : 0)
      expect(ratioComplete).toBeWithin(0, 1.0000001)
      expect(stagesBehindSchedule).toBe(timepoints.filter(({ behind }) => behind).length)
    })
  })

  test('changes without new data at nextChangeAt, and not before', () => {
    fc.assert(
      fc.property(stages, input, fc.double({ min: 0, max: 1, noNaN: true }), (all, known, part) => {
        const compiled = compileTimeline(all)
        const now = progressOf(compiled, known)
        const next = now.nextChangeAt ?? end + 10 * 366 * DAY
        const between = known.now + Math.floor((next - 1 - known.now) * part)
        for (const moment of [between, next - 1]) expect(progressOf(compiled, { ...known, now: moment })).toEqual(now)
        if (now.nextChangeAt === null) return
        expect(now.nextChangeAt).toBeGreaterThan(known.now)
        const then = progressOf(compiled, { ...known, now: now.nextChangeAt })
        expect(then.ratioComplete).toBe(now.ratioComplete)
        expect(then.stagesBehindSchedule).toBeGreaterThan(now.stagesBehindSchedule)
      }),
      { numRuns: runs(400) },
    )
  })
})

test('all stages of a configuration without circles can be completed, with a circle they cannot', () => {
  const rule = fc.record({ type: fc.constant('stage_completion' as const), stageId, stageRecurrence: fc.nat(1) })
  const waits = fc.oneof(
    fc.record({ type: fc.constant('stage' as const), stage: stageId, stageRecurrence: fc.nat(1), delay: days }),
    fc.record({ type: fc.constant('anchor' as const), anchor: anchorId, delay: days }),
  )
  const each = fc.record({
    enableAfter: oftenNull(waits),
    adHoc: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.boolean()),
    isAnchored: fc.boolean(),
    anchorSchedule: fc.array(fc.record({ anchor: anchorId, dayOffset: days }), { minLength: 1, maxLength: 2 }),
  })
  const outcomes = new Set<boolean>()
  fc.assert(
    fc.property(fc.array(each, { minLength: 4, maxLength: 4 }), rule, rule, (all, one, two) => {
      const own = all.map((stage, i) =>
        aStage({ ...stage, _id: ids[i]!, isRecurring: true, recurringFrequency: 1, recurringDuration: 2 }),
      )
      const anchors: TimelineAnchor[] = [
        { _id: idOf('e'), name: 'One', assignmentRule: one },
        { _id: idOf('f'), name: 'Two', assignmentRule: two },
      ]
      const problems = timelineProblems(own, anchors)
      expect(problems.every(({ problem }) => problem.code === 'waitingCircle')).toBe(true)
      const [completions, dates] = [new Map<string, number>(), new Map<string, number>()]
      const complete = (stageId: string, stageRecurrence: number) => {
        completions.set(`${stageId}::${stageRecurrence}`, start)
        for (const due of dueAnchors(anchors, { type: 'stage_completion', stageId, stageRecurrence }, dates))
          dates.set(due, start)
      }
      const compiled = compileTimeline(own)
      const known = anInput({ now: end + 366 * DAY, registeredAt: start, completions, anchors: dates })
      for (let round = 0; round < 10; round++) {
        for (const { enabled, stage, stageRecurrence } of timelineOf(compiled, known)) {
          if (enabled) for (const n of stageRecurrence === null ? [0, 1] : [stageRecurrence]) complete(stage, n)
        }
      }
      const whole = timelineOf(compiled, known).every(({ completed }) => completed)
      expect(whole).toBe(problems.length === 0)
      outcomes.add(whole)
    }),
    { numRuns: runs(400) },
  )
  expect(outcomes.size).toBe(2) // there were configurations of both kinds
})

describe('time zone arithmetic', () => {
  const ever = fc.integer({ min: at('1965-01-01T00:00Z'), max: at('2120-01-01T00:00Z') })
  const plain = (clock: number) =>
    Temporal.Instant.fromEpochNanoseconds(BigInt(clock) * 1000n)
      .toZonedDateTimeISO('UTC')
      .toPlainDateTime()
  const microseconds = (moment: Temporal.ZonedDateTime) => Number(moment.epochNanoseconds / 1000n)
  const zoned = (zone: string, moment: number) =>
    Temporal.Instant.fromEpochNanoseconds(BigInt(moment) * 1000n).toZonedDateTimeISO(zone)

  test('converts between local times and instants as Temporal does', () => {
    fc.assert(
      fc.property(zoneName, ever, (zone, moment) => {
        expect(plain(clockOf(zoneOf(zone), moment)).toString()).toBe(zoned(zone, moment).toPlainDateTime().toString())
        expect(instantOf(zoneOf(zone), moment)).toBe(microseconds(plain(moment).toZonedDateTime(zone)))
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('does so in the hours around every change of the clocks', () => {
    for (const zone of zoneNames) {
      let change = zoned(zone, start).getTimeZoneTransition('next')
      for (let i = 0; i < 6 && change; i++, change = change.getTimeZoneTransition('next')) {
        const clock = clockOf(zoneOf(zone), microseconds(change))
        for (let reading = clock - 4 * HOUR; reading <= clock + 4 * HOUR; reading += 5 * 60 * SECOND) {
          const expected = microseconds(plain(reading).toZonedDateTime(zone))
          expect([zone, reading, instantOf(zoneOf(zone), reading)]).toEqual([zone, reading, expected])
          expect(instantOf(zoneOf(zone), reading - 1)).toBe(microseconds(plain(reading - 1).toZonedDateTime(zone)))
        }
      }
    }
  })

  test('adds days and keeps the time of day, or sets the given one', () => {
    fc.assert(
      fc.property(zoneName, ever, fc.integer({ min: -400, max: 400 }), (zone, moment, count) => {
        const from = zoned(zone, moment)
        expect(instantAfter(zoneOf(zone), moment, count, null)).toBe(microseconds(from.add({ days: count })))
        const noon = from.toPlainDate().add({ days: count }).toPlainDateTime('12:00')
        expect(plain(clockAfter(zoneOf(zone), moment, count, 12 * HOUR)).toString()).toBe(noon.toString())
      }),
      { numRuns: runs(1_000) },
    )
  })

  test('refuses an unknown zone', () => expect(() => zoneOf('Mars/Olympus')).toThrow(RangeError))
})
