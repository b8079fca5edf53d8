/** The models of timelines. */
import { TextLanguages } from '#design/translations/textLanguages'
import * as t from '#wire/schema'

/** See docs/timelines.md. */
const TimelineEntry = t.shape('TimelineEntry', {
  _id: t.withDescription('`<stageId>::<n>` for an occurrence of a repeated stage, n from 0', t.text(24, 40)),
  name: t.oneLine(0, 1000),
  description: t.text(0, 10_000),
  enabled: t.withDescription('Whether it can be opened now', t.flag()),
  completed: t.flag(),
  completedAt: t.orNull(t.instant()),
  enableAt: t.withDescription(
    'When it opens; null while the stage or anchor that it waits for has no date',
    t.orNull(t.instant()),
  ),
  expiresAt: t.withDescription(
    'When the availability window ends; missing if there is none',
    t.maybe(t.orNull(t.instant())),
  ),
  expired: t.withDescription('Whether the availability window has ended', t.flag()),
  adHoc: t.withDescription('Whether it is an ad hoc stage, which is always available', t.flag()),
  behind: t.withDescription('Whether its cut-off has passed and it is not completed', t.flag()),
})

/** The additional fields that staff see. */
export const StaffTimelineEntry = t.joinShapes(
  'StaffTimelineEntry',
  TimelineEntry,
  t.shape({
    stage: t.id(),
    stageRecurrence: t.withDescription('Null for an ad hoc stage', t.orNull(t.whole(0))),
    isPoll: t.flag(),
    visible: t.withDescription('Whether the participant sees it', t.flag()),
  }),
)

const ratioComplete = t.withDescription('Completed timepoints divided by visible ones', t.number(0, 1))

/** A participant's own timeline. */
export const Timeline = t.shape('Timeline', {
  stages: t.list(TimelineEntry, 1_000_000),
  ratioComplete,
  texts: TextLanguages,
})
export type Timeline = t.ValueOf<typeof Timeline>

/** The date a participant has for an anchor. */
export const AnchorDate = t.shape('AnchorDate', { anchor: t.id(), datetime: t.instant() })

/** A participant's timeline as staff see it, including stages that the participant does not see. */
export const StaffTimeline = t.shape('StaffTimeline', {
  stages: t.list(StaffTimelineEntry, 1_000_000),
  ratioComplete,
  anchors: t.withDescription('The anchors that have a date for this participant', t.list(AnchorDate)),
})
export type StaffTimeline = t.ValueOf<typeof StaffTimeline>

const stageRecurrence = t.maybe(t.withDescription('From 0, which is the default', t.orNull(t.whole(0))))

/** See docs/timelines.md, "Openings". */
export const StageOverride = t.shape('StageOverride', {
  stage: t.id(),
  stageRecurrence,
  enableAt: t.withDescription('When it opens; a time in the past opens it at once', t.instant()),
  applyToAllRecurrences: t.maybe(
    t.withDescription('Whether the occurrences after it move by the same difference', t.flag()),
  ),
})

/** Names the override to delete, by the fields of the one that was created. */
export const RestoredStage = t.shape('RestoredStage', {
  stage: t.id(),
  stageRecurrence,
  enableAt: t.maybe(t.withDescription('Ignored', t.instant())),
  applyToAllRecurrences: t.maybe(
    t.withDescription('Whether the overrides of the occurrences after it are deleted too', t.flag()),
  ),
})

export const AnchorDateInput = t.shape('AnchorDateInput', { datetime: t.instant() })
