/** The packs of a participant: those that they got, those that they may get, and their assignment (docs/packs.md, "Assignment"). */

import { isBlindedPack } from '#access/armConcealmentStore'
import { holds } from '#access/caller'
import { requireConsent } from '#conduct/consents/required'
import { placesOf } from '#conduct/participants/memberships'
import { type ParticipantScope, participant } from '#conduct/participants/scope'
import { operation, type RequestContext, type Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { recordEvent } from '#office/packs/custody'
import { AssignInput, AssignmentInput } from '#office/packs/events/model'
import { findAssigned, findAvailable } from '#office/packs/listStore'
import { AvailableQuery, Pack, PackPage } from '#office/packs/model'
import { pageOf, typesFor } from '#office/packs/page'
import { isPackVisible, packScopeOf, placesOfPack } from '#office/packs/scope'
import { type PackRow, packById } from '#office/packs/store'
import { packView } from '#office/packs/view'
import type { ValueOf } from '#wire/schema'
import { assignPack, isActive, todayIn } from './assign'
import { randomisedTypes } from './store'

/** A participant and a pack of their trial; 404 unless both are visible to the caller. */
const assignment: Scope<ParticipantScope & { pack: PackRow }, 'trialId' | 'participantId' | 'packId'> = (context) => {
  const inTrial = participant(context)
  const pack = found(packById(context.db, context.params.packId), 'pack')
  if (pack.trial !== inTrial.trial._id || !isPackVisible(inTrial.access, pack)) throw refuse.missing('pack')
  return { ...inTrial, pack }
}

/** Refuses (403) a pack where the caller may not assign, whatever they may do for the participant. */
function requireAssignable({ access, pack }: Pick<ParticipantScope, 'access'> & { pack: PackRow }): void {
  if (!holds(access, 'assignPacks', placesOfPack(pack))) throw refuse.missingPermission(['trial.assignPacks'])
}

type ListContext = Pick<RequestContext, 'db' | 'now'> & ParticipantScope & { query: ValueOf<typeof AvailableQuery> }

/** A page of the packs that the participant may get now, in the order in which they are given out. */
function availablePage({ db, now, trial, access, participant, query }: ListContext) {
  const { sites, groups } = placesOf(db, participant._id)
  const known = isActive(participant) ? typesFor(db, trial._id, access, query.packType) : []
  const randomised = randomisedTypes(db, known)
  const types = known.filter((type) => !randomised.has(type))
  const stock = { scope: packScopeOf(access), types, sites: [...sites, null], groups, today: todayIn(trial, now) }
  return pageOf(db, access, query, 3, (limit, after) => findAvailable(db, stock, limit, after))
}

const listParticipantPacks = operation({
  id: 'listParticipantPacks',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/packs',
  summary: 'List the packs that a participant got, or may get',
  description:
    'With `availableOnly` the packs in stock at the sites of the participant and at trial level that are for their groups and have not expired; the first expires first. Packs that a sealed randomisation gives are not among them.',
  scope: participant,
  needs: ['trial.listPacks', 'trial.assignPacks'],
  query: AvailableQuery,
  returns: PackPage,
  run: (context) => {
    const { db, trial, access, participant, query } = context
    if (query.availableOnly) return availablePage(context)
    if (!typesFor(db, trial._id, access, query.packType).length) return { packs: [], next: null }
    const scope = packScopeOf(access)
    const find = (limit: number, after?: readonly string[]) =>
      findAssigned(db, participant._id, { scope, packType: query.packType }, limit, after)
    return pageOf(db, access, query, 2, find)
  },
})

const assign = operation({
  id: 'assignPack',
  method: 'PUT',
  path: '/trials/:trialId/participants/:participantId/packs/:packId',
  summary: 'Assign a pack to a participant',
  description:
    'Refused (400) with the reason if the participant cannot get it: each pack goes to one participant only. Packs of a type that a sealed randomisation gives are dispensed there.',
  scope: assignment,
  needs: 'trial.assignPacks',
  logs: 'assignPack',
  body: AssignInput,
  sets: ['participant', 'assignedAt'],
  returns: Pack,
  run: (context) => {
    const { db, access, pack, participant, record } = context
    const { withoutConsentReason, ...body } = context.body
    requireAssignable(context)
    const consent = requireConsent(db, context, [], withoutConsentReason)
    const after = assignPack(context, pack, participant, body)
    record({ event: { assignedAt: after.assignedAt, site: after.assignedToSite, ...body, ...consent.event } })
    return packView(db, access, after)
  },
})

const unassign = operation({
  id: 'unassignPack',
  method: 'DELETE',
  path: '/trials/:trialId/participants/:participantId/packs/:packId',
  summary: 'Take back the assignment of a pack that was never handed out',
  description: 'The pack is in stock again. A pack that the participant brings back is recorded as returned instead.',
  scope: assignment,
  needs: 'trial.assignPacks',
  logs: 'unassignPack',
  body: AssignmentInput,
  returns: Pack,
  run: (context) => {
    const { db, access, pack, participant, body, record } = context
    requireAssignable(context)
    if (pack.participant !== participant._id) throw refuse.bad('packNotTheirs')
    if (isBlindedPack(db, pack._id)) throw refuse.bad('packGivenBlinded')
    const { occurredAt, reason = null } = body
    const after = recordEvent(context, pack, { type: 'unassigned', occurredAt, reason }).pack
    record({ event: { before: { assignedAt: pack.assignedAt }, ...body } })
    return packView(db, access, after)
  },
})

export const packAssignmentOperations = [listParticipantPacks, assign, unassign] as const
