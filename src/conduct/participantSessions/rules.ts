/** What lets a participant in. Every failure is told by the same words (docs/participants.md, "Sign-in"). */
import { refuse } from '#kernel/problem'

/** The one text of every failed sign-in. */
export const notSignedIn = () =>
  refuse.signIn('The sign-in failed. Check what you entered, or ask the study team for a sign-in link.')

/**
 * A first sign-in on a trial with eConsent needs the contact and code of the consent (docs/participants.md, "First
 * sign-in with eConsent").
 */
export const eConsentRequired = () =>
  refuse.bad('Enter the e-mail address or phone number you gave your consent with, and the code you were given.', {
    eConsentRequired: true,
  })

export type Proof = { eConsentEmail?: string; eConsentPhone?: string; eConsentCode?: string }

/** Whether the contact and the code are there at all. */
export const proofGiven = ({ eConsentEmail, eConsentPhone, eConsentCode }: Proof): boolean =>
  Boolean(eConsentEmail || eConsentPhone) && Boolean(eConsentCode)
