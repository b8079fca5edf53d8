/** Verified addresses on the participant (docs/consent.md, "The first sign-in"). */
import type { ParticipantRow } from '#conduct/participants/store'
import { changeParticipant } from '#conduct/participants/updateStore'
import type { Db } from '#db/open'
import { versionOf } from '#design/consentForms/store'
import type { ConsentRow } from './consentStore'
import type { Method } from './rules'

const fields: readonly Method[] = ['email', 'phone', 'whatsapp']

/** Copies the verified addresses to the participant, if the form asks for it. Returns the fields that changed. */
export function copyContacts(db: Db, consent: ConsentRow, participant: ParticipantRow): Method[] {
  const content = versionOf(db, consent.form, consent.version)?.content
  if (!content?.connectContactDetails || participant.erasedAt !== null) return []
  const changed = fields.filter((field) => consent[field] !== null && consent[field] !== participant[field])
  changeParticipant(db, participant._id, Object.fromEntries(changed.map((field) => [field, consent[field]])))
  return changed
}
