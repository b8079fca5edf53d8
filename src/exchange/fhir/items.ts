/** The items of a Questionnaire: one for each component of a stage (docs/fhir.md, "Questionnaire"). */
import type { Configuration } from '#design/configuration/configuration'
import type { DataTypeRow } from '#design/dataTypes/store'
import type { Component, Condition } from '#design/stages/components'
import type { StageRow } from '#design/stages/store'
import { codeOf, stringOf, trimmedString } from './base'

export type Item = { linkId: string; type: string; item?: Item[] } & Record<string, unknown>

/** A field with the settings of its format: a data type, or a column of a table. */
export type Field = Pick<DataTypeRow, 'format'> & Partial<DataTypeRow>

/** The types of items, by format. A value of a format with several parts is a group. */
const TYPES: Readonly<Record<DataTypeRow['format'], string>> = {
  text: 'string',
  paragraph: 'text',
  integer: 'integer',
  float: 'decimal',
  slider: 'decimal',
  rating: 'integer',
  measurements: 'decimal',
  date: 'date',
  datetime: 'dateTime',
  time: 'time',
  choice: 'choice',
  likert: 'group',
  table: 'group',
  bmi: 'group',
  file: 'attachment',
  image: 'attachment',
  video: 'attachment',
  calculation: 'decimal',
}

const extension = (name: string, value: Record<string, unknown>) => ({
  url: `http://hl7.org/fhir/StructureDefinition/${name}`,
  ...value,
})

type Option = { label: string; code?: string | number | null | undefined }

/** An option as a coding: its code in exports, else its label. */
export const coding = ({ label, code }: Option) => ({
  code: codeOf(`${code ?? ''}`) || codeOf(label),
  display: trimmedString(label),
})

/** A point of the scale of a Likert. */
export const scaleCoding = ({ value, label }: { value: string | number; label: string }) => ({
  code: codeOf(`${value}`),
  display: trimmedString(label),
})

const answers = (codings: readonly { code: string; display: string | undefined }[]) =>
  codings.map((valueCoding) => ({ valueCoding }))

const part = (linkId: string, name: string, text: string, more: Partial<Item> = {}): Item => ({
  linkId: stringOf(`${linkId}.${name}`),
  text: trimmedString(text),
  type: 'decimal',
  ...more,
})

/** The items within the group of a format with several parts. */
function partsOf(linkId: string, { format, ...field }: Field): Item[] | undefined {
  if (format === 'likert')
    return field.statements?.map(({ key, label }) =>
      part(linkId, key, label, { type: 'choice', answerOption: answers((field.scale ?? []).map(scaleCoding)) }),
    )
  if (format === 'table')
    return field.columns?.map(({ id, label, ...column }) => itemOf(stringOf(`${linkId}.${id}`), label, column as Field))
  if (format === 'bmi')
    return [
      part(linkId, 'height', 'Height (cm)'),
      part(linkId, 'weight', 'Weight (kg)'),
      part(linkId, 'bmi', 'BMI (kg/m²)', { readOnly: true }),
    ]
  return undefined
}

/** The item of a field. */
function itemOf(linkId: string, text: string, field: Field, more: Partial<Item> = {}): Item {
  const { format, unit, min, max, maxLength, multiple, options } = field
  const type = TYPES[format]
  const bound = (name: string, value: unknown) =>
    typeof value === 'number' ? [extension(name, { valueDecimal: value })] : []
  const extensions = [
    ...(type === 'decimal' || type === 'integer' ? [...bound('minValue', min), ...bound('maxValue', max)] : []),
    ...(trimmedString(unit) && (type === 'decimal' || type === 'integer')
      ? [extension('questionnaire-unit', { valueCoding: { display: trimmedString(unit) } })]
      : []),
    ...((more.extension as object[] | undefined) ?? []),
  ]
  const isMany = format === 'table' || (format === 'choice' && multiple === true)
  return {
    linkId,
    text: trimmedString(text),
    type,
    ...more,
    extension: extensions.length ? extensions : undefined,
    repeats: isMany || undefined,
    readOnly: format === 'calculation' || undefined,
    maxLength: type === 'string' || type === 'text' ? maxLength : undefined,
    answerOption: options?.length && format === 'choice' ? answers(options.map(coding)) : undefined,
    item: partsOf(linkId, field),
  }
}

const OPERATORS = { equal: '=', notequal: '!=', more: '>', less: '<' } as const

/** The answer that a condition compares with, in the type of the item that it is about; undefined if it has no such form. */
function comparedAnswer({ format, options, scale }: Field, value: unknown) {
  if (format === 'choice') {
    const option = options?.find(({ label }) => label === value)
    return option && { answerCoding: { code: coding(option).code } }
  }
  if (format === 'likert') {
    const point = scale?.find((each) => each.value === value)
    return point && { answerCoding: { code: scaleCoding(point).code } }
  }
  if (typeof value === 'number')
    return TYPES[format] === 'integer' ? { answerInteger: value } : { answerDecimal: value }
  if (typeof value !== 'string' || !value.trim()) return undefined
  if (format === 'date') return { answerDate: value.slice(0, 10) }
  if (format === 'datetime') return { answerDateTime: value }
  if (format === 'time') return { answerTime: value.length === 5 ? `${value}:00` : value }
  return format === 'text' || format === 'paragraph' ? { answerString: stringOf(value) } : undefined
}

function enableWhen(config: Configuration, { dataType, operator, value, statement }: Condition) {
  const field = config.dataTypes.get(dataType)
  const question = statement ? stringOf(`${dataType}.${statement}`) : dataType
  if (!field) return undefined
  if (operator === 'exists') return [{ question, operator, answerBoolean: value !== false }]
  const answer = comparedAnswer(field, value)
  return answer && [{ question, operator: OPERATORS[operator], ...answer }]
}

/** The item of a component; undefined for one that shows and asks nothing. */
function componentItem(config: Configuration, component: Component): Item[] {
  const { id, type, dataType, title, isRequired, isHidden, condition } = component
  if (type === 'scheduledNotification') return []
  const shownIf = { enableWhen: condition ? enableWhen(config, condition) : undefined }
  const field = dataType ? config.dataTypes.get(dataType) : undefined
  const hidden = isHidden ? { extension: [extension('questionnaire-hidden', { valueBoolean: true })] } : {}
  if (!field) return [{ linkId: id, text: trimmedString(title), type: 'display', ...shownIf, ...hidden }]
  const required = isRequired && field.format !== 'calculation' ? true : undefined
  return [itemOf(field._id, title, field, { ...shownIf, required, ...hidden })]
}

/** The items of a stage, in order. */
export const itemsOf = (config: Configuration, { components }: StageRow): Item[] =>
  components.flatMap((component) => componentItem(config, component))
