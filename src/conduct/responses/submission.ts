/** Submitting, for staff and participants: the submission, its audit entry and its effects. */

import type { ParticipantRow } from '#conduct/participants/store'
import { reach, unreach } from '#conduct/timeline/milestones'
import { zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import type { Trial } from '#design/trials/store'
import type { Asked, Note } from '#http/operation'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { follow } from './follow'
import { submissionsIn } from './layout'
import type { Submission } from './refusals'
import { type ResponseRow, type Stamp, stampsByNumber, stampsOf } from './store'
import { type Submitted, submissionDigest, submit } from './submit'

type SubmitContext = Asked & {
  trial: Trial
  participant: ParticipantRow
  record(note: Note): void
}

type Answers = Pick<
  Submission,
  'configuration' | 'stage' | 'stageRecurrence' | 'existing' | 'sent' | 'by' | 'updateNote' | 'needsNote'
>

/** Sets the anchors that depend on the completion of this occurrence. Returns what the audit entry keeps of it. */
export function completed(
  db: Db,
  configuration: Configuration,
  participant: Id,
  stage: Id,
  stageRecurrence: number,
  at: Instant,
) {
  const milestone = { type: 'stage_completion' as const, stageId: stage, stageRecurrence }
  return reach(db, configuration.anchors, participant, milestone, at)
}

/** Clears the anchor dates that the completion of this response set. Returns what the audit entry keeps of it. */
export function notCompleted(db: Db, { anchors }: Configuration, response: ResponseRow) {
  const { participant, stage, stageRecurrence, createdAt } = response
  const milestone = { type: 'stage_completion' as const, stageId: stage, stageRecurrence }
  return unreach(db, anchors, participant, milestone, createdAt)
}

/**
 * Submits in the caller's transaction, and sets the anchors that depend on a first submission. `event` is what the audit
 * entry keeps.
 */
export function submitCompleting(submission: Submission): { submitted: Submitted; event: Record<string, unknown> } {
  const { db, now, configuration, participant, stage, stageRecurrence, existing } = submission
  const submitted = submit(submission)
  const set = existing ? {} : completed(db, configuration, participant, stage, stageRecurrence, now)
  const { row, submission: appended, cleared } = submitted
  const event = {
    response: row._id,
    stage,
    stageRecurrence,
    ...(appended ? { submission: appended._id, digest: submissionDigest.of(appended) } : { unchanged: true }),
    ...(cleared ? { entry: cleared } : {}),
    ...set,
  }
  return { submitted, event }
}

/** Submits, performs the effects and records the audit entry. `known` is the meta data with which to read the response. */
export function submitAnd(context: SubmitContext, answers: Answers): Submitted & { known: Map<number, Stamp> } {
  const { db, now, trial, participant, record, client, id } = context
  const { submitted, event } = submitCompleting({
    db,
    now,
    zone: zoneOf(participant, trial),
    trial: trial._id,
    participant: participant._id,
    client,
    id,
    ...answers,
  })
  follow(context, answers, submitted)
  record({ participant: participant._id, event })
  const { row, submission } = submitted
  const own = submission && { ...submission, isFirst: submission.fields === null ? 1 : 0 }
  return { ...submitted, known: stampsByNumber(db, submissionsIn(stampsOf(row)), own) }
}
