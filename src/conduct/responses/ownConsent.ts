/** Whether a participant's own answers have the consent that they need (docs/consent.md, "Where a consent is required"). */
import { type ConsentCheck, neededConsent, refusedToOneself } from '#conduct/consents/required'
import { choseRemoval } from '#conduct/consents/requiredStore'
import { answeredInTime, openedAt, timesOf } from './late'
import { askedFields, newestAnswer, type Sending } from './ownOpening'

/**
 * Refuses (403) answers without the consent that they need. Those that were given before the consent was withdrawn, and arrive
 * later, are taken, as late answers are: the server proves when the form was opened, and the device says when they were given.
 */
export function checkOwnConsent({ db, seal, trial, participant, configuration, ...sending }: Sending): ConsentCheck {
  const { occurrence, sent, opened } = sending
  const { stage, existing } = occurrence
  const needed = neededConsent(db, { trial, participant }, configuration.stages.get(stage)?.requiresConsent)
  if (!needed) return { event: {} }
  const { withdrawnAt } = needed
  // A form that is filled in ad hoc was opened before it got its number.
  const isNew = existing === undefined && configuration.stages.get(stage)?.adHoc === true
  const form = { participant: participant._id, stage, stageRecurrence: isNew ? 0 : occurrence.stageRecurrence }
  if (withdrawnAt === null || choseRemoval(db, participant._id)) throw refusedToOneself(needed)
  const given = answeredInTime({
    enableAt: 0,
    expiresAt: withdrawnAt,
    openedAt: opened === undefined ? undefined : openedAt(seal, form, opened),
    times: timesOf(askedFields(configuration, stage), sent),
    newest: existing && newestAnswer(db, existing),
  })
  if (typeof given === 'string') throw refusedToOneself(needed, { late: given })
  return { event: { beforeWithdrawal: true }, answeredAt: given }
}
