/** Gives incentives to participants. Neither lock refuses it: participants are paid until the study ends. */
import { participant } from '#conduct/participants/scope'
import { trial } from '#design/trials/scope'
import { operation, type Scope } from '#http/operation'
import { refuse } from '#kernel/problem'
import { brandFor, requireBounds } from '#office/incentives/brands/choice'
import type { BrandRow } from '#office/incentives/brands/store'
import { minorUnitsOf, moneyText } from '#office/incentives/wallet/money'
import { GiftCard, Incentive, IncentiveInput, Incentives, ListQuery, PAGE, TrialListQuery } from './model'
import { missingFor, type PayContext, pay } from './pay'
import { incentiveOf, reveal } from './reveal'
import { type IncentiveRow, incentivesIn, incentivesOf, insertIncentive } from './store'
import { incentiveView, pageOf } from './views'

const FEATURE = 'incentives'
const PATH = '/trials/:trialId/participants/:participantId/incentives'

const listIncentives = operation({
  id: 'listIncentives',
  method: 'GET',
  path: PATH,
  summary: 'List the incentives of a participant',
  description: 'Newest first. Codes are not part of it.',
  scope: participant,
  needs: 'trial.readParticipants',
  feature: FEATURE,
  query: ListQuery,
  returns: Incentives,
  run: ({ db, participant, query: { after, perPage = PAGE } }) =>
    pageOf(incentivesOf(db, participant._id, after, perPage + 1), perPage, (row) => incentiveView(db, row)),
})

const listAllIncentives = operation({
  id: 'listTrialIncentives',
  method: 'GET',
  path: '/trials/:trialId/incentives',
  summary: 'List the incentives of all participants of a trial',
  description: 'Newest first, with `status=waiting` the payments that wait. Codes are not part of it.',
  scope: trial,
  needs: 'trial.admin',
  feature: FEATURE,
  reads: ({ incentives }) => incentives.map(({ participant }) => participant),
  query: TrialListQuery,
  returns: Incentives,
  run: ({ db, trial, query: { status, after, perPage = PAGE } }) =>
    pageOf(incentivesIn(db, trial._id, status, after, perPage + 1), perPage, (row) => incentiveView(db, row)),
})

/** Refuses (400) what cannot be paid now. `pay` itself refuses if the wallet holds too little. */
function requirePayable(context: PayContext, brand: BrandRow, amount: number): void {
  const missing = missingFor(context, brand, amount)
  if (missing === 'codes')
    throw refuse.bad('noCodeLeft', { brand: brand.name, amount: moneyText(amount, brand.currency) })
  if (missing === 'gateway') throw refuse.bad('noGateway')
}

const issueIncentive = operation({
  id: 'issueIncentive',
  method: 'POST',
  path: PATH,
  summary: 'Give a participant an incentive, paid from the wallet',
  description:
    'A loaded code is drawn at once. A card of a gateway is ordered, with the status `ordered`. Refused (400) if the wallet holds too little, or no code of that amount is left.',
  scope: participant,
  needs: 'trial.admin',
  feature: FEATURE,
  of: 'incentive',
  logs: 'issueIncentive',
  body: IncentiveInput,
  returns: Incentive,
  run: (context) => {
    const { db, now, id, caller, trial, participant, body } = context
    const brand = brandFor(context, trial._id, body.brand, body.currency)
    const { currency } = brand
    const amount = minorUnitsOf(body.amount, currency)
    if (participant.isArchived) throw refuse.bad('recipientIsArchived')
    requireBounds(brand, amount)
    requirePayable(context, brand, amount)
    const creation = { _id: id(), createdAt: now, createdBy: caller.user._id, trial: trial._id }
    const about = { participant: participant._id, brand: brand._id, amount, currency, status: 'waiting' as const }
    return incentiveView(db, pay(context, participant, brand, insertIncentive(db, { ...creation, ...about })))
  },
})

/** The incentive that the path names, of the participant that it names. */
const incentive: Scope<
  ReturnType<typeof participant> & { row: IncentiveRow },
  'trialId' | 'participantId' | 'incentiveId'
> = (context) => {
  const ofParticipant = participant(context)
  return { ...ofParticipant, row: incentiveOf(context.db, ofParticipant.participant._id, context.params.incentiveId) }
}

const revealIncentive = operation({
  id: 'revealIncentive',
  method: 'POST',
  path: `${PATH}/:incentiveId/code`,
  summary: 'Show the code of an incentive, to hand it over',
  description: 'Each time is logged, without the code.',
  scope: incentive,
  needs: 'trial.admin',
  feature: FEATURE,
  logs: 'revealIncentive',
  secret: true,
  returns: GiftCard,
  run: (context) => {
    context.record({ event: { incentive: context.row._id } })
    return reveal(context, context.row)
  },
})

export const incentiveOperations = [listIncentives, listAllIncentives, issueIncentive, revealIncentive] as const
