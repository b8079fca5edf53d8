import { holds, isInScope, noPlaces, type Places, visibleScopeOf } from '#access/caller'
import { placesOf } from '#conduct/participants/memberships'
import { isDeleting } from '#db/deleting'
import { type InTrial, trial } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { type ConsentRow, consentById } from './consentStore'

export type InConsent = InTrial & { consent: ConsentRow; places: Places; participant?: { _id: string } }

/** The consent that `:consentId` names; 404 unless visible to the caller. */
export const consent: Scope<InConsent, 'trialId' | 'consentId'> = (context) => {
  const inTrial = trial(context)
  const row = found(consentById(context.db, context.params.consentId), 'consent')
  if (row.trial !== inTrial.trial._id) throw refuse.missing('consent')
  if (row.participant !== null && isDeleting(context.db, row.participant)) throw refuse.missing('consent')
  const places = row.participant === null ? noPlaces : placesOf(context.db, row.participant)
  if (!isInScope(visibleScopeOf(inTrial.access), places)) throw refuse.missing('consent')
  return {
    ...inTrial,
    consent: row,
    places,
    ...(row.participant === null ? {} : { participant: { _id: row.participant } }),
  }
}

/** Refuses (403) who may change a consent and may not read it: the answer shows it. */
export function requireReader({ access, places }: Pick<InConsent, 'access' | 'places'>): void {
  if (!holds(access, 'readTrialConsents', places)) throw refuse.lacking(['trial.readTrialConsents'])
}
