/** Reads a row of a REDCap data dictionary as a field. */

import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import { excerptOf, toPlainText } from '#documents/texts'
import { parseLogic } from '#exchange/imports/common/dialect'
import type { DraftField, ItemConditions, Report } from '#exchange/imports/common/draft'
import type { SoftRange } from '#exchange/imports/common/softRange'
import { momentOf } from '#kernel/calendar'
import { patterns, type RedcapRow, trueFalse, yesNo } from './columns'
import { annotationOf } from './tags'

/** Reads REDCap's choices, such as `1, Yes | 2, No`. Without a comma, the text is both code and label. */
export function choicesOf(text: string): { label: string; code: string }[] {
  return text.split('|').flatMap((part) => {
    const comma = part.indexOf(',')
    const code = (comma < 0 ? part : part.slice(0, comma)).trim()
    const label = toPlainText(comma < 0 ? part : part.slice(comma + 1))
    return code === '' && label === '' ? [] : [{ label: label || code, code }]
  })
}

type FieldType = { format: Format; settings: DataTypeSettings; softRange?: SoftRange }

type ReadBound = (text: string) => string | number | undefined

/** The bounds of a row: values, or the moment of the answer. Reports those that are not valid. */
function boundsIn(row: RedcapRow, read: ReadBound, report: Report): SoftRange {
  const range: SoftRange = {}
  for (const [bound, text] of [
    ['min', row.text_validation_min],
    ['max', row.text_validation_max],
  ] as const) {
    if (text === '') continue
    const value = /^(today|now)$/i.test(text) && read('2020-01-01') !== undefined ? { now: true as const } : read(text)
    if (value === undefined) report(`Its ${bound === 'min' ? 'minimum' : 'maximum'} “${excerptOf(text)}” was left out.`)
    else range[bound] = value
  }
  return range
}

/** The bounds as settings, which refuse what is outside. */
function hardBounds({ min, max }: SoftRange): DataTypeSettings {
  return {
    ...(typeof min === 'object' ? { allowPast: false } : min === undefined ? {} : { min }),
    ...(typeof max === 'object' ? { allowFuture: false } : max === undefined ? {} : { max }),
  }
}

/** The tag that makes REDCap refuse what is outside a range; without it, REDCap only warns. */
const FORCED = /@FORCE-MINMAX\b/i

/** A field with the bounds of a row. @param read returns the value of a text; undefined if it is not valid */
function fieldWithBounds(row: RedcapRow, format: Format, read: ReadBound, report: Report): FieldType {
  const range = boundsIn(row, read, report)
  if (FORCED.test(row.field_annotation)) return { format, settings: hardBounds(range) }
  return { format, settings: {}, ...(Object.keys(range).length ? { softRange: range } : {}) }
}

const numeric = (text: string) => {
  const value = Number(text.replace(',', '.'))
  return text.trim() !== '' && Number.isFinite(value) ? value : undefined
}
const dayText = (text: string) => (/^\d{4}-\d\d-\d\d$/.test(text) && momentOf(text) !== undefined ? text : undefined)
const momentText = (text: string) => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?$/.exec(text) ?? []
  if (!day) return undefined
  const full = time ? `${day}T${time.length === 5 ? `${time}:00` : time}Z` : day
  return momentOf(full) === undefined ? undefined : full
}
const timeText = (text: string) => (/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text) ? text : undefined)

function textField(row: RedcapRow, report: Report): FieldType {
  const validation = row.text_validation_type_or_show_slider_number.toLowerCase()
  if (validation === '') return { format: 'text', settings: {} }
  if (validation === 'int' || validation === 'integer') {
    const read = (text: string) => (Number.isInteger(numeric(text)) ? numeric(text) : undefined)
    return fieldWithBounds(row, 'integer', read, report)
  }
  const number = /^(?:number|float)(?:_(\d)dp)?(?:_comma_decimal)?$/.exec(validation)
  if (number) {
    const one = fieldWithBounds(row, 'float', numeric, report)
    return number[1] ? { ...one, settings: { ...one.settings, decimals: Number(number[1]) } } : one
  }
  if (/^datetime_/.test(validation)) return fieldWithBounds(row, 'datetime', momentText, report)
  if (/^date(_|$)/.test(validation)) return fieldWithBounds(row, 'date', dayText, report)
  if (/^time(_hh_mm_ss)?$/.test(validation)) return fieldWithBounds(row, 'time', timeText, report)
  const pattern = patterns[validation]
  if (pattern === undefined) report(`The validation “${validation}” is not checked here.`)
  const left = [row.text_validation_min, row.text_validation_max].filter(Boolean)
  if (left.length) report(`Its bounds were left out: ${left.join(', ')}.`)
  return { format: 'text', settings: pattern === undefined ? {} : { pattern } }
}

