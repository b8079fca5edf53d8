/** What staff and participants share when they submit: the submission itself, its audit entry, and what follows it. */

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
import { type ResponseRow, type Stamp, stampsByNumber, stampsOf } from './store'
import { type Submission, type Submitted, submissionDigest, submit } from './submit'

type Submitting = Asked & {
  trial: Trial
  participant: ParticipantRow
  record(note: Note): void
}

type Answers = Pick<
  Submission,
  'configuration' | 'stage' | 'stageRecurrence' | 'existing' | 'sent' | 'by' | 'updateNote' | 'needsNote'
>

/** Sets the anchors that the first submission of an occurrence sets; answers what the audit entry says of it. */
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

/** Takes back the dates that this response's completion set; answers what the audit entry says of it. */
export function notCompleted(db: Db, { anchors }: Configuration, response: ResponseRow) {
  const { participant, stage, stageRecurrence, createdAt } = response
  const milestone = { type: 'stage_completion' as const, stageId: stage, stageRecurrence }
  return unreach(db, anchors, participant, milestone, createdAt)
}

/**
 * Submits, sets the anchors that a completion sets, sends what is to follow, and notes it. `known` is for reading the
 * response back.
 */
export function submitAnd(context: Submitting, answers: Answers): Submitted & { known: Map<number, Stamp> } {
  const { db, now, trial, participant, record, client, id } = context
  const { stage, stageRecurrence, configuration, existing } = answers
  const submitted = submit({
    db,
    now,
    zone: zoneOf(participant, trial),
    trial: trial._id,
    participant: participant._id,
    client,
    id,
    ...answers,
  })
  const set = existing ? {} : completed(db, configuration, participant._id, stage, stageRecurrence, now)
  follow(context, answers, submitted)
  const { row, submission, cleared } = submitted
  record({
    participant: participant._id,
    event: {
      response: row._id,
      stage,
      stageRecurrence,
      ...(submission ? { submission: submission._id, digest: submissionDigest.of(submission) } : { unchanged: true }),
      ...(cleared ? { entry: cleared } : {}),
      ...set,
    },
  })
  const own = submission && { ...submission, isFirst: submission.fields === null ? 1 : 0 }
  return { ...submitted, known: stampsByNumber(db, submissionsIn(stampsOf(row)), own) }
}
