/** The runs of occurrences are those of the timeline, for any stages, zones, anchors and overrides. */
import { expect, test } from 'bun:test'
import { compileTimeline, type TimelineInput, type TimelineStage, timelineOf } from '#design/schedule/rules'
import { digestOf, openingIn, runsOf, stepOf } from '#design/schedule/runs'
import { zoneOf } from '#kernel/zones'
import { every } from './timeline.rules.configuration.shared'
import { holds } from './timeline.rules.reading.shared'
import { anInput, at, daily, idOf, short } from './timeline.rules.sample'

test('the occurrences of all runs open when the timeline says, and no others do', () => {
  holds((all, known) => {
    const compiled = compileTimeline(all)
    const runs = runsOf(compiled, known)
    for (const { first, last } of runs) expect(last).toBeGreaterThanOrEqual(first)
    const found = runs.flatMap((run) => {
      const step = stepOf(compiled.byId.get(run.stage)!)
      return Array.from({ length: run.last - run.first + 1 }, (_, index) => {
        const n = run.first + index
        return `${run.stage} ${n} ${openingIn(run, n, step, zoneOf(run.zone))}`
      })
    })
    const expected = timelineOf(compiled, known)
      .filter(({ visible, adHoc, enableAt }) => visible && !adHoc && enableAt !== null)
      .map(({ stage, stageRecurrence, enableAt }) => `${stage} ${stageRecurrence} ${enableAt}`)
    expect(found.sort()).toEqual(expected.sort())
  }, 2000)
})

const [b, c] = [idOf('b'), idOf('c')]
const weekly = (...dayOffsets: number[]) =>
  every(7, 28, { isAnchored: true, anchorSchedule: dayOffsets.map((dayOffset) => ({ anchor: b, dayOffset })) })
const anchors = new Map([[b, at('2026-03-02T09:00Z')]])
const move = (stageRecurrence: number, enableAt: string, applyToAllRecurrences = false) => ({
  overrides: [{ stage: idOf('a'), stageRecurrence, enableAt: at(enableAt), applyToAllRecurrences }],
})
/** By run, the numbers of its first and last occurrence, and when they open. */
const cases: [string, TimelineStage, Partial<TimelineInput>, string[]][] = [
  ['a schedule in steps of the frequency', weekly(0, 7, 14), { anchors }, ['0 2026-03-02T09:00Z, 3 2026-03-23T09:00Z']],
  [
    'a schedule in other steps, which goes on by the frequency',
    weekly(0, 3),
    { anchors },
    ['0 2026-03-02T09:00Z, 0 2026-03-02T09:00Z', '1 2026-03-05T09:00Z, 3 2026-03-19T09:00Z'],
  ],
  [
    'the last occurrence moved',
    daily(3),
    move(2, '2026-03-09T10:00Z'),
    ['0 2026-03-01T10:00Z, 1 2026-03-02T10:00Z', '2 2026-03-09T10:00Z, 2 2026-03-09T10:00Z'],
  ],
  [
    'the first in the second of two repeated hours, the others at its reading',
    daily(2),
    { zone: 'Europe/London', registeredAt: at('2026-10-25T01:30Z') },
    ['0 2026-10-25T01:30Z, 1 2026-10-26T01:30Z'],
  ],
  [
    'moved by a visit whose own date is not known: the later ones keep theirs',
    every(7, 21, { isAnchored: true, anchorSchedule: [c, b].map((anchor) => ({ anchor, dayOffset: 0 })) }),
    { anchors, ...move(0, '2026-03-01T12:00Z', true) },
    ['0 2026-03-01T12:00Z, 0 2026-03-01T12:00Z', '1 2026-03-02T09:00Z, 2 2026-03-09T09:00Z'],
  ],
]
test.each(cases)('runs of %s', (_, stage, input, expected) => {
  const compiled = compileTimeline([stage])
  const runs = runsOf(compiled, anInput(input)).map((run) =>
    [run.first, run.last]
      .map((n) => `${n} ${short(openingIn(run, n, stepOf(compiled.stages[0]!), zoneOf(run.zone)))}`)
      .join(', '),
  )
  expect(runs).toEqual(expected)
})

test('the digest differs when the runs do, and is 0 for none', () => {
  expect(digestOf([])).toBe(0)
  const run = { stage: 'a', first: 0, last: 3, zone: 'UTC', origin: 1, firstAt: 1 }
  const others = [
    { ...run, last: 4 },
    { ...run, origin: 2 },
    { ...run, zone: 'Asia/Tokyo' },
    { ...run, firstAt: 2 },
  ]
  const digests = [[run], [run, run], ...others.map((each) => [each])].map(digestOf)
  expect(new Set(digests).size).toBe(digests.length)
})

test('a stage that recurs every day has one run, whatever the number of its occurrences', () => {
  holds((all, known) => {
    const simple = all.filter(({ isAnchored }) => !isAnchored)
    const compiled = compileTimeline(simple)
    const { length } = new Set(known.overrides.map(({ stage }) => stage)).values().toArray()
    if (length === 0) expect(runsOf(compiled, known).length).toBeLessThanOrEqual(simple.length)
  }, 300)
})
