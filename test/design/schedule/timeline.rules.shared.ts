/** Reads timelines for tests. */
import { compileTimeline, type Entry, type TimelineInput, type TimelineStage, timelineOf } from '#design/schedule/rules'
import { short } from './timeline.rules.sample'

export const entriesOf = (stages: TimelineStage[], input: TimelineInput) => timelineOf(compileTimeline(stages), input)

export const opensOf = (entries: Entry[]) => entries.map(({ enableAt }) => short(enableAt))
