/** The definitions that item groups refer to: items, code lists, units, conditions and methods (pure). */
import type { Component, Condition } from '#design/stages/components'
import type { StageRow } from '#design/stages/store'
import type { ExportContext } from '#exchange/exports/context'
import { codesOf } from '#exchange/exports/datasets/columns'
import type { Id } from '#kernel/id'
import type { Variable } from '#writers/dataset'
import { xmlElement } from '#writers/xml'
import type { Edition } from './edition'
import { aliasElement, decimalText, nonBlank, textElement } from './elements'
import type { Form } from './forms'
import type { Item, Question } from './items'
import { hiddenFieldTest } from './notes'
import type { Translation } from './translations'

const TYPES: Record<Variable['kind'], string> = {
  text: 'text',
  number: 'float',
  day: 'date',
  moment: 'datetime',
  // Hours and minutes: a time of ODM has seconds.
  time: 'partialTime',
}

/** Formats that ODM has a data type for. */
const PLAIN = ['text', 'integer', 'float', 'date', 'datetime', 'choice', 'calculation']

const SIGNS: Record<Condition['operator'], string> = { exists: '!=', equal: '==', notequal: '!=', more: '>', less: '<' }

/** Makes the definitions of these forms. Conditions and calculations that name a hidden field are left out. */
export function definitions(from: ExportContext, forms: readonly Form[], edition: Edition) {
  const { hiddenEverywhere } = from
  const { isNew, translated } = edition
  const isConcealed = hiddenFieldTest(from)
  const questions = new Map<Id, Question>()
  for (const { groups } of forms)
    for (const group of groups) for (const each of group.questions) questions.set(each.field._id, each)
  const units = new Map<string, string>()
  const conditions = new Map<string, string>()
  const methods = new Map<Id, string>()
  const lists = new Map<string, string>()
  const componentOf = (stage: StageRow, { field }: Question): Component | undefined =>
    stage.components.find(({ dataType }) => dataType === field._id)

  /** The unit of an item; its symbol in other languages is that of the first field that has it. */
  const unitOf = (unit: string, item: Item, question: Question): string => {
    const oid = `MU.${unit}`
    const symbol = (translation: Translation) => sameItem(translation.question(question), item)?.variable.unit
    if (!units.has(oid))
      units.set(oid, xmlElement('MeasurementUnit', { OID: oid, Name: unit }, translated('Symbol', unit, symbol)))
    return oid
  }

  const isListed = ({ settings, variable }: Item) =>
    variable.values !== undefined && variable.values.length > 0 && ['choice', 'likert'].includes(settings.format ?? '')

  for (const question of questions.values())
    for (const item of question.items) if (isListed(item)) lists.set(item.oid, listElement(item, question, edition))

  const itemElement = (item: Item, question: Question): string => {
    const { oid, variable, settings } = item
    const { kind, decimals, unit } = variable
    const { min, max, maxLength, format } = settings.format === undefined ? { format: undefined } : settings
    const isBounded = !question.isGroup && kind !== 'text'
    const check = (bound: unknown, Comparator: string) =>
      !isBounded || bound === null || bound === undefined
        ? []
        : [
            xmlElement(
              'RangeCheck',
              { Comparator, SoftHard: 'Hard' },
              textElement('CheckValue', decimalText(String(bound))),
            ),
          ]
    const isWhole = kind === 'number' && decimals === 0
    return xmlElement(
      'ItemDef',
      {
        OID: oid,
        Name: nonBlank(nameOf(item, question)),
        DataType: isListed(item) ? 'text' : isWhole ? 'integer' : TYPES[kind],
        Length: kind === 'text' && !isListed(item) ? (maxLength ?? undefined) : undefined,
        SignificantDigits: kind === 'number' && !isNew && !isWhole && !isListed(item) ? decimals : undefined,
      },
      translated('Question', questionText(item, question), (translation) => {
        const own = translation.question(question)
        const same = sameItem(own, item)
        return same && questionText(same, own)
      }),
      ...(unit && !isNew
        ? [xmlElement('MeasurementUnitRef', { MeasurementUnitOID: unitOf(unit, item, question) })]
        : []),
      ...check(min, 'GE'),
      ...check(max, 'LE'),
      ...(isListed(item) ? [xmlElement('CodeListRef', { CodeListOID: `CL.${oid}` })] : []),
      ...(!question.isGroup && format !== undefined && !PLAIN.includes(format) ? [aliasElement('format', format)] : []),
      // ODM 2.0 has no units.
      ...(unit && isNew ? [aliasElement('unit', unit)] : []),
    )
  }

  // Units are in front of the items that use them: all items are made first.
  const items = new Map<string, string>()
  for (const question of questions.values())
    for (const item of question.items) if (!items.has(item.oid)) items.set(item.oid, itemElement(item, question))

  /** What ODM 2.0 requires of an expression: the name and type of its value. */
  const signature = (Name: string, DataType: string): string[] =>
    isNew ? [xmlElement('MethodSignature', {}, xmlElement('ReturnValue', { Name, DataType }))] : []

  function methodOf({ field }: Question): string | undefined {
    if (field.format !== 'calculation' || !field.expression) return undefined
    if (isConcealed(field.expression)) return undefined
    const oid = `M.${field._id}`
    methods.set(
      field._id,
      xmlElement(
        'MethodDef',
        { OID: oid, Name: nonBlank(field.code), Type: 'Computation' },
        translated('Description', field.expression),
        ...signature('Result', 'float'),
        edition.expression(field.expression),
      ),
    )
    return oid
  }

  /** The OID of the condition under which a field or a heading is not asked; it holds for every field of a group. */
  function conditionOf(stage: StageRow, group: { heading?: Component | undefined; questions: readonly Question[] }) {
    const [only] = group.questions
    const isOne = group.questions.length === 1 && only && (only.isGroup || !('oid' in group))
    const condition = (isOne ? componentOf(stage, only) : undefined)?.condition
    const text = condition && conditionText(condition)
    if (!text) return undefined
    const oid = `C.${stage._id}.${only?.field._id}`
    conditions.set(
      oid,
      xmlElement(
        'ConditionDef',
        { OID: oid, Name: oid },
        translated('Description', `Not asked unless ${text}`),
        ...signature('NotAsked', 'boolean'),
        edition.expression(`!(${text})`),
      ),
    )
    return oid
  }

  function conditionText({ dataType, operator, value, statement }: Condition): string | undefined {
    const other = questions.get(dataType)
    if (!other || hiddenEverywhere(dataType)) return undefined
    const item = other.items.find(({ variable }) => !statement || variable.name === `${other.field.code}_${statement}`)
    if (!item) return undefined
    const { field } = other
    const label: unknown = Array.isArray(value) ? value[0] : value
    const place = field.format === 'choice' ? (field.options ?? []).findIndex((option) => option.label === label) : -1
    const known = place < 0 ? label : codesOf(field.format === 'choice' ? field.options : [])[place]
    const isNumber = typeof known === 'number' || (item.variable.kind === 'number' && place < 0)
    const literal = operator === 'exists' ? '""' : isNumber ? String(known) : JSON.stringify(String(known))
    return `${item.oid} ${SIGNS[operator]} ${literal}`
  }

  return {
    units,
    componentOf,
    methodOf,
    conditionOf,
    isRequired: (stage: StageRow, question: Question | undefined): boolean =>
      question !== undefined && componentOf(stage, question)?.isRequired === true,
    titleOf: (stage: StageRow, question: Question): string =>
      componentOf(stage, question)?.title || question.field.name || question.field.code,
    /** Items, code lists, conditions and methods, in the order of ODM. Call it after the item groups were written. */
    *pieces(): Generator<string> {
      yield* items.values()
      yield* lists.values()
      yield* conditions.values()
      yield* methods.values()
    },
  }
}

