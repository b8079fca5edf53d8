/** What a sign-in or a submission sets in a participant's timeline. */
import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'
import { type Instant, instantText } from '../../kernel/time'
import { dueAnchors, type Milestone, type TimelineAnchor } from './anchors'
import { anchorsOfParticipant, clearAnchor, setAnchor } from './queries'

/** Sets the anchors that a milestone sets, to its moment; answers what the audit entry says of it: nothing, or `anchors`. */
export function reach(
  db: Db,
  anchors: readonly TimelineAnchor[],
  participant: Id,
  milestone: Milestone,
  at: Instant,
): { anchors?: { anchor: Id; datetime: string }[] } {
  if (!anchors.length) return {}
  const due = dueAnchors(anchors, milestone, anchorsOfParticipant(db, participant))
  for (const anchor of due) setAnchor(db, participant, anchor, at)
  return due.length ? { anchors: due.map((anchor) => ({ anchor, datetime: instantText(at) })) } : {}
}

/**
 * Takes back the dates of anchors that a milestone set, now that it is none: those that still have its moment, as what staff
 * set by hand stays. Answers what the audit entry says of it.
 */
export function unreach(
  db: Db,
  anchors: readonly TimelineAnchor[],
  participant: Id | null,
  milestone: Milestone,
  at: Instant,
): { anchorsCleared?: Id[] } {
  if (participant === null || !anchors.length) return {}
  const dates = anchorsOfParticipant(db, participant)
  const anchorsCleared = dueAnchors(anchors, milestone, new Map()).filter((anchor) => dates.get(anchor) === at)
  for (const anchor of anchorsCleared) clearAnchor(db, participant, anchor)
  return anchorsCleared.length ? { anchorsCleared } : {}
}
