import type { Caller } from '#access/caller'
import { type ParticipantRow, participantById } from '#conduct/participants/store'
import { completionKey } from '#design/schedule/rules'
import { type Trial, trialById } from '#design/trials/store'
import type { Scope, ScopeResult } from '#http/operation'
import { refuse } from '#kernel/problem'
import { stageTokenOf } from './store'

type LinkedStageScope = ScopeResult & {
  trial: Trial
  participant: ParticipantRow
  /** The stage that the link opens, as `<stageId>` or `<stageId>::<n>`. */
  path: string
}

/**
 * The stage and participant of the link of `:token`.
 * @throws 404 if the link has ended or the participant is archived; `details.code` is `expired` where it was valid once
 */
export const linkedStage: Scope<LinkedStageScope, 'token', Caller> = ({ db, params, now }) => {
  const token = stageTokenOf(db, params.token)
  const participant = token && participantById(db, token.participant)
  const trial = participant && trialById(db, participant.trial)
  if (!trial || trial.deletedAt !== null || participant.isArchived) throw refuse.linkEnded()
  const { stage, stageRecurrence, expiresAt } = token
  if (expiresAt <= now) throw refuse.linkEnded({ code: 'expired' })
  const path = stageRecurrence === null ? stage : completionKey(stage, stageRecurrence)
  return { trial, participant, account: participant._id, path }
}
