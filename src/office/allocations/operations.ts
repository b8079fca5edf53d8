/** Allocations: participants get their arms, and the emergency unblinding of one participant. */
import { holds, visibleScopeOf } from '#access/caller'
import { requireConsent } from '#conduct/consents/required'
import { participantVisibleTo } from '#conduct/participants/scope'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { foldId } from '#kernel/text'
import { mailUnblinded } from '#office/randomisation/notices'
import { randomisation } from '#office/randomisation/scope'
import { armsOf } from '#office/randomisation/store'
import { allocate } from './allocate'
import { balanceOf } from './balance'
import {
  Allocation,
  AllocationInput,
  AllocationQuery,
  Allocations,
  Balance,
  Unblinding,
  UnblindingInput,
} from './model'
import { allocation } from './scope'
import { allocationsAfter, insertUnblinding, listedAllocation } from './store'
import { allocationViewer, packOf } from './view'

const PAGE = 100

const listAllocations = operation({
  id: 'listAllocations',
  method: 'GET',
  path: '/randomisations/:randomisationId/allocations',
  summary: 'List the allocations of a randomisation',
  description: `In their order, ${PAGE} at a time. Arms are absent for readers from whom they are concealed.`,
  scope: randomisation,
  needs: [
    anywhere('trial.randomise'),
    anywhere('trial.unblindParticipants'),
    'trial.readRandomisation',
    anywhere('trial.readParticipants'),
  ],
  reads: ({ allocations }) => allocations.map(({ participant }) => participant),
  query: AllocationQuery,
  returns: Allocations,
  run: (context) => {
    const { db, access, randomisation, query } = context
    const filter = { randomisation: randomisation._id, scope: visibleScopeOf(access), ...query }
    const rows = allocationsAfter(db, filter, PAGE + 1)
    return {
      allocations: rows.slice(0, PAGE).map(allocationViewer(context)),
      nextPageAvailable: rows.length > PAGE,
    }
  },
})

const allocateParticipant = operation({
  id: 'allocateParticipant',
  method: 'POST',
  path: '/randomisations/:randomisationId/allocations',
  summary: 'Allocate a participant to an arm',
  description:
    'Once for each participant. Puts the participant into the group of the arm and gives them a pack of its type at their site; refused with the reason if that is not possible, and then nothing is used up.',
  scope: randomisation,
  needs: anywhere('trial.randomise'),
  changes: 'data',
  logs: 'allocateParticipant',
  body: AllocationInput,
  returns: Allocation,
  run: (context) => {
    const { db, access, randomisation, body, record } = context
    const { participant, places } = participantVisibleTo(context, context, body.participant)
    // Who randomises at one site of the participant cannot use the list and the packs of another.
    const where =
      body.site === undefined ? places : { ...places, sites: places.sites.filter((_id) => _id === body.site) }
    if (!holds(access, 'randomise', where)) throw refuse.missingPermission(['trial.randomise'])
    const of = { trial: context.trial, participant }
    const consent = requireConsent(db, of, randomisation.requiresConsent, body.withoutConsentReason)
    const { _id } = allocate(context, participant, body.site)
    const row = listedAllocation(db, _id)
    const { number, site, arm, stratum, position } = row
    const event = { allocation: _id, name: randomisation.name, number, site, pack: packOf(row) }
    const concealed = { arm, stratum, position }
    record({ participant: participant._id, event: { ...event, ...consent.event, concealed } })
    return allocationViewer(context)(row)
  },
})

const unblindParticipant = operation({
  id: 'unblindParticipant',
  method: 'POST',
  path: '/randomisations/:randomisationId/allocations/:allocationId/unblinding',
  summary: 'Unblind one participant in an emergency',
  description:
    'Shows the arm of the participant. Needs a reason, the participant ID typed again and a fresh confirmation of identity. The people named by the randomisation are told by e-mail; each unblinding is recorded.',
  scope: allocation,
  needs: 'trial.unblindParticipants',
  fresh: true,
  logs: 'unblindParticipant',
  body: UnblindingInput,
  secret: true,
  returns: Unblinding,
  run: (context) => {
    const { db, now, id, caller, trial, randomisation, allocation, body, record } = context
    const { _id, participant, participantId } = allocation
    if (!randomisation.isBlinded) throw refuse.bad('randomisationNotBlinded', { name: randomisation.name })
    if (foldId(body.participantId) !== foldId(participantId)) throw refuse.bad('otherParticipant')
    const { reason } = body
    const key = { _id: id(), createdAt: now, trial: trial._id }
    insertUnblinding(db, { ...key, allocation: _id, participant, user: caller.user._id, reason })
    record({ event: { name: randomisation.name, reason } })
    mailUnblinded(context, participantId, reason)
    const arm = armsOf(db, randomisation._id).find((each) => each._id === allocation.arm)!
    return { participant, participantId, arm, pack: packOf(allocation), unblindedAt: now }
  },
})

const readBalance = operation({
  id: 'readRandomisationBalance',
  method: 'GET',
  path: '/randomisations/:randomisationId/balance',
  summary: 'Read the balance of a randomisation',
  description: 'Participants by arm and stratum, and how far they are from the ratio.',
  scope: randomisation,
  needs: 'trial.readRandomisation',
  returns: Balance,
  run: (context) => balanceOf(context),
})

export const allocationOperations = [listAllocations, allocateParticipant, unblindParticipant, readBalance] as const
