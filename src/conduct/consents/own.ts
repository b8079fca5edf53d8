/** The consents of a participant, as they see them. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { type ConsentRow, consentsOf } from './consentStore'
import { type FormRow, formById } from './store'
import { formName } from './views'

/** Whether whoever gave this consent is asked to sign a newer version of the form. */
export const isOutdated = (
  { version }: Pick<ConsentRow, 'version'>,
  { reconsentFrom }: Pick<FormRow, 'reconsentFrom'>,
) => reconsentFrom !== null && version < reconsentFrom

/** The page on which a form is signed. */
export const consentLink = (publicUrl: string, code: string, formKey: string): string =>
  `${publicUrl}/app/consent/${encodeURIComponent(code)}/${formKey}`

/** The consents of a participant, newest first. Of each form, only the newest consent can be outdated. */
export function ownConsents(db: Db, publicUrl: string, { code }: { code: string }, participant: Id) {
  const newest = new Set<Id>()
  return consentsOf(db, participant).flatMap((consent) => {
    const form = formById(db, consent.form)
    if (!form) return []
    const isNewest = consent.withdrawnAt === null && !newest.has(form._id)
    if (isNewest) newest.add(form._id)
    return [
      {
        ...consent,
        consentDocument: form._id,
        formName: formName(form),
        isOutdated: isNewest && isOutdated(consent, form),
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
  version === null ? 'missing' : isOutdated({ version }, form) ? 'outdated' : 'signed'
