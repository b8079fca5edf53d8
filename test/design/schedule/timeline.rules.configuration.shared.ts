/** Configurations of timelines for tests. */
import type { TimelineAnchor } from '#design/schedule/anchors'
import type { TimelineStage } from '#design/schedule/rules'
import { aStage, idOf } from './timeline.rules.sample'

export const every = (
  recurringFrequency: number | null,
  recurringDuration: number | null,
  rest: Partial<TimelineStage> = {},
) => aStage({ isRecurring: true, recurringFrequency, recurringDuration, ...rest })

export const schedule = (...names: string[]) => names.map((name) => ({ anchor: idOf(name), dayOffset: 0 }))

export const anAnchor = (name: string, assignmentRule: TimelineAnchor['assignmentRule'] = { type: 'manual' }) =>
  ({ _id: idOf(name), name: `Anchor ${name}`, assignmentRule }) as const
