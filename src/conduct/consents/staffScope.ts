import { holds, isInScope, noPlaces, type Places, visibleScopeOf } from '#access/caller'
import { placesOf } from '#conduct/participants/memberships'
import { hasPendingDeletion } from '#db/pendingDeletions'
import { type TrialScope, trial } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { type ConsentRow, consentById } from './consentStore'

export type ConsentScope = TrialScope & { consent: ConsentRow; places: Places; participant?: { _id: string } }

/** The consent that `:consentId` names; 404 unless visible to the caller. */
export const consent: Scope<ConsentScope, 'trialId' | 'consentId'> = (context) => {
  const inTrial = trial(context)
  const row = found(consentById(context.db, context.params.consentId), 'consent')
  if (row.trial !== inTrial.trial._id) throw refuse.missing('consent')
  if (row.participant !== null && hasPendingDeletion(context.db, row.participant)) throw refuse.missing('consent')
  const places = row.participant === null ? noPlaces : placesOf(context.db, row.participant)
  if (!isInScope(visibleScopeOf(inTrial.access), places)) throw refuse.missing('consent')
  return {
    ...inTrial,
    consent: row,
    places,
    ...(row.participant === null ? {} : { participant: { _id: row.participant } }),
  }
}

/** Refuses (403) callers who may change a consent but not read it, because the response contains it. */
export function requireReader({ access, places }: Pick<ConsentScope, 'access' | 'places'>): void {
  if (!holds(access, 'readTrialConsents', places)) throw refuse.missingPermission(['trial.readTrialConsents'])
}
