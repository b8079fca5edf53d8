/** Makes the records of SDTM from a response (pure, but for reading how its answers are stored). */
import type { Instant } from '#kernel/time'
import type { Zone } from '#kernel/zones'
import { dateOf, dateTime } from './dates'
import { measurements, medicationColumns, positions, reasonTerms, type Target } from './forms'
import { type FieldPlan, type StagePlan, shortLabel } from './plan'
import { codeLists } from './terms'
import type { DomainName } from './variables'

export type Value = string | number | null
export type Qualifier = { name: string; label: string; value: string; origin: 'CRF' | 'DERIVED' }

/** A record of a domain before it has its number. */
export type SdtmRecord = { domain: DomainName; values: Record<string, Value>; qualifiers: Qualifier[] }

/** Other answers of a form, which belong to all of its records in a domain. */
export type FormQualifiers = { domain: DomainName; group: string | null; qualifiers: Qualifier[] }

/** An answer that becomes nothing. */
export type LeftOut = { stage: string; question: string; why: string }

/** One response as it is read: the answers that the reader may see. */
export type FormAnswers = {
  plan: StagePlan
  n: number
  /** When it was filled in, else when it was recorded. */
  at: Instant
  answers: readonly (readonly [dataType: string, value: unknown])[]
}

export type FormRecords = { records: SdtmRecord[]; others: FormQualifiers[]; leftOut: LeftOut[] }

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
/** Transport files hold numbers below 7e75. */
const MOST = 1e70
const labelOf = (value: unknown): string => listOf(value).map(textOf).join('; ')
const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length)

/** The value of an answer in a variable; undefined if it has none there. */
function valueFor({ as, values }: Extract<Target, { to: string }>, value: unknown, zone: Zone): Value | undefined {
  if (as === 'date') return dateOf(value, zone) ?? undefined
  if (as === 'number') return typeof value === 'number' && Math.abs(value) < MOST ? value : undefined
  return values ? values[labelOf(value)] : labelOf(value)
}

/** Fills a record from an answer. Returns whether nothing of the answer is lost. */
function fill(record: SdtmRecord, targets: readonly Target[], value: unknown, zone: Zone): boolean {
  const kept = targets.map((target) => {
    if ('supp' in target) {
      const { supp: name, label } = target
      record.qualifiers.push({ name, label, value: labelOf(value), origin: 'CRF' })
      return 'whole'
    }
    if ('flags' in target) {
      const chosen = listOf(value).map((label) => target.flags[String(label)])
      for (const name of chosen) if (name) record.values[name] = 'Y'
      return chosen.includes(undefined) ? 'lost' : 'whole'
    }
    const made = valueFor(target, value, zone)
    if (made !== undefined) record.values[target.to] = made
    return made === undefined ? 'lost' : 'whole'
  })
  return kept.includes('whole') && (!kept.includes('lost') || targets.some((target) => 'supp' in target))
}

const NO_OPTION = 'An answer that is no option of the form of the library.'
const NO_PARENT = 'The form has no record that it could belong to.'

/** The records of a response. @param groupOf numbers the forms of the participant in a domain */
export function recordsOf(form: FormAnswers, zone: Zone, groupOf: (domain: DomainName) => string): FormRecords {
  const { plan, n, at, answers } = form
  const leftOut: LeftOut[] = []
  const drop = (dataType: string, why: string) =>
    leftOut.push({ stage: plan.stage.name, question: plan.names.get(dataType) ?? dataType, why })
  const planned = answers.flatMap(([dataType, value]) => {
    const field = plan.fields.get(dataType)
    return field && !isBlank(value) ? [{ dataType, field, value }] : []
  })
  const forms = formRecords(planned, zone, drop)
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
  return { records, others, leftOut }
}

type Planned = { dataType: string; field: FieldPlan; value: unknown }
type Drop = (dataType: string, why: string) => void
type Context = {
  VISITNUM?: number
  VISIT?: string
  at: string
  zone: Zone
  groupOf: (domain: DomainName) => string
}

const visitOf = ({ VISITNUM, VISIT }: Context) => ({ VISITNUM: VISITNUM ?? null, VISIT: VISIT ?? null })

/** The records of forms that are one record each: the answers of a form of the library. */
function formRecords(planned: readonly Planned[], zone: Zone, drop: Drop): SdtmRecord[] {
  const own = planned.flatMap(({ dataType, field, value }) => (field.as === 'form' ? [{ dataType, field, value }] : []))
  return [...Map.groupBy(own, ({ field }) => field.form)].flatMap(([form, given]) => {
    const domain = given[0]?.field.domain ?? 'DM'
    const record: SdtmRecord = { domain, values: {}, qualifiers: [] }
    for (const { dataType, field, value } of given)
      if (field.targets.length && !fill(record, field.targets, value, zone)) drop(dataType, NO_OPTION)
    const answer = (code: string) => given.find(({ field }) => field.code === code)?.value
    const isMade = form === 'adverse-event' ? record.values.AETERM !== undefined : completed(record, form, answer)
    if (isMade) return [record]
    for (const { dataType } of given) drop(dataType, NO_PARENT)
    return []
  })
}

