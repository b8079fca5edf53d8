/** Links that open one stage for one participant, without sign-in (docs/participants.md, "Links"). */

import { answerLanguage } from '#conduct/participants/language'
import { participant } from '#conduct/participants/scope'
import { OpenedFormQuery, ParticipantSubmission, Receipt } from '#conduct/responses/model'
import { stageAt } from '#conduct/responses/occurrence'
import { openStage, requireTakingPart, submitOwn } from '#conduct/responses/ownResponse'
import { UPLOADS_PER_MINUTE, uploadForAnswer } from '#conduct/uploads/answerUpload'
import { LinkUploadRequest, Upload } from '#conduct/uploads/model'
import { configuration } from '#design/configuration/configuration'
import { isRepeated, occurrencesOf, type TimelineStage } from '#design/schedule/occurrences'
import { trialTextsIn } from '#design/trials/rules'
import { operation } from '#http/operation'
import { newSecret } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { DAY } from '#kernel/time'
import { OpenedStage, refusalOf, StageToken, StageTokenRequest } from './model'
import { linkedStage } from './scope'
import { insertStageToken } from './store'

/** Wrong links that an address may try per minute. */
const WRONG_LINKS = 60

/**
 * The occurrence that a link opens; null for an ad hoc stage.
 * @throws 400 if there is no such occurrence or the number is missing
 */
function occurrenceOf(stage: TimelineStage, recurrence: number | null | undefined): number | null {
  if (stage.isPoll) throw refuse.bad('pollHasOwnLink', { stage: stage.name })
  const count = occurrencesOf(stage)
  if (recurrence == null && isRepeated(stage))
    throw refuse.bad('recurrenceMissing', { stage: stage.name, last: count - 1 })
  const n = recurrence ?? 0
  if (n >= count) throw refuse.bad('noSuchOccurrence', { stage: stage.name, n, last: count - 1 })
  return stage.adHoc ? null : n
}

const createStageToken = operation({
  id: 'createStageToken',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/stages/:stageId/tokens',
  summary: 'Create a link that opens one stage without sign-in',
  description: 'Until it expires, it works as often as the stage can be submitted. Earlier links keep working.',
  scope: participant,
  needs: 'trial.write',
  logs: 'createStageToken',
  body: StageTokenRequest,
  secret: true,
  returns: StageToken,
  run: ({ db, trial, participant, params, body, now, origin, caller, record }) => {
    const stage = found(configuration(db, trial).stages.get(params.stageId), 'stage')
    if (participant.isArchived) throw refuse.bad('archivedCannotSubmit')
    if (participant.isWithdrawn) throw refuse.bad('withdrawnCannotSubmit')
    const stageRecurrence = occurrenceOf(stage, body.recurrence)
    const token = newSecret()
    const expiresAt = now + (body.expiresInDays ?? 7) * DAY
    insertStageToken(db, token, {
      participant: participant._id,
      stage: stage._id,
      stageRecurrence,
      createdAt: now,
      createdBy: caller.user._id,
      expiresAt,
    })
    record({ event: { stage: stage._id, stageRecurrence, expiresAt } })
    return { token, url: `${origin}/app/stage/${token}`, expiresAt }
  },
})

const readOpened = operation({
  id: 'openStageToken',
  method: 'GET',
  path: '/stage-tokens/:token',
  summary: 'Open a stage by its link',
  description: 'Earlier answers are not shown, also if the trial has look-back on: the link opens only this stage.',
  who: 'anyone',
  scope: linkedStage,
  needs: 'nothing',
  failures: WRONG_LINKS,
  returns: OpenedStage,
  run: (context) => {
    const { trial, participant, path } = context
    const trialName = trialTextsIn(trial, answerLanguage(context)).name
    return openStage(context, path, false, 'link', { trialName, refuses: refusalOf(trial, participant) })
  },
})

const submitOpened = operation({
  id: 'submitStageToken',
  method: 'POST',
  path: '/stage-tokens/:token/responses',
  summary: 'Submit or amend the stage that a link opens',
  description:
    'The body is that of a signed-in participant: answers by data type `_id`. The response contains only what was sent.',
  who: 'anyone',
  scope: linkedStage,
  needs: 'nothing',
  changes: 'data',
  failures: WRONG_LINKS,
  logs: 'submitResponse',
  body: ParticipantSubmission,
  query: OpenedFormQuery,
  keepsKey: true,
  returns: Receipt,
  run: (context) => {
    context.record({ event: { by: 'stageToken' } })
    return submitOwn(context, context.path, context.body, context.query, 'link')
  },
})

const requestUpload = operation({
  id: 'requestStageTokenUpload',
  method: 'POST',
  path: '/stage-tokens/:token/uploads',
  summary: 'Request a link to upload a file that answers a question of the stage',
  description:
    'PUT the bytes to `signedRequestURL` with the declared type as Content-Type, whole or in parts, within an hour. Then send `fileName` in the answer to the question. What no answer names within a day is removed.',
  who: 'anyone',
  scope: linkedStage,
  needs: 'nothing',
  changes: 'data',
  limit: UPLOADS_PER_MINUTE,
  failures: WRONG_LINKS,
  logs: 'requestUpload',
  body: LinkUploadRequest,
  secret: true,
  returns: Upload,
  run: (context) => {
    const { db, trial, participant, path } = context
    requireTakingPart(participant)
    const config = configuration(db, trial).in(answerLanguage(context))
    const owner = { forType: 'participant', forId: participant._id, createdBy: participant._id } as const
    const form = { configuration: config, stage: stageAt(config, path).stage._id }
    return uploadForAnswer(context, form, { ...owner, trial: trial._id }, path)
  },
})

export const stageTokenOperations = [createStageToken, readOpened, submitOpened, requestUpload] as const
