import { self } from '#conduct/participantSessions/scope'
import { operation } from '#http/operation'
import { OpenedFormQuery, ParticipantSubmission, Receipt } from './model'
import { openStage, submitOwn } from './ownResponse'
import { StageDetail } from './stageDetail'

const readStage = operation({
  id: 'openStage',
  method: 'GET',
  path: '/participants/trials/:trialId/stages/:stageId',
  summary: 'Open a stage',
  description: 'The stage is `<stageId>`, or `<stageId>::<n>` for an occurrence.',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  returns: StageDetail,
  run: (context) =>
    openStage(context, context.params.stageId, context.trial.settings.enableLookback === true, 'account', {}),
})

const submitResponse = operation({
  id: 'submitResponse',
  method: 'POST',
  path: '/participants/trials/:trialId/stages/:stageId/responses',
  summary: 'Submit or amend one’s own response',
  description: 'The body is keyed by data type `_id`. Submitting again to the same occurrence amends it.',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  changes: 'data',
  logs: 'submitResponse',
  body: ParticipantSubmission,
  query: OpenedFormQuery,
  keepsKey: true,
  returns: Receipt,
  run: (context) => submitOwn(context, context.params.stageId, context.body, context.query, 'account'),
})

export const ownResponseOperations = [readStage, submitResponse] as const
