/** Allocates responses to participants and detaches them again. */
import { holds } from '#access/caller'
import { requireConsent } from '#conduct/consents/required'
import { participantVisibleTo } from '#conduct/participants/scope'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { staffAuthor } from './events'
import { Allocation, NewAllocation, Response } from './model'
import { move } from './move'
import { response } from './scope'
import { nextRecurrence, type ResponseRow, responseAt } from './store'
import { clearCompletionAnchors, setCompletionAnchors } from './submission'
import { currentResponse } from './views'

/** Refuses (400) a response that belongs to a participant, unless that one is unallocated, which is a placeholder. */
function requireFree(db: Db, { participant }: ResponseRow): void {
  if (participant === null || rowById(db, participants, participant)?.isUnallocated) return
  throw refuse.bad('responseAllocated')
}

/**
 * The occurrence number of the response at its new participant: its own number, or the next one of an ad hoc stage.
 * @throws 400 if the participant has a response to this occurrence already
 */
function occurrenceFor(db: Db, config: Configuration, row: ResponseRow, participant: Id): number {
  if (!responseAt(db, participant, row.stage, row.stageRecurrence)) return row.stageRecurrence
  const stage = config.stages.get(row.stage)
  if (stage?.adHoc) return nextRecurrence(db, participant, row.stage)
  throw refuse.bad('occurrenceAnswered', { stage: stage?.name ?? '' })
}

const PATH = '/trials/:trialId/responses/:responseId/allocations'

const allocate = operation({
  id: 'allocateResponse',
  method: 'POST',
  path: PATH,
  summary: 'Allocate a response to a participant',
  description:
    'The response must belong to no participant (a poll) or to an unallocated one. If its number is taken, a response to an ad hoc stage gets the next one.',
  scope: response,
  needs: 'trial.admin',
  changes: 'data',
  logs: 'allocateResponse',
  query: NewAllocation,
  returns: Response,
  run: (context) => {
    const { db, now, caller, trial, access, response, query, record } = context
    if (query.participant === undefined) {
      throw refuse.invalid({ participant: [reason('missing')] }, 'query')
    }
    const { participant, places } = participantVisibleTo(context, { trial, access }, query.participant)
    if (!holds(access, 'admin', places)) throw refuse.missingPermission(['trial.admin'])
    requireFree(db, response)
    if (response.participant === participant._id) throw refuse.bad('responseOfThem')
    if (participant.isArchived) throw refuse.bad('archivedTakesNoData')
    const config = configuration(db, trial)
    const keys = config.stages.get(response.stage)?.requiresConsent
    const consent = requireConsent(db, { trial, participant }, keys, query.withoutConsentReason)
    const stageRecurrence = occurrenceFor(db, config, response, participant._id)
    const cleared = clearCompletionAnchors(db, config, response)
    const event = move(db, response, { participant: participant._id, stageRecurrence }, staffAuthor(caller.user), now)
    const set = setCompletionAnchors(db, config, participant._id, response.stage, stageRecurrence, response.createdAt)
    record({ participant: participant._id, event: { ...event, ...cleared, ...set, ...consent.event } })
    return currentResponse({ ...context, places }, config, response._id, participant)
  },
})

const detach = operation({
  id: 'detachResponse',
  method: 'DELETE',
  path: PATH,
  summary: 'Detach a response from its participant',
  description:
    'Any response can be detached. It then belongs to no participant, its history says so, and its signatures end. It can be allocated again.',
  scope: response,
  needs: 'trial.admin',
  changes: 'data',
  logs: 'detachResponse',
  query: Allocation,
  returns: Response,
  run: (context) => {
    const { db, now, caller, trial, response, query, record } = context
    const { participant, stageRecurrence } = response
    if (participant === null) throw refuse.bad('responseUnallocated')
    if (query.participant !== undefined && query.participant !== participant) {
      throw refuse.bad('responseOfAnother')
    }
    const config = configuration(db, trial)
    const cleared = clearCompletionAnchors(db, config, response)
    const event = move(db, response, { participant: null, stageRecurrence }, staffAuthor(caller.user), now)
    record({ participant, event: { ...event, ...cleared } })
    return currentResponse(context, config, response._id, undefined)
  },
})

export const allocationOperations = [allocate, detach] as const
