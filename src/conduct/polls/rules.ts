/** What a poll asks for with the answers (docs/polls.md). Pure. */

/** The settings of a poll; each is false if it is absent. */
export type PollSettings = {
  requireEmail?: boolean
  requirePhone?: boolean
  verifyEmail?: boolean
  verifyPhone?: boolean
  requireConsentedEmail?: boolean
  requireConsentedPhone?: boolean
}

export type Contact = { email?: string | null | undefined; phone?: string | null | undefined }

/** The contacts that must come with the answers. A contact that is to be verified or consented is required. */
export function contactsOf(settings: PollSettings | null | undefined): { asksEmail: boolean; asksPhone: boolean } {
  const { requireEmail, verifyEmail, requireConsentedEmail } = settings ?? {}
  const { requirePhone, verifyPhone, requireConsentedPhone } = settings ?? {}
  return {
    asksEmail: [requireEmail, verifyEmail, requireConsentedEmail].includes(true),
    asksPhone: [requirePhone, verifyPhone, requireConsentedPhone].includes(true),
  }
}

/** Whether a contact must be proven, and not only given. */
export const needsProof = (settings: PollSettings | null | undefined): boolean =>
  [
    settings?.verifyEmail,
    settings?.verifyPhone,
    settings?.requireConsentedEmail,
    settings?.requireConsentedPhone,
  ].includes(true)

/** The contacts that the poll asks for and that did not come. */
export function missingContacts(settings: PollSettings | null | undefined, { email, phone }: Contact): string[] {
  const { asksEmail, asksPhone } = contactsOf(settings)
  return [...(asksEmail && !email?.trim() ? ['email'] : []), ...(asksPhone && !phone?.trim() ? ['phone'] : [])]
}
