/** The runs of occurrences are those of the timeline, for any stages, zones, anchors and overrides. */
import { expect, test } from 'bun:test'
import { compileTimeline, timelineOf } from '#design/schedule/rules'
import { digestOf, openingIn, runsOf, stepOf } from '#design/schedule/runs'
import { zoneOf } from '#kernel/zones'
import { holds } from './timeline.rules.reading.shared'

test('the occurrences of all runs open when the timeline says, and no others do', () => {
  holds((all, known) => {
    const compiled = compileTimeline(all)
    const runs = runsOf(compiled, known)
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
