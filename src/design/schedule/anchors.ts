/** Anchors: the dates in a participant's study that stages open by (docs/timelines.md, "Anchors"). */
import type { AssignmentRule } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type { AssignmentRule }

export type TimelineAnchor = { _id: Id; name: string; assignmentRule: AssignmentRule }

/** What has happened to a participant: a first sign-in, or the first submission of an occurrence. */
export type Milestone =
  | { type: 'participant_login' }
  | { type: 'stage_completion'; stageId: Id; stageRecurrence: number }

/**
 * The anchors that a milestone sets, to its moment. One that has a date already keeps it: what staff set by hand, and
 * what an earlier submission set, does not change in silence.
 */
export function dueAnchors(
  anchors: readonly TimelineAnchor[],
  milestone: Milestone,
  set: ReadonlyMap<Id, Instant>,
): Id[] {
  return anchors
    .filter(({ _id, assignmentRule: rule }) => {
      if (set.has(_id) || rule.type !== milestone.type) return false
      if (rule.type !== 'stage_completion' || milestone.type !== 'stage_completion') return true
      return rule.stageId === milestone.stageId && (rule.stageRecurrence ?? 0) === milestone.stageRecurrence
    })
    .map(({ _id }) => _id)
}
