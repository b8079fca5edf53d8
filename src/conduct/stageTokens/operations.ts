/** Links that open one stage for one participant, without sign-in (docs/participants.md, "Links"). */

import { answerLanguage } from '#conduct/participants/language'
import { participant } from '#conduct/participants/scope'
import { FormOpened, ParticipantSubmission, Receipt } from '#conduct/responses/model'
import { openStage, submitOwn } from '#conduct/responses/ownResponse'
import { configuration } from '#design/configuration/configuration'
import { isRepeated, occurrencesOf, type TimelineStage } from '#design/schedule/occurrences'
import { trialIn } from '#design/trials/rules'
import { operation } from '#http/operation'
import { newSecret } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { DAY } from '#kernel/time'
import { OpenedStage, StageToken, StageTokenRequest } from './model'
import { linkedStage } from './scope'
import { insertStageToken } from './store'

/** Wrong links that an address may try per minute. */
const WRONG_LINKS = 60

/**
 * The occurrence that a link opens; null for an ad hoc stage.
 * @throws 400 if there is no such occurrence or the number is missing
 */
function occurrenceOf(stage: TimelineStage, recurrence: number | null | undefined): number | null {
  if (stage.isPoll) throw refuse.bad(`“${stage.name}” is an anonymous poll, which has its own link.`)
  const count = occurrencesOf(stage)
  if (recurrence == null && isRepeated(stage)) {
    throw refuse.bad(
      `“${stage.name}” has several occurrences: give the number of one (recurrence, from 0 to ${count - 1}).`,
    )
  }
  const n = recurrence ?? 0
  if (n >= count) throw refuse.bad(`“${stage.name}” has no occurrence ${n}: they are counted from 0 to ${count - 1}.`)
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
    if (participant.isArchived) throw refuse.bad('The participant is archived and cannot submit.')
    if (participant.isWithdrawn) throw refuse.bad('The participant has withdrawn and cannot submit.')
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
  run: (context) => ({
    ...openStage(context, context.path, false, 'link'),
    trialName: trialIn(context.trial, answerLanguage(context)).name,
  }),
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
  query: FormOpened,
  keepsKey: true,
  returns: Receipt,
  run: (context) => {
    context.record({ event: { by: 'stageToken' } })
    return submitOwn(context, context.path, context.body, context.query, 'link')
  },
})

export const stageTokenOperations = [createStageToken, readOpened, submitOpened] as const
