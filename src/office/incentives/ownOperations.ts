/** What participants see of their incentives. */

import type { ParticipantCaller } from '#access/caller'
import { self } from '#conduct/participantSessions/scope'
import { operation, type RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { GiftCard, ListQuery, OwnIncentives, PAGE } from './model'
import { incentiveOf, reveal } from './reveal'
import { ownIncentivesOf } from './store'
import { ownView, pageOf } from './views'

const listOwn = operation({
  id: 'listOwnIncentives',
  method: 'GET',
  path: '/participants/incentives',
  summary: 'List one’s own incentives',
  description: 'Newest first, without what failed or was taken back. Codes are not part of it.',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  feature: 'incentives',
  query: ListQuery,
  returns: OwnIncentives,
  run: ({ db, participant, query: { after, perPage = PAGE } }) =>
    pageOf(ownIncentivesOf(db, participant._id, after, perPage + 1), perPage, (row) => ownView(db, row)),
})

/** The participant’s own incentive that the path names; 404 for one of somebody else. */
const ownIncentive = (context: RequestContext<ParticipantCaller, { incentiveId: Id; trialId?: Id }>) => {
  const own = self(context)
  return { ...own, row: incentiveOf(context.db, own.participant._id, context.params.incentiveId) }
}

const revealOwn = operation({
  id: 'revealOwnIncentive',
  method: 'POST',
  path: '/participants/incentives/:incentiveId/code',
  summary: 'Show the code of one’s own incentive',
  description: 'It can be shown again at any time. Each time is logged, without the code.',
  who: 'participant',
  scope: ownIncentive,
  needs: 'nothing',
  feature: 'incentives',
  logs: 'revealIncentive',
  secret: true,
  returns: GiftCard,
  run: (context) => {
    context.record({ event: { incentive: context.row._id } })
    return reveal(context, context.row)
  },
})

export const ownIncentiveOperations = [listOwn, revealOwn] as const
