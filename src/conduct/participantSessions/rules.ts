/** The refusals of a sign-in. All failures have the same text (docs/participants.md, "Sign-in"). */
import type { ParticipantCaller } from '#access/caller'
import { refuse } from '#kernel/problem'

/** The refusal (401) of every failed sign-in. */
export const signInFailed = () => refuse.signIn('participantSignInFailed')

/**
 * The refusal (400) of a first sign-in to a trial with eConsent, without the contact and code of the consent
 * (docs/participants.md, "First sign-in with eConsent").
 */
export const eConsentRequired = () => refuse.bad('eConsentRequired', undefined, { eConsentRequired: true })

/** Refuses (403) on a shared tablet what would outlast the session there. */
export function refuseOnSharedDevice({ device }: ParticipantCaller): void {
  if (device !== undefined) throw refuse.forbidden('sharedDevice')
}

export type ConsentProofInput = { eConsentEmail?: string; eConsentPhone?: string; eConsentCode?: string }

/** Whether both a contact and a code were sent. */
export const hasConsentProof = ({ eConsentEmail, eConsentPhone, eConsentCode }: ConsentProofInput): boolean =>
  Boolean(eConsentEmail || eConsentPhone) && Boolean(eConsentCode)
