/** The consents of a participant, as they see them. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { type ConsentRow, consentsOf, currentConsent } from './consentStore'
import type { NeededConsent } from './required'
import { type FormRow, formById } from './store'
import { formName } from './views'

/** Whether a newer version of the form than this one asks for a new signature. */
const needsNewSignature = (
  { version }: Pick<ConsentRow, 'version'>,
  { reconsentFrom }: Pick<FormRow, 'reconsentFrom'>,
) => reconsentFrom !== null && version < reconsentFrom

/** Whether the person who gave this consent is asked to sign a newer version of the form. False for a consent that they have replaced by a newer one. */
export function isOutdated(db: Db, consent: ConsentRow, form: FormRow): boolean {
  if (consent.withdrawnAt !== null || !needsNewSignature(consent, form)) return false
  return consent.participant === null || currentConsent(db, consent.participant, form._id)?._id === consent._id
}

/** The page on which a form is signed. */
const consentLink = (publicUrl: string, code: string, formKey: string): string =>
  `${publicUrl}/app/consent/${encodeURIComponent(code)}/${formKey}`

/** The consents of a participant, newest first. Of each form, only the consent that counts can be outdated. */
export function ownConsents(db: Db, publicUrl: string, { code }: { code: string }, participant: Id) {
  return consentsOf(db, participant).flatMap((consent) => {
    const form = formById(db, consent.form)
    if (!form) return []
    return [
      {
        ...consent,
        consentDocument: form._id,
        formName: formName(form),
        isOutdated: isOutdated(db, consent, form),
        link: consentLink(publicUrl, code, form.formKey),
      },
    ]
  })
}

/** What a participant still has to do. @param version that they signed; null if they signed none */
export const statusOf = (
  version: number | null,
  form: Pick<FormRow, 'reconsentFrom'>,
): 'missing' | 'outdated' | 'signed' =>
  version === null ? 'missing' : needsNewSignature({ version }, form) ? 'outdated' : 'signed'

/** A consent that is needed, with the page on which it is signed. */
export const withSigningLink = (
  { publicUrl }: { publicUrl: string },
  { code }: { code: string },
  needed: NeededConsent | undefined,
) => needed && { ...needed, link: consentLink(publicUrl, code, needed.formKey) }
