import { describe, expect, test } from 'bun:test'
import type { StageOverride, TimelineInput, TimelineStage } from '#design/schedule/rules'
import { anInput, aStage, at, daily, idOf, short } from './timeline.rules.sample'
import { entriesOf, opensOf } from './timeline.rules.shared'

describe('overrides', () => {
  const moved = (stageRecurrence: number, enableAt: string, applyToAllRecurrences = false): StageOverride => ({
    stage: idOf('a'),
    stageRecurrence,
    enableAt: at(enableAt),
    applyToAllRecurrences,
  })
  const diary = daily(4, { enableAtTime: '08:00' })
  const waiting = daily(3, { enableAfter: { type: 'anchor', anchor: idOf('b'), delay: 0 }, enableAtTime: '08:00' })
  const visits = aStage({
    isAnchored: true,
    enableAtTime: '00:00',
    anchorSchedule: [-3, 25, 53].map((dayOffset) => ({ anchor: idOf('b'), dayOffset })),
  })
  const firstDose = new Map([[idOf('b'), at('2026-03-10T14:00Z')]])
  const cases: [string, TimelineStage, Partial<TimelineInput>, string[]][] = [
    [
      'one occurrence',
      diary,
      { overrides: [moved(1, '2026-03-02T18:00Z')] },
      ['2026-03-01T08:00Z', '2026-03-02T18:00Z', '2026-03-03T08:00Z', '2026-03-04T08:00Z'],
    ],
    [
      'one into the past',
      diary,
      { overrides: [moved(2, '2025-12-24T00:00Z')] },
      ['2025-12-24T00:00Z', '2026-03-01T08:00Z', '2026-03-02T08:00Z', '2026-03-04T08:00Z'],
    ],
    [
      'all, from the first',
      diary,
      { overrides: [moved(0, '2026-03-08T10:30Z', true)] },
      ['2026-03-08T10:30Z', '2026-03-09T10:30Z', '2026-03-10T10:30Z', '2026-03-11T10:30Z'],
    ],
    [
      'all, from the third: earlier ones stay',
      diary,
      { overrides: [moved(2, '2026-03-13T08:00Z', true)] },
      ['2026-03-01T08:00Z', '2026-03-02T08:00Z', '2026-03-13T08:00Z', '2026-03-14T08:00Z'],
    ],
    [
      'all, and one of them again',
      diary,
      { overrides: [moved(0, '2026-03-08T08:00Z', true), moved(2, '2026-03-20T08:00Z')] },
      ['2026-03-08T08:00Z', '2026-03-09T08:00Z', '2026-03-11T08:00Z', '2026-03-20T08:00Z'],
    ],
    [
      'all, twice: the nearer counts',
      diary,
      { overrides: [moved(2, '2026-03-20T08:00Z', true), moved(0, '2026-03-08T08:00Z', true)] },
      ['2026-03-08T08:00Z', '2026-03-09T08:00Z', '2026-03-20T08:00Z', '2026-03-21T08:00Z'],
    ],
    [
      'all, over a change of the clocks',
      diary,
      { zone: 'Europe/London', overrides: [moved(0, '2026-03-27T09:00Z', true)] },
      ['2026-03-27T09:00Z', '2026-03-28T09:00Z', '2026-03-29T08:00Z', '2026-03-30T08:00Z'],
    ],
    [
      'of another stage',
      diary,
      { overrides: [{ ...moved(0, '2026-04-01T08:00Z', true), stage: idOf('d') }] },
      ['2026-03-01T08:00Z', '2026-03-02T08:00Z', '2026-03-03T08:00Z', '2026-03-04T08:00Z'],
    ],
    [
      'one waiting occurrence',
      waiting,
      { overrides: [moved(1, '2026-03-05T06:00Z')] },
      ['2026-03-05T06:00Z', '-', '-'],
    ],
    [
      'all waiting occurrences',
      waiting,
      { overrides: [moved(0, '2026-03-05T06:00Z', true)] },
      ['2026-03-05T06:00Z', '2026-03-06T06:00Z', '2026-03-07T06:00Z'],
    ],
    [
      'all waiting occurrences: none moves again when the anchor gets its date',
      waiting,
      { anchors: firstDose, overrides: [moved(0, '2026-03-05T06:00Z', true)] },
      ['2026-03-05T06:00Z', '2026-03-06T06:00Z', '2026-03-07T06:00Z'],
    ],
    [
      'visits by a schedule, all: the later by the same difference',
      visits,
      { anchors: firstDose, overrides: [moved(0, '2026-03-09T00:00Z', true)] },
      ['2026-03-09T00:00Z', '2026-04-06T00:00Z', '2026-05-04T00:00Z'],
    ],
    [
      'visits by a schedule, all, over a change of the clocks',
      visits,
      { zone: 'Europe/London', anchors: firstDose, overrides: [moved(0, '2026-03-09T09:00Z', true)] },
      ['2026-03-09T09:00Z', '2026-04-06T08:00Z', '2026-05-04T08:00Z'],
    ],
    [
      'visits that wait: no difference is known yet',
      visits,
      { overrides: [moved(0, '2026-03-09T00:00Z', true)] },
      ['2026-03-09T00:00Z', '-', '-'],
    ],
    [
      'two on one day, into the second of two repeated hours',
      aStage({ isAnchored: true, anchorSchedule: [0, 0].map((dayOffset) => ({ anchor: idOf('b'), dayOffset })) }),
      { zone: 'Europe/London', anchors: firstDose, overrides: [moved(0, '2026-10-25T01:30Z', true)] },
      ['2026-10-25T01:30Z', '2026-10-25T01:30Z'],
    ],
    ['a stage that does not recur', aStage(), { overrides: [moved(0, '2026-05-01T00:00Z')] }, ['2026-05-01T00:00Z']],
  ]
  test.each(cases)('move %s', (_, stage, input, opens) => {
    expect(opensOf(entriesOf([stage], anInput(input)))).toEqual(opens)
  })

  test('a moved occurrence moves its window and its cut-off', () => {
    const stage = daily(2, { availabilityWindowHours: 6, behindCutoffTime: '20:00' })
    const overrides = [moved(0, '2026-02-20T21:00Z')]
    const input = anInput({ now: at('2026-02-21T19:59:59Z'), overrides })
    const entry = entriesOf([stage], input)[0]!
    expect([short(entry.expiresAt), entry.expired, entry.behind]).toEqual(['2026-02-21T03:00Z', true, false])
    expect(entriesOf([stage], { ...input, now: at('2026-02-21T20:00Z') })[0]!.behind).toBe(true)
  })
})
