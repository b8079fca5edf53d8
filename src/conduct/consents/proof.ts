/** The consent that a participant proves at their first sign-in (docs/consent.md, "The first sign-in"). */
import { isSameCode } from '#conduct/contactCodes/codes'
import type { ParticipantRow } from '#conduct/participants/store'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Seal } from '#kernel/seal'
import type { Instant } from '#kernel/time'
import { signInCode } from './codes'
import { type ConsentRow, changeConsent, consentsForSignIn } from './consentStore'
import { copyContacts } from './contacts'
import { type Method, parseAddress } from './rules'

/** An address in its stored form, and the code that was given with the consent. */
export type ConsentProof = { methods: readonly Method[]; address: string; code: string }

/** Reads what a person entered; undefined if it is no address. */
export async function consentProof(
  { email, phone }: { email?: string | undefined; phone?: string | undefined },
  code: string,
): Promise<ConsentProof | undefined> {
  const method = email ? 'email' : 'phone'
  const address = await parseAddress(method, email ?? phone ?? '')
  if (address === undefined) return undefined
  return { methods: email ? ['email'] : ['phone', 'whatsapp'], address, code }
}

/**
 * The consent of the trial that was verified with this address and has this code; undefined if there is none.
 * @param known the participant who signs in; undefined for one who registers with the sign-in
 */
export function consentByCode(
  db: Db,
  seal: Pick<Seal, 'keys'>,
  trial: Id,
  { methods, address, code }: ConsentProof,
  known: ParticipantRow | undefined,
): ConsentRow | undefined {
  return methods
    .flatMap((method) => consentsForSignIn(db, trial, method, address, known?._id ?? null))
    .find((each) => seal.keys.some((key) => isSameCode(code, signInCode(key, each._id, each.codeNumber))))
}

/** Ties a consent to the participant who signed in with its code, which is used up then. Returns what the audit entry keeps. */
export function bindConsent(
  db: Db,
  consent: ConsentRow,
  participant: ParticipantRow,
  isLocked: boolean,
  now: Instant,
): Record<string, unknown> {
  const binding = consent.participant === null ? { participant: participant._id, boundAt: now } : {}
  changeConsent(db, consent._id, { ...binding, codeUsedAt: consent.codeUsedAt ?? now })
  // A locked database is not changed: the code stays good until the participant has joined, and the details are copied then.
  const contactDetails = isLocked ? [] : copyContacts(db, consent, participant)
  return { consent: consent._id, ...(contactDetails.length ? { contactDetails } : {}) }
}
