/** The models of timelines. */
import { TextLanguages } from '#design/translations/textLanguages'
import {
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  number,
  oneLine,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

/** See docs/timelines.md. */
const TimelineEntry = shape('TimelineEntry', {
  _id: withDescription('`<stageId>::<n>` for an occurrence of a repeated stage, n from 0', text(24, 40)),
  name: oneLine(0, 1000),
  description: text(0, 10_000),
  enabled: withDescription('Whether it can be opened now', flag()),
  completed: flag(),
  completedAt: orNull(instant()),
  enableAt: withDescription(
    'When it opens; null while the stage or anchor that it waits for has no date',
    orNull(instant()),
  ),
  expiresAt: withDescription('When the availability window ends; missing if there is none', maybe(orNull(instant()))),
  expired: withDescription('Whether the availability window has ended', flag()),
  adHoc: withDescription('Whether it is an ad hoc stage, which is always available', flag()),
  behind: withDescription('Whether its cut-off has passed and it is not completed', flag()),
})

/** The additional fields that staff see. */
export const StaffTimelineEntry = joinShapes(
  'StaffTimelineEntry',
  TimelineEntry,
  shape({
    stage: id(),
    stageRecurrence: withDescription('Null for an ad hoc stage', orNull(whole(0))),
    isPoll: flag(),
    visible: withDescription('Whether the participant sees it', flag()),
  }),
)

const ratioComplete = withDescription('Completed timepoints divided by visible ones', number(0, 1))

/** A participant's own timeline. */
export const Timeline = shape('Timeline', {
  stages: list(TimelineEntry, 1_000_000),
  ratioComplete,
  texts: TextLanguages,
})
export type Timeline = ValueOf<typeof Timeline>

/** The date a participant has for an anchor. */
export const AnchorDate = shape('AnchorDate', { anchor: id(), datetime: instant() })

/** A participant's timeline as staff see it, including stages that the participant does not see. */
export const StaffTimeline = shape('StaffTimeline', {
  stages: list(StaffTimelineEntry, 1_000_000),
  ratioComplete,
  anchors: withDescription('The anchors that have a date for this participant', list(AnchorDate)),
})
export type StaffTimeline = ValueOf<typeof StaffTimeline>

const stageRecurrence = maybe(withDescription('From 0, which is the default', orNull(whole(0))))

/** See docs/timelines.md, "Openings". */
export const StageOverride = shape('StageOverride', {
  stage: id(),
  stageRecurrence,
  enableAt: withDescription('When it opens; a time in the past opens it at once', instant()),
  applyToAllRecurrences: maybe(withDescription('Whether the occurrences after it move by the same difference', flag())),
})

/** Names the override to delete, by the fields of the one that was created. */
export const RestoredStage = shape('RestoredStage', {
  stage: id(),
  stageRecurrence,
  enableAt: maybe(withDescription('Ignored', instant())),
  applyToAllRecurrences: maybe(
    withDescription('Whether the overrides of the occurrences after it are deleted too', flag()),
  ),
})

export const AnchorDateInput = shape('AnchorDateInput', { datetime: instant() })
