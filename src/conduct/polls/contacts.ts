/** The contacts that come with the answers to a poll (docs/polls.md, "Verified contacts"). */
import { requireAddress } from '#conduct/contactCodes/addresses'
import type { Db } from '#db/open'
import { type Id, sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { changeVerification, verificationsOf } from './codeStore'
import { hasConsentWith } from './codes'
import {
  type Contact,
  type ContactMethod,
  consentedMethods,
  missingContacts,
  type PollSettings,
  provenMethods,
  requiredMethods,
} from './rules'
import { hasAnswered, type PollAnswerRow } from './store'

type Settings = PollSettings | null | undefined
type Context = { db: Db; trial: { _id: Id }; poll: Id }

const MISSING_CODES = { email: 'needsEmail', phone: 'needsPhone' } as const

/** The contacts that the poll asks for, in their stored form. Refuses (422) what is no address. */
export async function normaliseContacts(settings: Settings, { email, phone }: Contact): Promise<Contact> {
  const required = requiredMethods(settings)
  return {
    email:
      email && required.includes('email') ? await requireAddress({ method: 'email', address: email }, 'email') : email,
    phone:
      phone && required.includes('phone') ? await requireAddress({ method: 'phone', address: phone }, 'phone') : phone,
  }
}

/** Refuses (400) answers without a contact that the poll asks for. */
function requireContacts(settings: Settings, contact: Contact): void {
  const [first] = missingContacts(settings, contact)
  if (first) throw refuse.bad(MISSING_CODES[first])
}

/** Refuses (400) a contact that has answered already, where each answers once. */
function requireNotAnswered({ db, poll }: Context, settings: Settings, method: ContactMethod, address: string): void {
  if (settings?.oneAnswerPerContact && hasAnswered(db, poll, method, address))
    throw refuse.bad('answeredAlready', undefined, { method })
}

/** The verification by which this contact is proven for these answers. @throws 400 if there is none, or the contact may not answer */
function verificationFor(context: Context, settings: Settings, entry: string, method: ContactMethod, address: string) {
  const { db, trial, poll } = context
  const row = verificationsOf(db, poll, sha256(entry)).findLast(
    (each) => each.method === method && each.address === address && each.verifiedAt !== null,
  )
  if (!row) throw refuse.bad('needsCode', undefined, { method })
  if (consentedMethods(settings).includes(method) && !hasConsentWith(db, trial._id, method, address))
    throw refuse.bad('notConsented', undefined, { method })
  requireNotAnswered(context, settings, method, address)
  return row
}

type StoredContacts = Pick<PollAnswerRow, 'email' | 'phone' | 'emailVerifiedAt' | 'phoneVerifiedAt'>

/**
 * The contacts that are kept with the answers: those that the poll asks for. `use` marks what proves them as used.
 * @param contact as `foldedContacts` returned it
 * @throws 400 for a contact that is missing or not proven, has not consented, or has answered already
 */
export function contactsFor(
  context: Context,
  settings: Settings,
  entry: string,
  contact: Contact,
): { kept: StoredContacts; use(response: Id): void } {
  requireContacts(settings, contact)
  const proofs = provenMethods(settings).map((method) =>
    verificationFor(context, settings, entry, method, contact[method] ?? ''),
  )
  const given = (method: ContactMethod) =>
    requiredMethods(settings).includes(method) ? (contact[method] ?? null) : null
  const verifiedAt = (method: ContactMethod) => proofs.find((each) => each.method === method)?.verifiedAt ?? null
  return {
    kept: {
      ...{ email: given('email'), emailVerifiedAt: verifiedAt('email') },
      ...{ phone: given('phone'), phoneVerifiedAt: verifiedAt('phone') },
    },
    use: (response) => {
      for (const { _id } of proofs) changeVerification(context.db, _id, { response, removeAt: null })
    },
  }
}