function slider(row: RedcapRow, report: Report): FieldType {
  const labels = row.select_choices_or_calculations.split('|').map(toPlainText)
  const [minLabel, ...others] = labels
  const maxLabel = others.length > 1 ? others.at(-1) : others[0]
  if (others.length > 1 && others[0]) report(`The middle label of the slider was left out: ${excerptOf(others[0])}`)
  const settings: DataTypeSettings = { min: 0, max: 100, ...hardBounds(boundsIn(row, numeric, report)) }
  return {
    format: 'slider',
    settings: { ...settings, ...(minLabel ? { minLabel } : {}), ...(maxLabel ? { maxLabel } : {}) },
  }
}

/** The codes of options that exclude all others. */
const NONE_OF_THE_ABOVE = /@NONEOFTHEABOVE\s*=\s*(?:'([^']*)'|"([^"]*)"|([\w-]+))/i
/** The number after an action tag; 0 if there is none. */
const limit = (tag: string, annotation: string) =>
  Number(new RegExp(`@${tag}\\s*=\\s*['"]?(\\d{1,6})`, 'i').exec(annotation)?.[1] ?? 0)

function choice(row: RedcapRow, options: { label: string; code: string }[], multiple: boolean): FieldType {
  const [, single, double, word] = NONE_OF_THE_ABOVE.exec(row.field_annotation) ?? []
  const alone = new Set((single ?? double ?? word ?? '').split(',').map((code) => code.trim()))
  const marked = options.map((option) => (alone.has(option.code) ? { ...option, isExclusive: true } : option))
  const most = multiple ? limit('MAXCHECKED', row.field_annotation) : 0
  const settings: DataTypeSettings = { options: marked, ...(multiple ? { multiple } : {}) }
  return { format: 'choice', settings: most && most <= options.length ? { ...settings, maxSelected: most } : settings }
}

function fieldTypeOf(row: RedcapRow, report: Report): FieldType {
  const choices = row.select_choices_or_calculations
  switch (row.field_type.toLowerCase()) {
    case 'text':
      return textField(row, report)
    case 'notes':
    case 'textarea':
      return { format: 'paragraph', settings: {} }
    case 'calc':
      return { format: 'calculation', settings: {} }
    case 'dropdown':
    case 'select':
    case 'radio':
      return choice(row, choicesOf(choices), false)
    case 'checkbox':
      return choice(row, choicesOf(choices), true)
    case 'yesno':
      return choice(row, yesNo, false)
    case 'truefalse':
      return choice(row, trueFalse, false)
    case 'slider':
      return slider(row, report)
    case 'file':
      if (row.text_validation_type_or_show_slider_number.toLowerCase() !== 'signature')
        return { format: 'file', settings: {} }
      report('A signature is an image here.')
      return { format: 'image', settings: {} }
    default:
      report(`The field type “${excerptOf(row.field_type)}” is not known here: it is a text.`)
      return { format: 'text', settings: {} }
  }
}

/** Fields that people fill in with text, which an action tag may compute instead. */
const isTyped = /^(?:text|notes|textarea)$/i

/** The field of a row, without its section header, its matrix and its branching logic. */
export function fieldFrom(row: RedcapRow, report: Report): DraftField {
  const { extra, rest, tags, isHidden, ...annotation } = annotationOf(row.field_annotation)
  const computed = isTyped.test(row.field_type) ? annotation.computed : undefined
  const { format, settings, softRange } =
    computed === undefined
      ? fieldTypeOf(row, report)
      : { format: 'calculation' as const, settings: {}, softRange: undefined }
  if (tags.length) report(`Its action tags do nothing here: ${tags.join(', ')}.`)
  const longest = limit('CHARLIMIT', row.field_annotation)
  if (longest && (format === 'text' || format === 'paragraph')) settings.maxLength = longest
  const field: DraftField = {
    kind: 'field',
    source: row.field_name,
    title: toPlainText(row.field_label),
    format,
    settings,
  }
  const note = toPlainText(row.field_note)
  if (note) field.note = note
  if (rest) field.annotation = rest
  if (isHidden) field.isHidden = true
  if (softRange) field.softRange = softRange
  if (/^y/i.test(row.identifier)) field.isPii = true
  if (/^y/i.test(row.required_field)) field.isRequired = true
  if (extra) field.extra = extra
  if (format === 'calculation') {
    field.computedText = computed ?? row.select_choices_or_calculations
    const parsed = parseLogic(field.computedText)
    if ('node' in parsed) field.computed = parsed.node
    else if (!extra?.type) report(`Its calculation cannot be read: ${parsed.problem}.`)
  }
  return field
}

/** The branching logic of a row. */
export function conditionalOf(row: RedcapRow): ItemConditions {
  const text = row.branching_logic
  if (text === '') return {}
  const parsed = parseLogic(text)
  return { conditionText: text, ...('node' in parsed ? { conditions: [parsed.node] } : { unread: parsed.problem }) }
}
