/** Whether a participant's answers are taken now: the form is open, or was when they answered (docs/offline.md). */
import type { ParticipantRow } from '#conduct/participants/store'
import { timelineInput, zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import type { SentAnswer } from '#design/forms/form'
import { momentIn, openingOf } from '#design/schedule/rules'
import type { SharedTrial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import type { Seal } from '#kernel/seal'
import { type Instant, instantText } from '#kernel/time'
import { checkAnswerTimes, openedAt, timesOf } from './lateAnswers'
import { submissionsIn } from './layout'
import type { Occurrence } from './occurrence'
import { type ResponseRow, sourceSubmissionsOf, submissionMetaByNumber } from './store'

/** Answers that a participant sends. */
export type OwnSubmission = {
  db: Db
  seal: Seal
  now: Instant
  trial: SharedTrial
  participant: ParticipantRow
  configuration: Configuration
  occurrence: Occurrence
  sent: Readonly<Record<Id, SentAnswer>>
  /** The proof of when the device opened the form, if it sent one. */
  opened: string | undefined
}

/** When the newest answer of a response was given: as its sender said, else when it was recorded. */
export function newestAnswer(db: Db, existing: ResponseRow): Instant {
  const metas = submissionMetaByNumber(db, submissionsIn(sourceSubmissionsOf(existing))).values()
  const times = [...metas].flatMap(({ at, entered }) =>
    entered === null ? [at] : Object.values(JSON.parse(entered) as Record<number, Instant>),
  )
  return Math.max(...times)
}

/**
 * Refuses a form that is closed. Of one whose window has ended, returns when the answers were given, if that was in time.
 * @throws 404 for a form that is not shown, 403 for one that is not open yet, or not any more
 */
export function requireOpen(submission: OwnSubmission): Instant | undefined {
  const { db, seal, now, trial, participant, configuration, occurrence, sent, opened } = submission
  const { stage, stageRecurrence, existing } = occurrence
  const input = timelineInput(db, participant, trial, now)
  const opening = found(openingOf(configuration.timeline, input, stage, stageRecurrence), 'stage')
  const { closedReason, enableAt, expiresAt } = opening
  if (closedReason === null) return undefined
  if (closedReason !== 'notYet' && closedReason !== 'expired') throw refuse.missing('stage')
  const times = {
    enableAt: enableAt === null ? null : instantText(enableAt),
    expiresAt: expiresAt === null ? null : instantText(expiresAt),
  }
  const momentText = (at: Instant) => momentIn(zoneOf(participant, trial), at)
  if (enableAt === null) throw refuse.forbidden('openingUnknown', undefined, { code: 'notOpenYet', ...times })
  if (closedReason === 'notYet' || expiresAt === null)
    throw refuse.forbidden('notOpenYet', { from: momentText(enableAt) }, times)
  const late = checkAnswerTimes({
    enableAt,
    expiresAt,
    openedAt:
      opened === undefined ? undefined : openedAt(seal, { participant: participant._id, ...occurrence }, opened),
    times: timesOf(answerableFields(configuration, stage), sent),
    newest: existing && newestAnswer(db, existing),
  })
  if (typeof late === 'string')
    throw refuse.forbidden('formEnded', { at: momentText(expiresAt) }, { code: 'closed', late, ...times })
  return late
}

/** The fields of a stage that take an answer. */
export const answerableFields = ({ fieldsOf, dataTypes }: Configuration, stage: Id): Id[] =>
  fieldsOf(stage).filter((dataType) => dataTypes.get(dataType)?.format !== 'calculation')
