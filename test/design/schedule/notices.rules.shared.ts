/** Stages and hours in the short form of the tables of notices, and the test of such a table. */
import { expect, test } from 'bun:test'
import { compileTimeline, type TimelineInput, type TimelineStage } from '#design/schedule/rules'
import { anInput, aStage, at, idOf, noticed, short } from './timeline.rules.sample'

export const a = idOf('a')

export const hours = (...all: number[]) => all.map((hour) => ({ hour }))

export const moved = (enableAt: string, stageRecurrence = 0) => ({
  overrides: [{ stage: a, stageRecurrence, enableAt: at(enableAt), applyToAllRecurrences: false }],
})

/** A stage that opens a day after an anchor, at 08:00. */
export const morning: Partial<TimelineStage> = {
  enableAtTime: '08:00:00',
  enableAfter: { type: 'anchor', anchor: idOf('e'), delay: 1 },
}

export const anchored = (zone: string, anchor: string) => ({ zone, anchors: new Map([[idOf('e'), at(anchor)]]) })

/** A case for a stage that opens at registration, at 10:00 on 1 March 2026. */
export type Case = {
  name: string
  stage: Partial<TimelineStage>
  now: string
  input?: Partial<TimelineInput>
  sent?: string[]
  due?: string[]
  next?: string
}

/** Tests each case: which notices are due, and when the next one is. */
export function testNotices(cases: readonly Case[]): void {
  test.each(cases.map((each) => [each.name, each] as const))(
    '%s',
    (_, { stage, now, input, sent = [], due = [], next }) => {
      const all = noticed(compileTimeline([aStage(stage)]), anInput({ now: at(now), ...input }), new Set(sent))
      expect(all.due.map(({ stageRecurrence, occasion }) => `${stageRecurrence} ${occasion}`)).toEqual(due)
      expect(short(all.nextAt)).toBe(next ?? '-')
    },
  )
}
