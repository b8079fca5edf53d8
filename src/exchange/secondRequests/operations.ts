/** Acts that wait for a second person: their list, their confirmation and their end. */
import { holds } from '#access/caller'
import { requestEvent, requireOtherPerson } from '#design/secondRequests/rules'
import { decideSecondRequest, openSecondRequests, type SecondRequestRow } from '#design/secondRequests/store'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import { AFTER_IDS } from '#kernel/id'
import { shape } from '#wire/schema'
import { PAGE, SecondRequests, SecondRequestsQuery } from './model'
import { performRequest } from './perform'
import { secondRequest } from './scope'

/** As unlocking the database is asked for by those who lock it, they confirm it too. */
const NEEDS = ['trial.admin', 'trial.lockDatabase'] as const

const LOCKS = ['isLocked', 'isDatabaseLocked'] as const

const viewOf = (row: SecondRequestRow) => ({
  ...row,
  locks: LOCKS.filter((lock) => row.body[lock] !== undefined),
  secondPerson: row.body.secondPerson ?? null,
})

const listRequests = operation({
  id: 'listSecondRequests',
  method: 'GET',
  path: '/trials/:trialId/second-requests',
  summary: 'List the acts that wait for the confirmation of a second person',
  description:
    'Newest first. Without trial.admin only those that unlock the database. After 7 days a request has ended, and is not listed.',
  scope: trial,
  needs: NEEDS,
  reads: ({ requests }) => requests.map(({ participant }) => participant),
  query: SecondRequestsQuery,
  returns: SecondRequests,
  run: ({ db, now, trial, access, query: { before = AFTER_IDS, perPage = PAGE } }) => {
    const isAdmin = holds(access, 'admin')
    const rows = openSecondRequests(db, { trial: trial._id, now, isAdmin, before, limit: perPage + 1 })
    const requests = rows.slice(0, perPage)
    return { requests: requests.map(viewOf), nextPage: rows.length > perPage ? requests.at(-1)!._id : null }
  },
})

const confirmRequest = operation({
  id: 'confirmSecondRequest',
  method: 'POST',
  path: '/trials/:trialId/second-requests/:requestId/confirmation',
  summary: 'Confirm an act that another person asked for',
  description:
    'It is performed at once. You cannot confirm your own request. Refused (409) if the subject has changed since, or the person who asked has lost the permission.',
  scope: secondRequest,
  needs: NEEDS,
  fresh: true,
  logs: 'confirmSecondRequest',
  returns: shape({}),
  run: (context) => {
    const { db, now, caller, request, record } = context
    requireOtherPerson(db, request.askedBy, caller.user)
    performRequest(context)
    const { askedBy, participant } = request
    record({ event: { ...requestEvent(request), askedBy }, participant })
    const decision = { status: 'confirmed', decidedBy: caller.user._id, decidedAt: now } as const
    decideSecondRequest(db, request._id, decision)
    return {}
  },
})

const endRequest = operation({
  id: 'deleteSecondRequest',
  method: 'DELETE',
  path: '/trials/:trialId/second-requests/:requestId',
  summary: 'Withdraw or refuse an act that waits for a second person',
  description: 'Who asked withdraws it; everybody else who could confirm it refuses it.',
  scope: secondRequest,
  needs: NEEDS,
  logs: 'refuseSecondRequest',
  returns: shape({}),
  run: ({ db, now, caller, request, record }) => {
    const { askedBy, participant } = request
    const isOwn = askedBy === caller.user._id
    const decision = { decidedBy: caller.user._id, decidedAt: now }
    decideSecondRequest(db, request._id, { status: isOwn ? 'withdrawn' : 'refused', ...decision })
    const event = { ...requestEvent(request), askedBy }
    record({ ...(isOwn && { type: 'withdrawSecondRequest' }), event, participant })
    return {}
  },
})

export const secondRequestOperations = [listRequests, confirmRequest, endRequest] as const
