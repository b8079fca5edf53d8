/** Anchors: a participant's dates from which stages count their openings (docs/timelines.md, "Anchors"). */
import type { AssignmentRule } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type { AssignmentRule }

export type TimelineAnchor = { _id: Id; name: string; assignmentRule: AssignmentRule }

/** An event that can set anchors: a participant's first sign-in, or the first submission of an occurrence. */
export type Milestone =
  | { type: 'participant_login' }
  | { type: 'stage_completion'; stageId: Id; stageRecurrence: number }

/**
 * The anchors that a milestone sets to its time. Anchors that have a date already keep it, whether staff or an earlier
 * submission set it.
 */
export function dueAnchors(
  anchors: readonly TimelineAnchor[],
  milestone: Milestone,
  setDates: ReadonlyMap<Id, Instant>,
): Id[] {
  return anchors
    .filter(({ _id, assignmentRule: rule }) => {
      if (setDates.has(_id) || rule.type !== milestone.type) return false
      if (rule.type !== 'stage_completion' || milestone.type !== 'stage_completion') return true
      return rule.stageId === milestone.stageId && (rule.stageRecurrence ?? 0) === milestone.stageRecurrence
    })
    .map(({ _id }) => _id)
}
