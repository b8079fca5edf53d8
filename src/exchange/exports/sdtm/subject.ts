/** Puts the records of a participant together: the demographics, numbers, days of study, and the rest of long texts. */

import { shownText } from '#kernel/text'
import type { Instant } from '#kernel/time'
import type { Zone } from '#kernel/zones'
import { partsOf } from '#writers/tally'
import { TEXT_BYTES } from '#writers/xpt/transport5'
import type { Qualifier, SdtmRecord, Value } from './answers'
import { dateTime, studyDay } from './dates'
import { domains } from './domains'
import type { ParticipantFacts } from './facts'
import { partName } from './names'
import type { FormQualifiers, FormRecords, Omission } from './records'
import { type DomainName, domainNames } from './variables'

export type Subject = {
  study: string
  id: string
  site: string | null
  facts: ParticipantFacts
  /** Whether the study has a randomisation: then the study of a participant begins with the allocation. */
  isRandomised: boolean
  zone: Zone
}

/** When a form was recorded at a visit. */
export type Visit = { VISITNUM: number; VISIT: string; at: Instant }

export type SubjectRows = {
  rows: Record<DomainName, Record<string, Value>[]>
  supp: Record<DomainName, Record<string, Value>[]>
  omissions: Omission[]
}

const emptyTables = <T>(): Record<DomainName, T[]> => ({ DM: [], SV: [], DS: [], AE: [], CM: [], VS: [], QS: [] })

const SEVERAL = 'The participant has several demographics forms; only the first one is mapped.'

/** The rows of a participant, in the order of their numbers. */
export function subjectRows(subject: Subject, forms: readonly FormRecords[], visits: readonly Visit[]): SubjectRows {
  const { facts, zone, isRandomised } = subject
  const all = forms.flatMap(({ records }) => records)
  const omissions = forms.flatMap((form) => form.omissions)
  const [demographics, ...further] = all.filter(({ domain }) => domain === 'DM')
  for (const _ of further) omissions.push({ stage: 'Demographics', question: 'All answers', why: SEVERAL })
  const startAt = isRandomised ? facts.allocatedAt : facts.registeredAt
  const reference = startAt === null ? null : dateTime(startAt, zone)
  const records = [...all.filter(({ domain }) => domain !== 'DM'), ...milestones(subject, all)]
  const { rows, supp } = { rows: emptyTables<Record<string, Value>>(), supp: emptyTables<Record<string, Value>>() }
  const subjectOf = subjectCells(subject)
  const add = (record: SdtmRecord, identified: string | null) => {
    const { cells, further } = cutTexts(record, reference)
    rows[record.domain].push({ ...subjectOf, DOMAIN: record.domain, ...cells })
    const value = identified === null ? null : String(cells[identified])
    supp[record.domain].push(...suppRows(subject, record.domain, identified, value, further))
  }
  const deaths = [...all, ...forms.flatMap(({ unmappedRecords }) => unmappedRecords)].filter(isDeath)
  add(demographicsOf(subject, demographics, all, deaths, reference), null)
  for (const record of visitRecords(visits, zone)) add(record, 'VISITNUM')
  for (const domain of domainNames.slice(2)) {
    const own = records.filter((record) => record.domain === domain).sort(ORDER[domain])
    for (const [at, record] of own.entries())
      add({ ...record, values: { ...record.values, [`${domain}SEQ`]: at + 1 } }, `${domain}SEQ`)
  }
  for (const other of forms.flatMap(({ others }) => others)) supp[other.domain].push(...groupRows(subject, other))
  return { rows, supp, omissions }
}

const subjectCells = ({ study, id }: Subject) => ({ STUDYID: study, USUBJID: `${study}-${id}` })

const byDate =
  (name: string) =>
  (a: SdtmRecord, b: SdtmRecord): number => {
    const [first, second] = [
      String(a.values[name] ?? '9999').slice(0, 10),
      String(b.values[name] ?? '9999').slice(0, 10),
    ]
    return first < second ? -1 : first > second ? 1 : 0
  }
const KEEP_ORDER = () => 0
const ORDER: Record<DomainName, (a: SdtmRecord, b: SdtmRecord) => number> = {
  ...{ DM: KEEP_ORDER, SV: KEEP_ORDER, CM: KEEP_ORDER, VS: KEEP_ORDER, QS: KEEP_ORDER },
  ...{ DS: byDate('DSSTDTC'), AE: byDate('AESTDTC') },
}

/** What the study itself recorded: registration, allocation, and a withdrawal that no form tells. */
function milestones({ facts, zone }: Subject, all: readonly SdtmRecord[]): SdtmRecord[] {
  const at = (term: string, category: string, moment: Instant | null): SdtmRecord => ({
    domain: 'DS',
    values: { DSTERM: term, DSDECOD: term, DSCAT: category, DSSTDTC: moment === null ? null : dateTime(moment, zone) },
    qualifiers: [],
  })
  const isEnded = all.some(({ values }) => values.DSCAT === 'DISPOSITION EVENT')
  return [
    ...(facts.registeredAt === null ? [] : [at('REGISTERED', 'OTHER EVENT', facts.registeredAt)]),
    ...(facts.allocatedAt === null ? [] : [at('RANDOMIZED', 'PROTOCOL MILESTONE', facts.allocatedAt)]),
    ...(facts.isWithdrawn && !isEnded ? [at('WITHDRAWN', 'DISPOSITION EVENT', null)] : []),
  ]
}

