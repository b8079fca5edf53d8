/**
 * Sets and clears the anchor dates of participants: those that milestones (a sign-in, a completed stage) set, and those that
 * staff set.
 */
import { appendEntry } from '#audit/append'
import { changedFields } from '#audit/changedFields'
import type { Db } from '#db/open'
import { dueAnchors, type Milestone, type TimelineAnchor } from '#design/schedule/anchors'
import { completionKey } from '#design/schedule/rules'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import {
  anchorsOfParticipant,
  anchorsSetOrCleared,
  completionsOf,
  type DueParticipant,
  deleteAnchorDate,
  setAnchor,
} from './store'

type AnchorDate = { anchor: Id; at: Instant }

const anchorEvent = (dates: readonly AnchorDate[]) =>
  dates.length ? { anchors: dates.map(({ anchor, at }) => ({ anchor, datetime: instantText(at) })) } : {}

/** Sets the anchors of a milestone to its time. Returns what the audit entry keeps: nothing, or `anchors`. */
export function setAnchorDates(
  db: Db,
  anchors: readonly TimelineAnchor[],
  participant: Id,
  milestone: Milestone,
  at: Instant,
): { anchors?: { anchor: Id; datetime: string }[] } {
  if (!anchors.length) return {}
  const due = dueAnchors(anchors, milestone, anchorsOfParticipant(db, participant))
  for (const anchor of due) setAnchor(db, participant, anchor, at)
  return anchorEvent(due.map((anchor) => ({ anchor, at })))
}

/**
 * Sets the anchors whose milestone the participant passed before the anchor or its rule existed, to the time of the milestone,
 * and writes an audit entry. An anchor that has a date keeps it, and one that staff cleared stays cleared. Returns whether it set
 * any, which marks the progress of the participant as due.
 */
export function setMissedAnchorDates(
  db: Db,
  anchors: readonly TimelineAnchor[],
  { _id: participant, trial, joinedAt }: DueParticipant,
  now: Instant,
): boolean {
  const withRule = anchors.filter(({ assignmentRule: { type } }) => type !== 'manual')
  if (!withRule.length) return false
  const setOrCleared = anchorsSetOrCleared(db, participant)
  const open = withRule.filter(({ _id }) => !setOrCleared.has(_id))
  if (!open.length) return false
  const completions = completionsOf(db, participant)
  const missed = open.flatMap(({ _id: anchor, assignmentRule: rule }): AnchorDate[] => {
    const at =
      rule.type === 'stage_completion'
        ? completions.get(completionKey(rule.stageId, rule.stageRecurrence ?? 0))
        : joinedAt
    return at == null ? [] : [{ anchor, at }]
  })
  if (!missed.length) return false
  for (const { anchor, at } of missed) setAnchor(db, participant, anchor, at)
  const event = anchorEvent(missed)
  appendEntry(db, { chain: trial, createdAt: now, type: 'setAnchorDate', userType: 'system', participant, event })
  return true
}

/** Sets the date of an anchor, as staff do. Returns what the audit entry keeps of it. */
export function setAnchorDateManually(db: Db, participant: Id, anchor: { _id: Id; name: string }, at: Instant) {
  const before = anchorsOfParticipant(db, participant).get(anchor._id)
  setAnchor(db, participant, anchor._id, at)
  const datetime = before === undefined ? null : instantText(before)
  return { name: anchor.name, ...changedFields({ datetime }, { datetime: instantText(at) }) }
}

/**
 * Clears the anchor dates that a milestone set, because it no longer holds. Only dates equal to the time of the milestone are
 * cleared: others were set by staff. Returns what the audit entry keeps of it.
 */
export function clearAnchorDates(
  db: Db,
  anchors: readonly TimelineAnchor[],
  participant: Id | null,
  milestone: Milestone,
  at: Instant,
): { anchorsCleared?: Id[] } {
  if (participant === null || !anchors.length) return {}
  const dates = anchorsOfParticipant(db, participant)
  const anchorsCleared = dueAnchors(anchors, milestone, new Map()).filter((anchor) => dates.get(anchor) === at)
  for (const anchor of anchorsCleared) deleteAnchorDate(db, participant, anchor)
  return anchorsCleared.length ? { anchorsCleared } : {}
}
