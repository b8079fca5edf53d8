/** The models of timelines. */
import {
  described,
  flag,
  id,
  instant,
  joined,
  list,
  maybe,
  number,
  type Of,
  orNull,
  shape,
  text,
  whole,
} from '#wire/words'

/** See docs/timelines.md. */
const TimelineEntry = shape({
  _id: described('`<stageId>::<n>` for an occurrence of a repeated stage, n from 0', text(24, 40)),
  name: text(0, 1000),
  description: text(0, 10_000),
  enabled: described('Can be opened now', flag()),
  completed: flag(),
  completedAt: orNull(instant()),
  enableAt: described('When it opens; null until what it waits for has happened', orNull(instant())),
  expiresAt: described('Only where there is an availability window', maybe(orNull(instant()))),
  expired: described('The window has passed', flag()),
  adHoc: described('Always available', flag()),
})

/** The additional fields that staff see. */
export const StaffTimelineEntry = joined(
  TimelineEntry,
  shape({
    stage: id(),
    stageRecurrence: described('Null for an ad hoc stage', orNull(whole(0))),
    isPoll: flag(),
    visible: described('Whether the participant is shown it', flag()),
    behind: described('Past its cut-off and not completed', flag()),
  }),
)

const ratioComplete = described('Completed timepoints divided by visible ones', number(0, 1))

/** A participant's own timeline. */
export const Timeline = shape({ stages: list(TimelineEntry, 1_000_000), ratioComplete })
export type Timeline = Of<typeof Timeline>

/** The date a participant has for an anchor. */
export const AnchorDate = shape({ anchor: id(), datetime: instant() })

/** A participant's timeline as staff see it, including stages that the participant does not see. */
export const StaffTimeline = shape({
  stages: list(StaffTimelineEntry, 1_000_000),
  ratioComplete,
  anchors: described('The anchors that have a date for this participant', list(AnchorDate)),
})
export type StaffTimeline = Of<typeof StaffTimeline>

const stageRecurrence = maybe(described('From 0; 0 where it is left out', orNull(whole(0))))

/** See docs/timelines.md, "Openings". */
export const StageOverride = shape({
  stage: id(),
  stageRecurrence,
  enableAt: described('When it opens; a moment that has passed opens it at once', instant()),
  applyToAllRecurrences: maybe(described('Moves the occurrences after it by the same difference', flag())),
})

/** Names the override to delete, by the fields of the one that was created. */
export const RestoredStage = shape({
  stage: id(),
  stageRecurrence,
  enableAt: maybe(described('Not looked at', instant())),
  applyToAllRecurrences: maybe(described('Takes back those of the occurrences after it too', flag())),
})

export const AnchorDateInput = shape({ datetime: instant() })