/** Of a question with parts, the name of the part, which is what an import needs. */
function nameOf({ variable }: Item, { field, isGroup, isRepeating, items }: Question): string {
  if (!isGroup || (isRepeating && field.format === 'choice')) return variable.name
  const prefix = `${field.code}_`
  return items.length && variable.name.startsWith(prefix) ? variable.name.slice(prefix.length) : variable.name
}

function questionText({ variable }: Item, { field, isGroup }: Question): string {
  const prefix = `${field.name ?? field.code}: `
  const { label } = variable
  return isGroup && label.startsWith(prefix) ? label.slice(prefix.length) : label || variable.name
}

/** The item in the same question in another language. */
const sameItem = ({ items }: Question, { oid }: Item): Item | undefined => items.find((each) => each.oid === oid)

function listElement(item: Item, question: Question, { translated }: Edition): string {
  const { name, values = [] } = item.variable
  const seen = new Set<string>()
  const entries = values.filter(({ value }) => !seen.has(String(value)) && seen.add(String(value)))
  return xmlElement(
    'CodeList',
    { OID: `CL.${item.oid}`, Name: nonBlank(name), DataType: 'text' },
    ...entries.map(({ value, label }, at) =>
      xmlElement(
        'CodeListItem',
        { CodedValue: decimalText(String(value)), OrderNumber: at + 1 },
        translated('Decode', label, (translation) => {
          const same = sameItem(translation.question(question), item)
          return same?.variable.values?.find((each) => each.value === value)?.label
        }),
      ),
    ),
  )
}
