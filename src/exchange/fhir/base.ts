/** What all FHIR resources have in common: their address, references, identifiers and moments. */
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'

/** A resource as it is sent. Fields that are undefined are left out. */
export type Resource = { resourceType: string; id?: string } & Record<string, unknown>

/** The resources that are offered. */
const resourceTypes = [
  ...['ResearchStudy', 'Questionnaire', 'QuestionnaireResponse', 'Patient', 'ResearchSubject', 'Consent'],
] as const

export type ResourceType = (typeof resourceTypes)[number]

/** Where the resources of the trial of a request are, without a slash at the end. */
export const baseIn = ({ origin, trial }: { origin: string; trial: { _id: Id } }): string =>
  `${origin}/trials/${trial._id}/fhir`

export const reference = (type: string, id: Id) => ({ reference: `${type}/${id}` })

/** An identifier whose system is an address below the base. */
export const identifier = (base: string, system: string, value: string) => ({ system: `${base}/${system}`, value })

/**
 * The values of a search parameter, one of which is to be found: commas stand between them, and a backslash before a sign that belongs to
 * a value. @see http://hl7.org/fhir/R4/search.html#escaping
 */
const alternatives = (value: string): string[] => value.match(/(?:\\.|[^\\,])+/gs) ?? []

const unescapeValue = (value: string): string => value.trim().replace(/\\(.)/gs, '$1')

/**
 * The `_id`s in a search for references to resources of the trial: each alone, after its type, or as an address of this server, by
 * whichever of its names. An address of another server keeps its form, so that nothing is found.
 */
export const idsIn = (trial: Id, type: string, value: string): string[] =>
  alternatives(value).map((each) => {
    const path = unescapeValue(each).replace(/\|.*$/s, '')
    const [own, start] = [`/trials/${trial}/fhir/${type}/`, `${type}/`]
    if (/^https?:/.test(path) && path.includes(own)) return path.slice(path.indexOf(own) + own.length)
    return path.startsWith(start) ? path.slice(start.length) : path
  })

/**
 * The values in a search for an identifier: those that name the system, or none. An identifier of another system, such as the number of
 * a patient in a hospital, is not one of the trial, even if it looks the same.
 */
export const identifiersIn = (trial: Id, system: string, value: string): string[] =>
  alternatives(value).flatMap((each) => {
    const [, before, text] = /^((?:\\.|[^\\|])*)\|(.*)$/s.exec(each) ?? []
    if (before === undefined || text === undefined) return [unescapeValue(each)]
    return unescapeValue(before).endsWith(`/trials/${trial}/fhir/${system}`) ? [unescapeValue(text)] : []
  })

/** A moment as FHIR writes it. */
export const moment = (at: Instant): string => instantText(at)

/** Says that a record is pseudonymous. */
export const pseudonymous = {
  security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'PSEUDED' }],
}

/** A text as the type `string` allows it: with U+FFFD in place of control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
export const stringOf = (text: string): string => text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '\ufffd')

/** The same without spaces at its ends; undefined if nothing is left. */
export const trimmedString = (text: string | null | undefined): string | undefined =>
  (text && stringOf(text).trim()) || undefined

/** A text as the type `code` allows it: without spaces at its ends, and with single spaces in it. */
export const codeOf = (text: string): string => stringOf(text).trim().replace(/\s+/g, ' ')