/** Adds what a disposition is. Returns whether the form says one. */
function completed({ domain, values }: SdtmRecord, form: string, answer: (code: string) => unknown): boolean {
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

function medicationRecords(planned: readonly Planned[], { zone, groupOf }: Context, drop: Drop): SdtmRecord[] {
  const asked = planned.find(({ field }) => field.as === 'medications')
  if (!asked) return []
  const records = listOf(asked.value).flatMap((row): SdtmRecord[] => {
    const record: SdtmRecord = { domain: 'CM', values: {}, qualifiers: [] }
    let isWhole = true
    for (const [column, target] of Object.entries(medicationColumns)) {
      const value = (row as Record<string, unknown>)[column]
      if (!isBlank(value)) isWhole = fill(record, [target], value, zone) && isWhole
    }
    if (!isWhole || record.values.CMTRT === undefined) drop(asked.dataType, isWhole ? NO_PARENT : NO_OPTION)
    return record.values.CMTRT === undefined ? [] : [record]
  })
  if (!records.length) return []
  const CMGRPID = groupOf('CM')
  return records.map((record) => ({ ...record, values: { ...record.values, CMGRPID } }))
}

const testNames = new Map(codeLists.VSTESTCD.terms.map(({ value, decode = value }) => [value, decode]))

function measurementRecords(planned: readonly Planned[], context: Context, drop: Drop): SdtmRecord[] {
  const { zone, groupOf } = context
  const find = (as: FieldPlan['as']) => planned.find(({ field }) => field.as === as)
  const [position, time] = [find('position'), find('measuredAt')]
  const VSPOS = position === undefined ? null : (positions[labelOf(position.value)] ?? null)
  const VSDTC = time === undefined ? context.at : dateOf(time.value, zone)
  const made = planned.flatMap(({ dataType, field, value }) => {
    if (field.as !== 'measurement') return []
    return (measurements[field.code] ?? []).flatMap(({ test, unit, part, isDerived = false }) => {
      const result = part === undefined ? value : (value as Record<string, unknown>)[part]
      if (isBlank(result)) return []
      if (typeof result !== 'number') return (drop(dataType, NO_OPTION), [])
      const VSTEST = testNames.get(test) ?? test
      return [
        {
          ...{ VSTESTCD: test, VSTEST, VSPOS, VSORRES: isDerived ? null : String(result) },
          ...{ VSORRESU: isDerived ? null : unit, VSSTRESC: String(result), VSSTRESN: result, VSSTRESU: unit },
          ...{ VSDRVFL: isDerived ? 'Y' : null, VSDTC, ...visitOf(context) },
        },
      ]
    })
  })
  if (!made.length) {
    for (const each of [position, time]) if (each) drop(each.dataType, NO_PARENT)
    return []
  }
  if (position && VSPOS === null) drop(position.dataType, NO_OPTION)
  const VSGRPID = groupOf('VS')
  return made.map((values) => ({ domain: 'VS', values: { ...values, VSGRPID }, qualifiers: [] }))
}

function questionRecords(planned: readonly Planned[], context: Context): SdtmRecord[] {
  const made = planned.flatMap(({ field, value }) => {
    if (field.as !== 'question') return []
    const { code, codes, scale } = field
    const single = codes.get(code)
    if (single) return [{ question: single, ...resultOf(value, scale) }]
    return Object.entries(value as Record<string, unknown>).flatMap(([key, point]) => {
      const question = codes.get(`${code}:${key}`)
      return question && point !== undefined ? [{ question, ...pointOf(point, scale) }] : []
    })
  })
  if (!made.length) return []
  const QSGRPID = context.groupOf('QS')
  return made.map(({ question: { test, name, category, isDerived }, shown, result }) => {
    const QSSTRESN = /^-?\d+(\.\d+)?$/.test(result) ? Number(result) : null
    return {
      domain: 'QS',
      values: {
        ...{ QSGRPID, QSTESTCD: test, QSTEST: name, QSCAT: category, QSORRES: isDerived ? null : shown },
        ...{ QSSTRESC: result, QSSTRESN, QSDRVFL: isDerived ? 'Y' : null, QSDTC: context.at, ...visitOf(context) },
      },
      qualifiers: [],
    }
  })
}

/** An answer as it was chosen, and its score. */
function resultOf(value: unknown, scale: ReadonlyMap<string, string>) {
  const shown = labelOf(value)
  return { shown, result: scale.get(shown) ?? shown }
}

/** The point of a scale: its label, and the point as the score. Null means “not applicable”. */
const pointOf = (point: unknown, scale: ReadonlyMap<string, string>) =>
  point === null
    ? { shown: 'NOT APPLICABLE', result: 'NOT APPLICABLE' }
    : { shown: scale.get(String(point)) ?? String(point), result: String(point) }

/** The answers to questions of the study in a form of the library: qualifiers of its record, or of its group of records. */
function otherAnswers(planned: readonly Planned[], records: readonly SdtmRecord[], drop: Drop): FormQualifiers[] {
  const found = new Map<DomainName, FormQualifiers>()
  for (const { dataType, field, value } of planned) {
    if (field.as !== 'other') continue
    const { domain, qualifier, read } = field
    const parent = records.find((record) => record.domain === domain)
    if (!parent) {
      drop(dataType, NO_PARENT)
      continue
    }
    const made = Map.groupBy(read(value), ({ column }) => column.variable.name)
    const qualifiers = [...made].map(([name, parts]): Qualifier => {
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
