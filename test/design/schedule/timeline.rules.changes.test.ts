/** How a timeline changes with what it is computed from: later dates, more time, more submissions, another order. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileTimeline, progressOf, type StageOverride, type TimelineInput, timelineOf } from '#design/schedule/rules'
import { DAY, type Instant } from '#kernel/time'
import { stages } from './timeline.rules.arbitrary'
import { computed, holds, withOverridesOnce } from './timeline.rules.reading.shared'

describe('it follows', () => {
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

  test('that a study a few days later, where the clocks never change, is the same a few days later', () => {
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
      { numRuns: 300 },
    )
  })

  test('that nothing opens earlier because what it waits for comes days later, or it waits longer', () => {
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
      { numRuns: 300 },
    )
  })

  test('that occurrences open one after the other where only the frequency tells them apart', () => {
    holds((all, given) => {
      const unscheduled = all.map((stage) => ({ ...stage, isAnchored: false }))
      const entries = computed(unscheduled, { ...given, overrides: [] })
      for (const [i, { stage, enableAt }] of entries.entries()) {
        const next = entries[i + 1]
        if (next?.stage === stage && enableAt !== null) expect(next.enableAt!).toBeGreaterThanOrEqual(enableAt)
      }
    })
  })

  test('that what has expired or is behind stays so as time goes on', () => {
    fc.assert(
      fc.property(stages, withOverridesOnce, fc.integer({ min: 0, max: 900 }), (all, known, days) => {
        const after = computed(all, { ...known, now: known.now + days * DAY })
        for (const [i, { expired, behind }] of computed(all, known).entries()) {
          if (expired) expect(after[i]!.expired).toBe(true)
          if (behind) expect(after[i]!.behind).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('that one more submission never takes from the ratio, and closes no other occurrence', () => {
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
      { numRuns: 300 },
    )
  })

  test('that the order in which things came to be known is of no matter', () => {
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
