/** Performs submissions of staff and participants, with the audit entry and the effects. */

import type { ConsentCheck } from '#conduct/consents/required'
import type { ParticipantRow } from '#conduct/participants/store'
import { clearAnchorDates, setAnchorDates } from '#conduct/timeline/milestones'
import { zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import type { SharedTrial } from '#design/trials/store'
import type { Note, RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import {
  type IgnoredAnswer,
  ignoredAnswersIn,
  ignoredAuditFields,
  ignoredFields,
  recordIgnoredAnswers,
} from './ignoredAnswers'
import type { Submission } from './refusals'
import type { ResponseRow } from './store'
import { type SubmissionResult, submissionDigest, submit } from './submit'
import { performEffects } from './submitEffects'

type SubmitContext = RequestContext & {
  trial: SharedTrial
  participant: ParticipantRow
  record(note: Note): void
}

type SubmissionAnswers = Pick<
  Submission,
  | 'configuration'
  | 'stage'
  | 'stageRecurrence'
  | 'existing'
  | 'sent'
  | 'hidden'
  | 'by'
  | 'updateNote'
  | 'needsNote'
  | 'entry'
  | 'answeredAt'
> & {
  /** The result of the consent check, without which there is no submission. */
  consent: ConsentCheck
}

/** Sets the anchors that depend on the completion of this occurrence. Returns what the audit entry keeps of it. */
export function setCompletionAnchors(
  db: Db,
  configuration: Configuration,
  participant: Id,
  stage: Id,
  stageRecurrence: number,
  at: Instant,
) {
  const milestone = { type: 'stage_completion' as const, stageId: stage, stageRecurrence }
  return setAnchorDates(db, configuration.anchors, participant, milestone, at)
}

/** Clears the anchor dates that the completion of this response set. Returns what the audit entry keeps of it. */
export function clearCompletionAnchors(db: Db, { anchors }: Configuration, response: ResponseRow) {
  const { participant, stage, stageRecurrence, createdAt } = response
  const milestone = { type: 'stage_completion' as const, stageId: stage, stageRecurrence }
  return clearAnchorDates(db, anchors, participant, milestone, createdAt)
}

/**
 * Submits in the caller's transaction, and sets the anchors that depend on a first submission. `event` is what the audit
 * entry keeps.
 */
export function submitAndSetAnchors(submission: Submission): {
  submitted: SubmissionResult
  ignored: IgnoredAnswer[]
  event: Record<string, unknown>
} {
  const { db, now, configuration, participant, stage, stageRecurrence, existing } = submission
  const submitted = submit(submission)
  const set =
    existing || participant === null
      ? {}
      : setCompletionAnchors(db, configuration, participant, stage, stageRecurrence, now)
  const { row, submission: appended, cleared } = submitted
  const ignored = ignoredAnswersIn(configuration, stage, submission.sent)
  const kept = recordIgnoredAnswers(db, row, ignored, submission.by, now, appended?._id)
  const event: Record<string, unknown> = { response: row._id, stage, stageRecurrence }
  if (appended) Object.assign(event, { submission: appended._id, digest: submissionDigest.of(appended) })
  else event.unchanged = true
  if (appended?.entry != null) event.entryId = appended.entry
  if (appended?.sentLate) Object.assign(event, { sentLate: true, answeredAt: submission.answeredAt })
  if (cleared) event.entry = cleared
  if (ignored.length) Object.assign(event, ignoredAuditFields(ignored))
  if (kept) event.kept = kept
  return { submitted, ignored, event: existing ? event : Object.assign(event, set) }
}

/** Submits, performs the effects and records the audit entry. `ignoredNotice` is what the response says about ignored answers. */
export function submitWithEffects(
  context: SubmitContext,
  { consent, ...answers }: SubmissionAnswers,
): SubmissionResult & { ignoredNotice: ReturnType<typeof ignoredFields> } {
  const { db, now, trial, participant, record, client, id } = context
  const { submitted, ignored, event } = submitAndSetAnchors({
    db,
    now,
    zone: zoneOf(participant, trial),
    trial: trial._id,
    participant: participant._id,
    client,
    id,
    ...answers,
  })
  performEffects(context, answers, submitted)
  record({ participant: participant._id, event: { ...event, ...consent.event } })
  const ignoredNotice = ignoredFields(answers.configuration, answers.stage, ignored, answers.by.type)
  return { ...submitted, ignoredNotice }
}
