/** Makes the records of SDTM from a response (pure, but for reading how its answers are stored). */
import type { Instant } from '#kernel/time'
import type { Zone } from '#kernel/zones'
import {
  type Context,
  fillRecord,
  isBlank,
  labelOf,
  listOf,
  NO_OPTION,
  NO_PARENT,
  type OnDropped,
  type PlannedAnswer,
  type Qualifier,
  type SdtmRecord,
} from './answers'
import { dateTime } from './dates'
import { measurementRecords, questionRecords } from './findings'
import { medicationColumns, reasonTerms } from './forms'
import { type StagePlan, shortLabel } from './plan'
import type { DomainName } from './variables'

/** Other answers of a form, which belong to all of its records in a domain. */
export type FormQualifiers = { domain: DomainName; group: string | null; qualifiers: Qualifier[] }

/** An answer that is not mapped to any variable. */
export type Omission = { stage: string; question: string; why: string }

/** One response as it is read: the answers that the reader may see. */
export type FormAnswers = {
  plan: StagePlan
  n: number
  /** When it was filled in, else when it was recorded. */
  at: Instant
  answers: readonly (readonly [dataType: string, value: unknown])[]
}

/** `unmappedRecords`: what is not a record of its domain, such as an adverse event without a term. It may still report a death. */
export type FormRecords = {
  records: SdtmRecord[]
  unmappedRecords: SdtmRecord[]
  others: FormQualifiers[]
  omissions: Omission[]
}

/** The records of a response. @param groupOf numbers the forms of the participant in a domain */
export function recordsOf(form: FormAnswers, zone: Zone, groupOf: (domain: DomainName) => string): FormRecords {
  const { plan, n, at, answers } = form
  const omissions: Omission[] = []
  const drop = (dataType: string, why: string) =>
    omissions.push({ stage: plan.stage.name, question: plan.names.get(dataType) ?? dataType, why })
  const planned = answers.flatMap(([dataType, value]) => {
    const field = plan.fields.get(dataType)
    return field && !isBlank(value) ? [{ dataType, field, value }] : []
  })
  const { made: forms, unmade: unmappedRecords } = formRecords(planned, zone, drop)
  const context = { ...plan.visit(n), at: dateTime(at, zone), zone, groupOf }
  const records = [
    ...forms,
    ...medicationRecords(planned, context, drop),
    ...measurementRecords(planned, context, drop),
    ...questionRecords(planned, context),
  ]
  const others = otherAnswers(planned, records, drop)
  for (const { dataType, field } of planned) {
    if (field.as === 'none') drop(dataType, field.why)
    if (field.as === 'medicationsAsked' && !records.some(({ domain }) => domain === 'CM')) drop(dataType, NO_PARENT)
  }
  return { records, unmappedRecords, others, omissions }
}

/** The records of forms that are one record each: the answers of a form of the library. */
function formRecords(planned: readonly PlannedAnswer[], zone: Zone, drop: OnDropped) {
  const unmappedRecords: SdtmRecord[] = []
  const own = planned.flatMap(({ dataType, field, value }) => (field.as === 'form' ? [{ dataType, field, value }] : []))
  const recordsByForm = [...Map.groupBy(own, ({ field }) => field.form)].flatMap(([form, given]) => {
    const domain = given[0]?.field.domain ?? 'DM'
    const record: SdtmRecord = { domain, values: {}, qualifiers: [] }
    for (const { dataType, field, value } of given)
      if (field.targets.length && !fillRecord(record, field.targets, value, zone)) drop(dataType, NO_OPTION)
    const answer = (code: string) => given.find(({ field }) => field.code === code)?.value
    const isMade = form === 'adverse-event' ? record.values.AETERM !== undefined : addDisposition(record, form, answer)
    if (isMade) return [record]
    unmappedRecords.push(record)
    for (const { dataType } of given) drop(dataType, NO_PARENT)
    return []
  })
  return { made: recordsByForm, unmade: unmappedRecords }
}

/** Adds what a disposition is. Returns whether the form says one. */
function addDisposition({ domain, values }: SdtmRecord, form: string, answer: (code: string) => unknown): boolean {
  if (domain === 'DM') return true
  if (form === 'eligibility') {
    const consent = 'INFORMED CONSENT OBTAINED'
    Object.assign(values, { DSTERM: consent, DSDECOD: consent, DSCAT: 'PROTOCOL MILESTONE' })
    return labelOf(answer('ie_consent')) === 'Yes'
  }
  const [isCompleted, reason] = [labelOf(answer('ds_completed')), answer('ds_reason')]
  if (isCompleted !== 'Yes' && isBlank(reason)) return false
  const label = labelOf(reason)
  const [term, decoded] = isCompleted === 'Yes' ? ['COMPLETED', 'COMPLETED'] : [label, reasonTerms[label] ?? 'OTHER']
  Object.assign(values, { DSTERM: term, DSDECOD: decoded, DSCAT: 'DISPOSITION EVENT' })
  return true
}

function medicationRecords(
  planned: readonly PlannedAnswer[],
  { zone, groupOf }: Context,
  drop: OnDropped,
): SdtmRecord[] {
  const medications = planned.find(({ field }) => field.as === 'medications')
  if (!medications) return []
  const records = listOf(medications.value).flatMap((row): SdtmRecord[] => {
    const record: SdtmRecord = { domain: 'CM', values: {}, qualifiers: [] }
    let isWhole = true
    for (const [column, target] of Object.entries(medicationColumns)) {
      const value = (row as Record<string, unknown>)[column]
      if (!isBlank(value)) isWhole = fillRecord(record, [target], value, zone) && isWhole
    }
    if (!isWhole || record.values.CMTRT === undefined) drop(medications.dataType, isWhole ? NO_PARENT : NO_OPTION)
    return record.values.CMTRT === undefined ? [] : [record]
  })
  if (!records.length) return []
  const CMGRPID = groupOf('CM')
  return records.map((record) => ({ ...record, values: { ...record.values, CMGRPID } }))
}

/** The answers to questions of the study in a form of the library: qualifiers of its record, or of its group of records. */
function otherAnswers(
  planned: readonly PlannedAnswer[],
  records: readonly SdtmRecord[],
  drop: OnDropped,
): FormQualifiers[] {
  const found = new Map<DomainName, FormQualifiers>()
  for (const { dataType, field, value } of planned) {
    if (field.as !== 'other') continue
    const { domain, qualifier, read } = field
    const parent = records.find((record) => record.domain === domain)
    if (!parent) {
      drop(dataType, NO_PARENT)
      continue
    }
    const recordsByForm = Map.groupBy(read(value), ({ column }) => column.variable.name)
    const qualifiers = [...recordsByForm].map(([name, parts]): Qualifier => {
      const label = shortLabel(parts[0]?.column.variable.label ?? name)
      const text = parts.map(({ value }) => String(value)).join('; ')
      return { name: qualifier(name, label), label, value: text, origin: 'CRF' }
    })
    if (domain === 'AE' || domain === 'DS' || domain === 'DM') parent.qualifiers.push(...qualifiers)
    else {
      const group = String(parent.values[`${domain}GRPID`] ?? '')
      const known = found.get(domain) ?? { domain, group, qualifiers: [] }
      known.qualifiers.push(...qualifiers)
      found.set(domain, known)
    }
  }
  return [...found.values()]
}
