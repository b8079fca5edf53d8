/** Allocates responses to participants and detaches them again. */
import { holds } from '#access/caller'
import { participantVisibleTo } from '#conduct/participants/scope'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { hiddenFrom } from '#design/configuration/hidden'
import { operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { hourLinkMaker } from '#storage/links'
import { appendEvent, type By } from './events'
import { transferFiles } from './files'
import { endSignatures } from './markStore'
import { Allocation, Response } from './model'
import { readResponse } from './read'
import { response } from './scope'
import { moveResponse, nextRecurrence, type ResponseRow, responseAt, responseById } from './store'
import { clearCompletionAnchors, setCompletionAnchors } from './submission'

/** Refuses (400) to take a response away from a participant. Only placeholders (unallocated participants) lose theirs. */
function requireFree(db: Db, { participant }: ResponseRow): void {
  if (participant === null || rowById(db, participants, participant)?.isUnallocated) return
  throw refuse.bad('The response belongs to a participant already. Detach it first.')
}

/**
 * The occurrence number of the response at its new participant: its own number, or the next one of an ad hoc stage.
 * @throws 400 if the participant has a response to this occurrence already
 */
function occurrenceFor(db: Db, config: Configuration, row: ResponseRow, participant: Id): number {
  if (!responseAt(db, participant, row.stage, row.stageRecurrence)) return row.stageRecurrence
  const stage = config.stages.get(row.stage)
  if (stage?.adHoc) return nextRecurrence(db, participant, row.stage)
  throw refuse.bad(`The participant has a response to this occurrence of “${stage?.name}” already.`)
}

/** Moves a response and ends the signatures on it. Returns what the audit entry keeps. */
function move(db: Db, row: ResponseRow, to: { participant: Id | null; stageRecurrence: number }, by: By, at: Instant) {
  const from = { participant: row.participant, stageRecurrence: row.stageRecurrence }
  const signatures = row.marks ? endSignatures(db, row._id, at) : []
  transferFiles(db, row._id, row.participant ?? row._id, to.participant ?? row._id)
  moveResponse(db, row._id, to.participant, to.stageRecurrence, at)
  const moved = { ...row, participant: to.participant }
  return { from, to, entry: appendEvent(db, moved, 'moved', by, at, { from, to, signatures }) }
}

const PATH = '/trials/:trialId/responses/:responseId/allocations'

const allocate = operation({
  method: 'POST',
  path: PATH,
  summary: 'Allocate a response to a participant',
  description:
    'A response of nobody’s (a poll), or of an unallocated participant. An ad hoc response gets the next number where its own is taken.',
  scope: response,
  needs: 'trial.admin',
  changes: 'data',
  logs: 'allocateResponse',
  query: Allocation,
  returns: Response,
  run: (context) => {
    const { services, db, now, caller, trial, access, response, query, record } = context
    if (query.participant === undefined) {
      throw refuse.invalid({ participant: ['Missing data for required field.'] }, 'query')
    }
    const { participant, places } = participantVisibleTo(context, { trial, access }, query.participant)
    if (!holds(access, 'admin', places)) throw refuse.lacking(['trial.admin'])
    requireFree(db, response)
    if (response.participant === participant._id) throw refuse.bad('The response belongs to this participant already.')
    if (participant.isArchived) throw refuse.bad('The participant is archived: restore them before adding data.')
    const config = configuration(db, trial)
    const stageRecurrence = occurrenceFor(db, config, response, participant._id)
    const by = { _id: caller.user._id, type: 'user' } as const
    const cleared = clearCompletionAnchors(db, config, response)
    const event = move(db, response, { participant: participant._id, stageRecurrence }, by, now)
    const set = setCompletionAnchors(db, config, participant._id, response.stage, stageRecurrence, response.createdAt)
    record({ participant: participant._id, event: { ...event, ...cleared, ...set } })
    const row = responseById(db, response._id)!
    const hidden = hiddenFrom(config, access, places)
    return readResponse(db, config, row, participant, hidden, undefined, hourLinkMaker(services, now))
  },
})

const detach = operation({
  method: 'DELETE',
  path: PATH,
  summary: 'Detach a response from its participant',
  description:
    'Any response: it is nobody’s then, its history says so, and its signatures end. It can be allocated again.',
  scope: response,
  needs: 'trial.admin',
  changes: 'data',
  logs: 'detachResponse',
  query: Allocation,
  returns: Response,
  run: ({ services, db, now, caller, trial, access, places, response, query, record }) => {
    const { participant, stageRecurrence } = response
    if (participant === null) throw refuse.bad('The response belongs to no participant.')
    if (query.participant !== undefined && query.participant !== participant) {
      throw refuse.bad('The response belongs to another participant.')
    }
    const config = configuration(db, trial)
    const by = { _id: caller.user._id, type: 'user' } as const
    const cleared = clearCompletionAnchors(db, config, response)
    const event = move(db, response, { participant: null, stageRecurrence }, by, now)
    record({ participant, event: { ...event, ...cleared } })
    const row = responseById(db, response._id)!
    const hidden = hiddenFrom(config, access, places)
    return readResponse(db, config, row, undefined, hidden, undefined, hourLinkMaker(services, now))
  },
})

export const allocationOperations = [allocate, detach] as const
