/** The models of timelines. */
import {
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  number,
  type Of,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/words'

/** See docs/timelines.md. */
const TimelineEntry = shape({
  _id: withDescription('`<stageId>::<n>` for an occurrence of a repeated stage, n from 0', text(24, 40)),
  name: text(0, 1000),
  description: text(0, 10_000),
  enabled: withDescription('Can be opened now', flag()),
  completed: flag(),
  completedAt: orNull(instant()),
  enableAt: withDescription('When it opens; null until what it waits for has happened', orNull(instant())),
  expiresAt: withDescription('Only where there is an availability window', maybe(orNull(instant()))),
  expired: withDescription('The window has passed', flag()),
  adHoc: withDescription('Always available', flag()),
})

/** The additional fields that staff see. */
export const StaffTimelineEntry = joinShapes(
  TimelineEntry,
  shape({
    stage: id(),
    stageRecurrence: withDescription('Null for an ad hoc stage', orNull(whole(0))),
    isPoll: flag(),
    visible: withDescription('Whether the participant is shown it', flag()),
    behind: withDescription('Past its cut-off and not completed', flag()),
  }),
)

const ratioComplete = withDescription('Completed timepoints divided by visible ones', number(0, 1))

/** A participant's own timeline. */
export const Timeline = shape({ stages: list(TimelineEntry, 1_000_000), ratioComplete })
export type Timeline = Of<typeof Timeline>

/** The date a participant has for an anchor. */
export const AnchorDate = shape({ anchor: id(), datetime: instant() })

/** A participant's timeline as staff see it, including stages that the participant does not see. */
export const StaffTimeline = shape({
  stages: list(StaffTimelineEntry, 1_000_000),
  ratioComplete,
  anchors: withDescription('The anchors that have a date for this participant', list(AnchorDate)),
})
export type StaffTimeline = Of<typeof StaffTimeline>

const stageRecurrence = maybe(withDescription('From 0; 0 where it is left out', orNull(whole(0))))

/** See docs/timelines.md, "Openings". */
export const StageOverride = shape({
  stage: id(),
  stageRecurrence,
  enableAt: withDescription('When it opens; a moment that has passed opens it at once', instant()),
  applyToAllRecurrences: maybe(withDescription('Moves the occurrences after it by the same difference', flag())),
})

/** Names the override to delete, by the fields of the one that was created. */
export const RestoredStage = shape({
  stage: id(),
  stageRecurrence,
  enableAt: maybe(withDescription('Not looked at', instant())),
  applyToAllRecurrences: maybe(withDescription('Takes back those of the occurrences after it too', flag())),
})

export const AnchorDateInput = shape({ datetime: instant() })
