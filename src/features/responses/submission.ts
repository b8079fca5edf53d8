/** What staff and participants share when they submit: the submission itself, its audit entry, and what follows it. */
import type { Asked, Note } from '../../http/operation'
import type { ParticipantRow } from '../participants/queries'
import { dueAnchors } from '../timeline/anchors'
import { zoneOf } from '../timeline/progress'
import { anchorsOfParticipant, setAnchor } from '../timeline/queries'
import type { Trial } from '../trials/queries'
import { follow } from './follow'
import { submissionsIn } from './layout'
import { type Stamp, stampsByNumber, stampsOf } from './queries'
import { digestOf, type Submission, type Submitted, submit } from './submit'

type Submitting = Asked & {
  trial: Trial
  participant: ParticipantRow
  record(note: Note): void
}

type Answers = Pick<
  Submission,
  'configuration' | 'stage' | 'stageRecurrence' | 'existing' | 'sent' | 'by' | 'updateNote'
>

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
  if (!existing && configuration.anchors.length) {
    const milestone = { type: 'stage_completion' as const, stageId: stage, stageRecurrence }
    const set = anchorsOfParticipant(db, participant._id)
    for (const anchor of dueAnchors(configuration.anchors, milestone, set)) setAnchor(db, participant._id, anchor, now)
  }
  follow(context, answers, submitted)
  const { row, submission } = submitted
  record({
    participant: participant._id,
    event: {
      response: row._id,
      stage,
      stageRecurrence,
      ...(submission ? { submission: submission._id, digest: digestOf(submission) } : { unchanged: true }),
    },
  })
  const own = submission && { ...submission, isFirst: submission.fields === null ? 1 : 0 }
  return { ...submitted, known: stampsByNumber(db, submissionsIn(stampsOf(row)), own) }
}
