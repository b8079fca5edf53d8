/** What an export in the shape of SDTM makes of each question of the study, decided before the first answer is read. */
import type { Configuration } from '#design/configuration/configuration'
import type { Questionnaire } from '#design/questionnaires/model'
import { occurrencesOf } from '#design/schedule/occurrences'
import type { StageRow } from '#design/stages/store'
import { type ExportContext, visibleFields } from '#exchange/exports/context'
import { columnsOf } from '#exchange/exports/datasets/columns'
import { exportFieldsOf } from '#exchange/exports/datasets/identity'
import { answerReader } from '#exchange/exports/datasets/long'
import type { Id } from '#kernel/id'
import { beginning } from '#writers/names'
import { formTargets, measurements, notMapped, type Target } from './forms'
import { isInstrument, type QuestionCode, questionCodes } from './instruments'
import { fieldsByCode, type Library, type LibraryMatch, libraryMatches } from './match'
import { qualifierNames } from './names'
import { type DomainName, domainNames, namesIn } from './variables'

/** A question of a form: what it becomes. */
export type FieldPlan =
  | { as: 'form'; form: string; domain: DomainName; code: string; targets: readonly Target[] }
  | { as: 'medications' }
  | { as: 'medicationsAsked' }
  | { as: 'measurement'; code: string }
  | { as: 'measuredAt' }
  | { as: 'position' }
  | { as: 'question'; code: string; codes: ReadonlyMap<string, QuestionCode>; scale: ReadonlyMap<string, string> }
  | {
      as: 'other'
      domain: DomainName
      qualifier: (name: string, label: string) => string
      read: ReturnType<typeof answerReader>
    }
  | { as: 'none'; why: string }

export type StagePlan = {
  stage: StageRow
  /** By data type; what is not here, or hidden, is not in the export. */
  fields: ReadonlyMap<Id, FieldPlan>
  names: ReadonlyMap<Id, string>
  visit(n: number): { VISITNUM: number; VISIT: string } | undefined
}

export type SdtmPlan = { stages: ReadonlyMap<Id, StagePlan>; questions: readonly QuestionCode[] }

const FORM = { columns: 'expanded', values: 'labels', cells: 'text', tables: 'apart' } as const

/** The plan of an export, of the questions that its reader may see. @param nameOf the name of an occurrence of a stage */
export function planOf(
  from: ExportContext,
  library: Library,
  nameOf: (stage: StageRow, n: number) => string,
): SdtmPlan {
  const known = fieldsByCode(library)
  const qualifier = qualifierNames(reserved)
  const questions = new Map<string, QuestionCode>()
  const first = visitNumbers(from.configuration, known)
  const stages = from.stages.map((stage): [Id, StagePlan] => {
    const visible = visibleFields(from, stage._id)
    const { recognised, refused } = libraryMatches(
      from.configuration,
      [...new Set([...from.configuration.fieldsOf(stage._id), ...visible])],
      known,
    )
    const shown = exportFieldsOf(from.configuration, visible)
    const main = shown.map(({ _id }) => domainOf(recognised.get(_id))).find((each) => each !== undefined)
    const fields = shown.map((field): [Id, FieldPlan] => {
      const found = recognised.get(field._id)
      if (found) return [field._id, planField(found, questions)]
      const why = refused.get(field._id)
      if (main === undefined || field.format === 'table' || field.format === undefined)
        return [field._id, { as: 'none', why: why ? REFUSED[why] : field.format === 'table' ? TABLE : OWN }]
      const named = (name: string, label: string) => qualifier(main, name, label)
      // Named here, in the order of the configuration: so the names do not depend on who answered first.
      for (const { variable } of columnsOf([{ ...field, multiple: false }], FORM, (name) => name))
        named(variable.name, shortLabel(variable.label))
      return [field._id, { as: 'other', domain: main, qualifier: named, read: answerReader(field, FORM) }]
    })
    const names = new Map(shown.map(({ _id, code, name = code }) => [_id, `${name} [${code}]`]))
    const start = first.get(stage._id)
    const visit = (n: number) =>
      start === undefined || n < 0 || n >= occurrencesOf(stage)
        ? undefined
        : { VISITNUM: start + n, VISIT: nameOf(stage, n) }
    return [stage._id, { stage, fields: new Map(fields), names, visit }]
  })
  return { stages: new Map(stages), questions: [...questions.values()] }
}

