/** Whom and what the clinical data refers to: users, sites and meanings of signatures, each defined once in AdminData. */
import { sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { instantText } from '#kernel/time'
import { xmlElement, xmlStart } from '#writers/xml'
import type { Edition } from './edition'
import { nonBlank, textElement } from './elements'

/** What is known of a user. */
export type Person = { name: string | null; email: string | null } | undefined

const PARTICIPANT = 'U.participant'
const NO_SITE = 'L.none'

/**
 * Notes what the data refers to, and writes it. Memory grows with the users, sites and meanings only.
 * @param personOf reads a user
 * @param siteName the `id` of a site
 */
export function adminData({ isNew }: Edition, personOf: (_id: string) => Person, siteName: (_id: string) => string) {
  const people = new Map<string, string>()
  const sites = new Map<string, string>()
  const meanings = new Map<string, string>()

  return {
    /** The OID of who sent or signed something; null is an automatic rule. */
    user(_id: string | null, type = 'user'): string {
      const oid = type === 'participant' ? PARTICIPANT : `U.${_id ?? 'automatic'}`
      if (!people.has(oid)) people.set(oid, userElement(oid, _id, type))
      return oid
    },
    /** The OID of a site, or of no site. */
    location(site: string | undefined): string {
      const oid = site === undefined ? NO_SITE : `L.${site}`
      if (!sites.has(oid)) sites.set(oid, site === undefined ? 'No site' : siteName(site))
      return oid
    },
    /** The OID of a kind of signature. */
    signature(meaning: string): string {
      const oid = `SIG.${sha256(meaning).slice(0, 16)}`
      meanings.set(oid, meaning)
      return oid
    },
    /** AdminData in pieces: call it when the data has been written. */
    *elements(study: string, version: string, at: Instant): Generator<string> {
      yield `${xmlStart('AdminData', { StudyOID: study })}\n`
      for (const element of people.values()) yield `${element}\n`
      const reference = xmlElement('MetaDataVersionRef', {
        StudyOID: study,
        MetaDataVersionOID: version,
        EffectiveDate: instantText(at).slice(0, 10),
      })
      for (const [OID, name] of sites) {
        const kind = OID === NO_SITE ? 'Other' : 'Site'
        yield `${xmlElement('Location', { OID, Name: nonBlank(name), [isNew ? 'Role' : 'LocationType']: kind }, reference)}\n`
      }
      for (const [OID, meaning] of meanings)
        yield `${xmlElement(
          'SignatureDef',
          { OID, Methodology: 'Electronic' },
          textElement('Meaning', meaning),
          textElement('LegalReason', 'The signer confirmed their identity when they signed.'),
        )}\n`
      yield '</AdminData>\n'
    },
  }

  function userElement(OID: string, _id: string | null, type: string): string {
    const shown = isNew ? 'UserName' : 'DisplayName'
    if (type === 'participant')
      return xmlElement('User', { OID, UserType: isNew ? 'Subject' : 'Other' }, textElement(shown, 'The participant'))
    if (_id === null) return xmlElement('User', { OID, UserType: 'Other' }, textElement(shown, 'An automatic rule'))
    const person = personOf(_id)
    const { name, email } = person ?? {}
    return xmlElement(
      'User',
      { OID, UserType: 'Other' },
      textElement(shown, name || email || _id),
      ...(name ? [textElement('FullName', name)] : []),
      ...(email
        ? [isNew ? xmlElement('Telecom', { TelecomType: 'Email', Value: email }) : textElement('Email', email)]
        : []),
    )
  }
}

export type AdminData = ReturnType<typeof adminData>
