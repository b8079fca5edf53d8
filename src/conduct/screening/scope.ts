import type { Caller } from '#access/caller'
import { featuresOf } from '#access/features'
import { type ConsentRow, consentById } from '#conduct/consents/consentStore'
import { type ScreeningRow, screeningByToken } from '#conduct/consents/screeningStore'
import { type ParticipantRow, participantById } from '#conduct/participants/store'
import { configuration } from '#design/configuration/configuration'
import { type Trial, trialById } from '#design/trials/store'
import type { Scope, ScopeResult } from '#http/operation'
import { refuse } from '#kernel/problem'

export type ScreeningScope = ScopeResult & {
  trial: Trial
  screening: ScreeningRow
  consent: ConsentRow
  /** Whose consent it is since their first sign-in; undefined before. */
  owner: ParticipantRow | undefined
}

/**
 * The form that follows the consent of the link of `:token`.
 * @throws 404 if the link has ended, the consent was withdrawn or the participant is archived; `details.code` is `expired` where it was valid once
 */
export const screeningLink: Scope<ScreeningScope, 'token', Caller> = ({ db, params, now }) => {
  const screening = screeningByToken(db, params.token)
  const consent = screening && consentById(db, screening.consent)
  const trial = screening && trialById(db, screening.trial)
  if (!trial || !consent || trial.isArchived || !featuresOf(db, trial.team).eConsent) throw refuse.linkEnded()
  const stage = configuration(db, trial).stages.get(screening.stage)
  const owner = consent.participant === null ? undefined : participantById(db, consent.participant)
  if (consent.participant !== null && !owner) throw refuse.linkEnded()
  if (!stage || stage.isPoll || consent.withdrawnAt !== null || owner?.isArchived) throw refuse.linkEnded()
  if (screening.expiresAt <= now) throw refuse.linkEnded({ code: 'expired' })
  return { trial, screening, consent, owner, ...(owner && { account: owner._id }) }
}