const isDeath = ({ values }: SdtmRecord) =>
  values.AEOUT === 'FATAL' || values.AESDTH === 'Y' || values.DSDECOD === 'DEATH'

function demographicsOf(
  { id, site, facts }: Subject,
  form: SdtmRecord | undefined,
  all: readonly SdtmRecord[],
  deaths: readonly SdtmRecord[],
  reference: string | null,
): SdtmRecord {
  const dispositions = all.filter(({ domain }) => domain === 'DS')
  const dateOf = (category: string) =>
    dispositions.find(({ values }) => values.DSCAT === category)?.values.DSSTDTC ?? null
  const diedAt = (name: string) => deaths.flatMap(({ values }) => values[name] ?? [])[0]
  const [consent, end] = [dateOf('PROTOCOL MILESTONE'), dateOf('DISPOSITION EVENT')]
  return {
    domain: 'DM',
    values: {
      ...{ SUBJID: id, SITEID: site, RFSTDTC: reference, RFENDTC: end, RFICDTC: consent, RFPENDTC: end },
      ...{ DTHDTC: diedAt('DSSTDTC') ?? diedAt('AEENDTC') ?? null, DTHFL: deaths.length ? 'Y' : null },
      ...{ ...facts.arm, ARMNRS: facts.armReason },
      ...form?.values,
      AGEU: typeof form?.values.AGE === 'number' ? 'YEARS' : null,
    },
    qualifiers: form?.qualifiers ?? [],
  }
}

function visitRecords(visits: readonly Visit[], zone: Zone): SdtmRecord[] {
  const numbers = Map.groupBy(visits, ({ VISITNUM }) => VISITNUM)
  return [...numbers]
    .sort(([a], [b]) => a - b)
    .map(([VISITNUM, forms]) => {
      const moments = forms.map(({ at }) => at)
      const [first, last] = [Math.min(...moments), Math.max(...moments)]
      const dates = { SVSTDTC: dateTime(first, zone), SVENDTC: dateTime(last, zone) }
      const values = { VISITNUM, VISIT: forms[0]?.VISIT ?? null, SVPRESP: 'Y', SVOCCUR: 'Y', ...dates }
      return { domain: 'SV', values, qualifiers: [] }
    })
}

const DAYS: Record<DomainName, readonly [day: string, date: string][]> = {
  DM: [['DMDY', 'DMDTC']],
  SV: [
    ['SVSTDY', 'SVSTDTC'],
    ['SVENDY', 'SVENDTC'],
  ],
  DS: [['DSSTDY', 'DSSTDTC']],
  AE: [
    ['AESTDY', 'AESTDTC'],
    ['AEENDY', 'AEENDTC'],
  ],
  CM: [
    ['CMSTDY', 'CMSTDTC'],
    ['CMENDY', 'CMENDTC'],
  ],
  VS: [['VSDY', 'VSDTC']],
  QS: [['QSDY', 'QSDTC']],
}

const textParts = (text: string): string[] => {
  const bytes = Buffer.from(shownText(text))
  return partsOf(bytes, TEXT_BYTES).map(({ from, to }) => bytes.toString('utf8', from, to))
}

/** The cells of a record with the days of study, and its qualifiers with what is beyond 200 bytes of each text. */
function cutTexts({ domain, values, qualifiers }: SdtmRecord, reference: string | null) {
  const cells: Record<string, Value> = { ...values }
  for (const [day, date] of DAYS[domain]) cells[day] = studyDay(values[date], reference)
  const further: Qualifier[] = []
  for (const { name, label, isText } of domains[domain].variables) {
    const value = cells[name]
    if (!isText || typeof value !== 'string') continue
    const [first = '', ...rest] = textParts(value)
    cells[name] = first
    for (const [at, part] of rest.entries())
      further.push({ name: partName(name, at + 1), label, value: part, origin: 'CRF' })
  }
  return { cells, further: [...further, ...qualifiers.flatMap(qualifierParts)] }
}

const qualifierParts = ({ name, value, ...rest }: Qualifier): Qualifier[] =>
  textParts(value).map((part, at) => ({ ...rest, name: at ? partName(name, at) : name, value: part }))

const suppRows = (
  subject: Subject,
  domain: DomainName,
  variable: string | null,
  identified: string | null,
  qualifiers: readonly Qualifier[],
): Record<string, Value>[] =>
  qualifiers.map(({ name, label, value, origin }) => ({
    ...subjectCells(subject),
    ...{
      RDOMAIN: domain,
      IDVAR: variable,
      IDVARVAL: identified,
      QNAM: name,
      QLABEL: label,
      QVAL: value,
      QORIG: origin,
    },
  }))

const groupRows = (subject: Subject, { domain, group, qualifiers }: FormQualifiers) =>
  suppRows(subject, domain, `${domain}GRPID`, group, qualifiers.flatMap(qualifierParts))
