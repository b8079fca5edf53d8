/** What a sign-in or a submission sets in a participant's timeline. */
import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'
import { type Instant, instantText } from '../../kernel/time'
import { dueAnchors, type Milestone, type TimelineAnchor } from './anchors'
import { anchorsOfParticipant, setAnchor } from './queries'

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
