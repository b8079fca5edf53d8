/** What a poll asks for with the answers (docs/polls.md). Pure. */
import type { Channel } from '#outbox/status'

/** The settings of a poll; each is false if it is absent. */
export type PollSettings = {
  requireEmail?: boolean
  requirePhone?: boolean
  verifyEmail?: boolean
  verifyPhone?: boolean
  requireConsentedEmail?: boolean
  requireConsentedPhone?: boolean
  oneAnswerPerContact?: boolean
}

/** The contacts that a poll can ask for. */
export const contactMethods = ['email', 'phone'] as const
export type ContactMethod = (typeof contactMethods)[number]

export type Contact = { email?: string | null | undefined; phone?: string | null | undefined }

type Settings = PollSettings | null | undefined

/** The contacts of which somebody must have consented to take part in the trial. */
export const consentedMethods = (settings: Settings): ContactMethod[] => [
  ...(settings?.requireConsentedEmail ? (['email'] as const) : []),
  ...(settings?.requireConsentedPhone ? (['phone'] as const) : []),
]

/** The contacts that must be proven by a code. Those that must be consented, too: else anybody could claim to be somebody who did. */
export const provenMethods = (settings: Settings): ContactMethod[] => [
  ...(settings?.verifyEmail || settings?.requireConsentedEmail ? (['email'] as const) : []),
  ...(settings?.verifyPhone || settings?.requireConsentedPhone ? (['phone'] as const) : []),
]

/** The contacts that must come with the answers. A contact that is to be proven is required. */
export const requiredMethods = (settings: Settings): ContactMethod[] => {
  const proven = provenMethods(settings)
  return [
    ...(settings?.requireEmail || proven.includes('email') ? (['email'] as const) : []),
    ...(settings?.requirePhone || proven.includes('phone') ? (['phone'] as const) : []),
  ]
}

/** The contacts that the poll asks for and that did not come. */
export const missingContacts = (settings: Settings, contact: Contact): ContactMethod[] =>
  requiredMethods(settings).filter((method) => !contact[method]?.trim())

/** The channel by which a code goes out: to a phone by SMS, or by WhatsApp if the server can send only that. */
export function codeChannel(method: ContactMethod, sendsBy: readonly Channel[]): 'email' | 'sms' | 'whatsapp' {
  if (method === 'email') return 'email'
  return !sendsBy.includes('sms') && sendsBy.includes('whatsapp') ? 'whatsapp' : 'sms'
}
