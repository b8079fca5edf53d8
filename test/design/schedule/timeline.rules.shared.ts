/** Reads timelines for tests. */
import {
  compileTimeline,
  type TimelineEntry,
  type TimelineInput,
  type TimelineStage,
  timelineOf,
} from '#design/schedule/rules'
import { short } from './timeline.rules.sample'

export const entriesOf = (stages: TimelineStage[], input: TimelineInput) => timelineOf(compileTimeline(stages), input)

export const opensOf = (entries: TimelineEntry[]) => entries.map(({ enableAt }) => short(enableAt))
