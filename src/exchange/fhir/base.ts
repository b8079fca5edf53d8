/** What all FHIR resources have in common: their address, references, identifiers and moments. */
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'

/** A resource as it is sent. Fields that are undefined are left out. */
export type Resource = { resourceType: string; id?: string } & Record<string, unknown>

/** The resources that are offered. */
export const resourceTypes = [
  ...['ResearchStudy', 'Questionnaire', 'QuestionnaireResponse', 'Patient', 'ResearchSubject', 'Consent'],
] as const

export type ResourceType = (typeof resourceTypes)[number]

/** Where the resources of the trial of a request are, without a slash at the end. */
export const baseIn = ({ origin, trial }: { origin: string; trial: { _id: Id } }): string =>
  `${origin}/trials/${trial._id}/fhir`

export const reference = (type: string, id: Id) => ({ reference: `${type}/${id}` })

/** An identifier whose system is an address below the base. */
export const identifier = (base: string, system: string, value: string) => ({ system: `${base}/${system}`, value })

/** The `_id` in a search for a reference: the `_id` alone, or with the type and perhaps the base before it. */
export const idIn = (type: string, value: string): string =>
  value.replace(/\|.*$/, '').replace(new RegExp(`^(.*/)?${type}/`), '')

/** A moment as FHIR writes it. */
export const moment = (at: Instant): string => instantText(at)

/** Says that a record is pseudonymous. */
export const pseudonymous = {
  security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'PSEUDED' }],
}

/** A text as the type `string` allows it: undefined if nothing is left without spaces. */
export const shown = (text: string | null | undefined): string | undefined => text?.trim() || undefined

/** A text as the type `code` allows it: without spaces at its ends, and with single spaces in it. */
export const codeOf = (text: string): string => text.trim().replace(/\s+/g, ' ')
