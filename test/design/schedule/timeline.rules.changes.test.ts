/** How a timeline changes with what it is computed from: later dates, more time, more submissions, another order. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileTimeline, progressOf, type StageOverride, type TimelineInput, timelineOf } from '#design/schedule/rules'
import { DAY, type Instant } from '#kernel/time'
import { runs } from '../../proof'
import { stages } from './timeline.rules.arbitrary'
import { computed, holds, withOverridesOnce } from './timeline.rules.reading.shared'

describe('a timeline', () => {
  const shifted = (known: TimelineInput, by: number): TimelineInput => {
    const all = (dates: ReadonlyMap<string, Instant>) => new Map([...dates].map(([id, at]) => [id, at + by]))
    return {
      ...known,
      now: known.now + by,
      registeredAt: known.registeredAt + by,
      anchors: all(known.anchors),
      completions: all(known.completions),
      overrides: known.overrides.map((each) => ({ ...each, enableAt: each.enableAt + by })),
    }
  }
  const later = (at: Instant | null | undefined, by: number) => (at == null ? at : at + by)

  test('of a study that starts days later is the same, days later, in a zone whose clocks never change', () => {
    fc.assert(
      fc.property(stages, withOverridesOnce, fc.integer({ min: -900, max: 900 }), (all, given, days) => {
        const known = { ...given, zone: 'UTC' }
        const by = days * DAY
        const expected = computed(all, known).map((entry) => ({
          ...entry,
          completedAt: later(entry.completedAt, by),
          enableAt: later(entry.enableAt, by),
          ...('expiresAt' in entry ? { expiresAt: later(entry.expiresAt, by) } : {}),
        }))
        expect(computed(all, shifted(known, by)) as unknown).toEqual(expected)
        const [then, now] = [
          progressOf(compileTimeline(all), shifted(known, by)),
          progressOf(compileTimeline(all), known),
        ]
        expect(then).toEqual({ ...now, nextChangeAt: later(now.nextChangeAt, by) ?? null })
      }),
      { numRuns: runs(300) },
    )
  })

  test('opens nothing earlier if the events that stages wait for are later, or the delays longer', () => {
    fc.assert(
      fc.property(stages, withOverridesOnce, fc.integer({ min: 1, max: 60 }), (all, given, days) => {
        const known = { ...given, overrides: [] as StageOverride[] }
        const put = shifted(known, days * DAY)
        const longer = all.map((stage) => ({
          ...stage,
          enableAfter: stage.enableAfter && { ...stage.enableAfter, delay: (stage.enableAfter.delay ?? 0) + days },
          anchorSchedule: stage.anchorSchedule?.map((e) => ({ ...e, dayOffset: e.dayOffset + days })) ?? null,
          availabilityWindowHours: stage.availabilityWindowHours && stage.availabilityWindowHours + days,
        }))
        const before = computed(all, known)
        for (const after of [computed(all, put), computed(longer, known)]) {
          for (const [i, { enableAt, expiresAt }] of after.entries()) {
            expect(enableAt ?? 0).toBeGreaterThanOrEqual(before[i]!.enableAt ?? 0)
            expect(expiresAt ?? 0).toBeGreaterThanOrEqual(before[i]!.expiresAt ?? 0)
          }
        }
      }),
      { numRuns: runs(300) },
    )
  })

  test('opens occurrences in order if they differ only by the frequency', () => {
    holds((all, given) => {
      const unscheduled = all.map((stage) => ({ ...stage, isAnchored: false }))
      const entries = computed(unscheduled, { ...given, overrides: [] })
      for (const [i, { stage, enableAt }] of entries.entries()) {
        const next = entries[i + 1]
        if (next?.stage === stage && enableAt !== null) expect(next.enableAt!).toBeGreaterThanOrEqual(enableAt)
      }
    })
  })

  test('keeps entries expired or behind as time passes', () => {
    fc.assert(
      fc.property(stages, withOverridesOnce, fc.integer({ min: 0, max: 900 }), (all, known, days) => {
        const after = computed(all, { ...known, now: known.now + days * DAY })
        for (const [i, { expired, behind }] of computed(all, known).entries()) {
          if (expired) expect(after[i]!.expired).toBe(true)
          if (behind) expect(after[i]!.behind).toBe(true)
        }
      }),
      { numRuns: runs(300) },
    )
  })

  test('never has a lower ratio after one more submission, nor another opening', () => {
    fc.assert(
      fc.property(stages, withOverridesOnce, fc.nat(), (all, known, pick) => {
        const before = computed(all, known)
        const { stage, stageRecurrence } = before[pick % before.length]!
        const place = `${stage}::${stageRecurrence ?? 0}`
        if (known.completions.has(place)) return
        const more = { ...known, completions: new Map([...known.completions, [place, known.now]]) }
        const ratio = (some: TimelineInput) => progressOf(compileTimeline(all), some).ratioComplete
        expect(ratio(more)).toBeGreaterThanOrEqual(ratio(known))
        const after = computed(all, more)
        for (const [i, { enableAt }] of before.entries())
          if (enableAt !== null) expect(after[i]!.enableAt).toBe(enableAt)
      }),
      { numRuns: runs(300) },
    )
  })

  test('does not depend on the order of its inputs', () => {
    holds((all, known) => {
      const turned: TimelineInput = {
        ...known,
        sites: known.sites.toReversed(),
        groups: known.groups.toReversed(),
        anchors: new Map([...known.anchors].reverse()),
        completions: new Map([...known.completions].reverse()),
        overrides: known.overrides.toReversed(),
      }
      expect(timelineOf(compileTimeline(all), turned)).toEqual(timelineOf(compileTimeline(all), known))
      expect(progressOf(compileTimeline(all), turned)).toEqual(progressOf(compileTimeline(all), known))
    })
  })
})
