/** Consents as FHIR resources. @see http://hl7.org/fhir/R4/consent.html */
import type { ConsentRow } from '#conduct/consents/consentStore'
import { formById } from '#conduct/consents/store'
import { formName } from '#conduct/consents/views'
import type { Db } from '#db/open'
import { moment, pseudonymous, type Resource, reference, trimmedString } from './base'

const codeableConcept = (system: string, code: string) => ({ coding: [{ system, code }] })

/** A consent, without the name and the addresses of the person. A consent that does not belong to a participant yet has no patient. */
export function consentResource(db: Db, row: ConsentRow): Resource {
  const form = formById(db, row.form)
  const rule = `${form ? formName(form) : row.form}, version ${row.version}`
  return {
    resourceType: 'Consent',
    id: row._id,
    meta: pseudonymous,
    status: row.withdrawnAt === null ? 'active' : 'inactive',
    scope: codeableConcept('http://terminology.hl7.org/CodeSystem/consentscope', 'research'),
    category: [codeableConcept('http://loinc.org', '59284-0')],
    patient: row.participant === null ? undefined : reference('Patient', row.participant),
    dateTime: moment(row.createdAt),
    policyRule: { text: trimmedString(rule) },
    provision: {
      type: 'permit',
      period: { start: moment(row.createdAt), end: row.withdrawnAt === null ? undefined : moment(row.withdrawnAt) },
    },
  }
}
