/** Consents as FHIR resources. @see http://hl7.org/fhir/R4/consent.html */
import type { ConsentRow } from '#conduct/consents/consentStore'
import { formById } from '#conduct/consents/store'
import { formName } from '#conduct/consents/views'
import type { Db } from '#db/open'
import { moment, pseudonymous, type Resource, reference, shown } from './base'

const coded = (system: string, code: string) => ({ coding: [{ system, code }] })

/** A consent, without the name and the addresses of the person. A consent of nobody yet has no patient. */
export function consentResource(db: Db, row: ConsentRow): Resource {
  const form = formById(db, row.form)
  const rule = `${form ? formName(form) : row.form}, version ${row.version}`
  return {
    resourceType: 'Consent',
    id: row._id,
    meta: pseudonymous,
    status: row.withdrawnAt === null ? 'active' : 'inactive',
    scope: coded('http://terminology.hl7.org/CodeSystem/consentscope', 'research'),
    category: [coded('http://loinc.org', '59284-0')],
    patient: row.participant === null ? undefined : reference('Patient', row.participant),
    dateTime: moment(row.createdAt),
    policyRule: { text: shown(rule) },
    provision: {
      type: 'permit',
      period: { start: moment(row.createdAt), end: row.withdrawnAt === null ? undefined : moment(row.withdrawnAt) },
    },
  }
}
