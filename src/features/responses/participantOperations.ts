import { operation } from '../../http/operation'
import type { Id } from '../../kernel/id'
import { found, refuse } from '../../kernel/problem'
import { HOUR } from '../../kernel/time'
import { self } from '../participantSessions/scope'
import { configuration } from '../stages/configuration'
import { timelineInput } from '../timeline/progress'
import { closedText, openingOf, parseOccurrence, timelineOf } from '../timeline/rules'
import type { Sent } from './form'
import { ParticipantSubmission, Receipt } from './model'
import { occurrenceAt } from './occurrence'
import { readResponse } from './read'
import { StageDetail, shownComponents } from './stageDetail'
import { submitAnd } from './submission'

const readStage = operation({
  method: 'GET',
  path: '/participants/trials/:trialId/stages/:stageId',
  summary: 'Open a stage',
  description: 'The stage is `<stageId>`, or `<stageId>::<n>` for an occurrence.',
  who: 'participant',
  scope: self,
  returns: StageDetail,
  run: ({ db, house, trial, participant, params, now }) => {
    const config = configuration(db, trial)
    const named = found(parseOccurrence(params.stageId!), 'stage')
    const stage = found(config.stages.get(named.stageId), 'stage')
    const entries = timelineOf(config.timeline, timelineInput(db, participant, trial, now))
    const entry = found(
      entries.find(
        ({ stage, stageRecurrence, visible }) =>
          visible && stage === named.stageId && (stageRecurrence === null || stageRecurrence === (named.n ?? 0)),
      ),
      'stage',
    )
    const look = trial.settings.enableLookback === true ? { participant: participant._id } : undefined
    const videoUrl = (storedName: string, name: string) => house.storage.downloadUrl(storedName, name, now + HOUR)
    return {
      ...stage,
      ...entry,
      postSubmissionText: stage.postSubmissionText ?? null,
      components: shownComponents(db, config, stage, look, videoUrl),
    }
  },
})

const submitOwn = operation({
  method: 'POST',
  path: '/participants/trials/:trialId/stages/:stageId/responses',
  summary: 'Submit or amend one’s own response',
  description: 'The body is keyed by data type `_id`. Submitting again to the same occurrence amends it.',
  who: 'participant',
  scope: self,
  changes: 'data',
  logs: 'submitResponse',
  body: ParticipantSubmission,
  returns: Receipt,
  run: (context) => {
    const { db, trial, participant, params, body, now } = context
    if (participant.isWithdrawn)
      throw refuse.forbidden('You have withdrawn from this study, so nothing more is collected.')
    const config = configuration(db, trial)
    const occurrence = occurrenceAt(db, config, participant._id, params.stageId!)
    const input = timelineInput(db, participant, trial, now)
    const opening = found(openingOf(config.timeline, input, occurrence.stage, occurrence.stageRecurrence), 'stage')
    if (opening.closed) {
      const isHidden = opening.closed !== 'notYet' && opening.closed !== 'expired'
      throw isHidden ? refuse.missing('stage') : refuse.forbidden(closedText[opening.closed])
    }
    const { row, known, messages } = submitAnd(context, {
      configuration: config,
      ...occurrence,
      sent: body as Record<Id, Sent>,
      by: { _id: participant._id, type: 'participant' },
      updateNote: null,
    })
    return {
      ...readResponse(db, config, row, participant, undefined, known),
      postSubmissionText: config.stages.get(occurrence.stage)!.postSubmissionText ?? null,
      onScreenMessages: messages.flatMap(({ type, message }) => (type === 'showMessage' && message ? [message] : [])),
    }
  },
})

export const ownResponseOperations = [readStage, submitOwn]