const OWN = 'A question of the study, in a form that has none of the library.'
const TABLE = 'A table, whose rows have no place in SUPPQUAL.'
const REFUSED = {
  changed: 'It has the code of a question of the library, but was changed.',
  twice: 'The form has the same question of the library twice.',
}
const STAFF = 'A scale that staff fill in: the domains RS and FT are not made.'

/** Names that no qualifier of the study may have: those of variables, and those of qualifiers of the library's forms. */
const reserved: readonly (readonly [DomainName, string])[] = [
  ...domainNames.flatMap((domain) => namesIn(domain).map((name) => [domain, name] as const)),
  ...Object.values(formTargets).flatMap(({ domain, fields }) =>
    Object.values(fields).flatMap((targets) =>
      targets.flatMap((target) => ('supp' in target ? [[domain, target.supp] as const] : [])),
    ),
  ),
]

/** The domain that takes the other answers of a form with this question. */
function domainOf(found: LibraryMatch | undefined): DomainName | undefined {
  if (!found) return undefined
  const { id } = found.questionnaire
  if (id === 'concomitant-medication') return 'CM'
  if (id === 'vital-signs') return 'VS'
  if (isInstrument(found.questionnaire)) return 'QS'
  return id === 'eligibility' ? undefined : formTargets[id]?.domain
}

function planField({ questionnaire, code }: LibraryMatch, questions: Map<string, QuestionCode>): FieldPlan {
  const { id } = questionnaire
  const form = formTargets[id]
  const targets = form?.fields[code]
  if (form && targets) return { as: 'form', form: id, domain: form.domain, code, targets }
  if (id === 'concomitant-medication') return { as: code === 'cm_list' ? 'medications' : 'medicationsAsked' }
  if (code === 'vs_time') return { as: 'measuredAt' }
  if (code === 'vs_position') return { as: 'position' }
  if (code in measurements) return { as: 'measurement', code }
  if (!isInstrument(questionnaire)) return { as: 'none', why: notMapped[id] ?? STAFF }
  const codes = questionCodes(questionnaire)
  for (const each of codes.values()) questions.set(each.test, each)
  return { as: 'question', code, codes, scale: scaleOf(questionnaire, code) }
}

/** The score of each option, or the label of each point of the scale, by the label or the point. */
function scaleOf({ dataTypes }: Questionnaire, wanted: string): ReadonlyMap<string, string> {
  const field = dataTypes.find(({ code }) => code === wanted)
  const options = (field?.options ?? []).flatMap(({ label, code }): [string, string][] =>
    code === null || code === undefined ? [] : [[label, String(code)]],
  )
  const points = (field?.scale ?? []).map(({ value, label }): [string, string] => [
    String(value),
    label || String(value),
  ])
  return new Map([...options, ...points])
}

/** Forms of the library about the participant or the whole study: filling one in is not a visit. */
const NO_VISIT: readonly string[] = [
  ...[
    'demographics',
    'eligibility',
    'medical-history',
    'adverse-event',
    'concomitant-medication',
    'protocol-deviation',
  ],
  'end-of-study',
]

/**
 * The number of the first occurrence of each stage that is a visit: visits are numbered through, from 1. The number does not depend on who
 * reads, nor on filters.
 */
function visitNumbers(configuration: Configuration, known: ReturnType<typeof fieldsByCode>): ReadonlyMap<Id, number> {
  let next = 1
  const numbers = new Map<Id, number>()
  for (const stage of configuration.stageOrder) {
    if (stage.adHoc || stage.isPoll) continue
    const { recognised } = libraryMatches(configuration, configuration.fieldsOf(stage._id), known)
    const forms = Array.from(recognised.values(), ({ questionnaire }) => questionnaire.id)
    if (forms.length && forms.every((form) => NO_VISIT.includes(form))) continue
    numbers.set(stage._id, next)
    next += occurrencesOf(stage)
  }
  return numbers
}

/** A label of SDTM: at most 40 bytes. */
export const shortLabel = (label: string): string =>
  beginning(label.replace(/\s+/g, ' ').trim().toWellFormed(), 40, 'bytes')
