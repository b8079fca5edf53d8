/** Whether a participant's own answers have the consent that they need (docs/consent.md, "Where a consent is required"). */
import { type ConsentCheck, neededConsent, ownConsentRefusal } from '#conduct/consents/required'
import { hasChosenRemoval } from '#conduct/consents/requiredStore'
import { checkAnswerTimes, openedAt, timesOf } from './lateAnswers'
import { answerableFields, newestAnswer, type OwnSubmission } from './ownOpening'

/**
 * Refuses (403) answers without the consent that they need. Those that were given before the consent was withdrawn, and arrive
 * later, are taken, as late answers are: the server proves when the form was opened, and the device says when they were given.
 */
export function checkOwnConsent({
  db,
  seal,
  trial,
  participant,
  configuration,
  ...submission
}: OwnSubmission): ConsentCheck {
  const { occurrence, sent, opened } = submission
  const { stage, existing } = occurrence
  const needed = neededConsent(db, { trial, participant }, configuration.stages.get(stage)?.requiresConsent)
  if (!needed) return { event: {} }
  const { withdrawnAt } = needed
  // A form that is filled in ad hoc was opened before it got its number.
  const isNew = existing === undefined && configuration.stages.get(stage)?.adHoc === true
  const form = { participant: participant._id, stage, stageRecurrence: isNew ? 0 : occurrence.stageRecurrence }
  if (withdrawnAt === null || hasChosenRemoval(db, participant._id)) throw ownConsentRefusal(needed)
  const given = checkAnswerTimes({
    enableAt: 0,
    expiresAt: withdrawnAt,
    openedAt: opened === undefined ? undefined : openedAt(seal, form, opened),
    times: timesOf(answerableFields(configuration, stage), sent),
    newest: existing && newestAnswer(db, existing),
  })
  if (typeof given === 'string') throw ownConsentRefusal(needed, { late: given })
  return { event: { beforeWithdrawal: true }, answeredAt: given }
}
