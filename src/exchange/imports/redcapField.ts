/** One row of a REDCap data dictionary as a field. */

import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import { momentOf } from '#kernel/calendar'
import { parseLogic } from './dialect'
import type { DraftField, Extra } from './draft'
import { extraFrom } from './extras'
import { patterns, type RedcapRow, trueFalse, yesNo } from './redcapColumns'
import { plain, quoted } from './texts'

export type Tell = (problem: string) => void

/** `1, Yes | 2, No`: REDCap's choices. One without a comma is code and label at once. */
export function choicesOf(text: string): { label: string; code: string }[] {
  return text.split('|').flatMap((part) => {
    const comma = part.indexOf(',')
    const code = (comma < 0 ? part : part.slice(0, comma)).trim()
    const label = plain(comma < 0 ? part : part.slice(comma + 1))
    return code === '' && label === '' ? [] : [{ label: label || code, code }]
  })
}

type Typed = { format: Format; settings: DataTypeSettings }

/** The bounds of a row as its format has them; what is none of its values is told. */
function bounds(row: RedcapRow, read: (text: string) => string | number | undefined, tell: Tell): DataTypeSettings {
  const settings: DataTypeSettings = {}
  for (const [bound, text] of [
    ['min', row.text_validation_min],
    ['max', row.text_validation_max],
  ] as const) {
    if (text === '') continue
    if (/^(today|now)$/i.test(text) && read('2020-01-01') !== undefined) {
      settings[bound === 'min' ? 'allowPast' : 'allowFuture'] = false
      continue
    }
    const value = read(text)
    if (value === undefined) tell(`Its ${bound === 'min' ? 'minimum' : 'maximum'} “${quoted(text)}” was left out.`)
    else settings[bound] = value
  }
  return settings
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

function textField(row: RedcapRow, tell: Tell): Typed {
  const validation = row.text_validation_type_or_show_slider_number.toLowerCase()
  if (validation === '') return { format: 'text', settings: {} }
  if (validation === 'int' || validation === 'integer') {
    const read = (text: string) => (Number.isInteger(numeric(text)) ? numeric(text) : undefined)
    return { format: 'integer', settings: bounds(row, read, tell) }
  }
  const number = /^(?:number|float)(?:_(\d)dp)?(?:_comma_decimal)?$/.exec(validation)
  if (number) {
    const settings = bounds(row, numeric, tell)
    return { format: 'float', settings: number[1] ? { ...settings, decimals: Number(number[1]) } : settings }
  }
  if (/^datetime_/.test(validation)) return { format: 'datetime', settings: bounds(row, momentText, tell) }
  if (/^date(_|$)/.test(validation)) return { format: 'date', settings: bounds(row, dayText, tell) }
  if (/^time(_hh_mm_ss)?$/.test(validation)) return { format: 'time', settings: bounds(row, timeText, tell) }
  const pattern = patterns[validation]
  if (pattern === undefined) tell(`The validation “${validation}” is not checked here.`)
  const left = [row.text_validation_min, row.text_validation_max].filter(Boolean)
  if (left.length) tell(`Its bounds were left out: ${left.join(', ')}.`)
  return { format: 'text', settings: pattern === undefined ? {} : { pattern } }
}

function slider(row: RedcapRow, tell: Tell): Typed {
  const labels = row.select_choices_or_calculations.split('|').map(plain)
  const [minLabel, ...others] = labels
  const maxLabel = others.length > 1 ? others.at(-1) : others[0]
  if (others.length > 1 && others[0]) tell(`The middle label of the slider was left out: ${quoted(others[0])}`)
  const settings: DataTypeSettings = { min: 0, max: 100, ...bounds(row, numeric, tell) }
  return {
    format: 'slider',
    settings: { ...settings, ...(minLabel ? { minLabel } : {}), ...(maxLabel ? { maxLabel } : {}) },
  }
}

const none = /@NONEOFTHEABOVE\s*=\s*(?:'([^']*)'|"([^"]*)"|([\w-]+))/i
const limit = (tag: string, annotation: string) =>
  Number(new RegExp(`@${tag}\\s*=\\s*['"]?(\\d{1,6})`, 'i').exec(annotation)?.[1] ?? 0)

function choice(row: RedcapRow, options: { label: string; code: string }[], multiple: boolean): Typed {
  const [, single, double, word] = none.exec(row.field_annotation) ?? []
  const alone = new Set((single ?? double ?? word ?? '').split(',').map((code) => code.trim()))
  const marked = options.map((option) => (alone.has(option.code) ? { ...option, isExclusive: true } : option))
  const most = multiple ? limit('MAXCHECKED', row.field_annotation) : 0
  const settings: DataTypeSettings = { options: marked, ...(multiple ? { multiple } : {}) }
  return { format: 'choice', settings: most && most <= options.length ? { ...settings, maxSelected: most } : settings }
}

function typed(row: RedcapRow, tell: Tell): Typed {
  const choices = row.select_choices_or_calculations
  switch (row.field_type.toLowerCase()) {
    case 'text':
      return textField(row, tell)
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
      return slider(row, tell)
    case 'file':
      if (row.text_validation_type_or_show_slider_number.toLowerCase() !== 'signature')
        return { format: 'file', settings: {} }
      tell('A signature is an image here.')
      return { format: 'image', settings: {} }
    default:
      tell(`The field type “${quoted(row.field_type)}” is not known here: it is a text.`)
      return { format: 'text', settings: {} }
  }
}

/** What an export of ours notes, at the end of an annotation. */
const OURS = '@TRIALBOX='
/** Action tags that became settings of ours. */
const understood = /@(?:NONEOFTHEABOVE|MAXCHECKED|CHARLIMIT)\b\s*=\s*(?:'[^']*'|"[^"]*"|[\w-]+)/gi

/** What an annotation says to people, what it says to this service, and the action tags that do nothing here. */
export function annotationOf(text: string) {
  let [own, extra] = [text, undefined as Extra | undefined]
  for (let at = text.indexOf(OURS); at >= 0 && !extra; at = text.indexOf(OURS, at + 1)) {
    extra = extraFrom(text.slice(at + OURS.length))
    if (extra) own = text.slice(0, at)
  }
  const rest = own.replace(understood, '').trim()
  const tags = [...new Set(rest.match(/@[A-Z][A-Z0-9_-]*/g) ?? [])]
  return { extra, rest, tags }
}

/** A question as every kind of field has one. Neither its section header nor its matrix is part of it. */
export function fieldFrom(row: RedcapRow, tell: Tell): DraftField {
  const { extra, rest, tags } = annotationOf(row.field_annotation)
  const { format, settings } = typed(row, tell)
  if (tags.length) tell(`Its action tags do nothing here: ${tags.join(', ')}.`)
  const longest = limit('CHARLIMIT', row.field_annotation)
  if (longest && (format === 'text' || format === 'paragraph')) settings.maxLength = longest
  const field: DraftField = { kind: 'field', source: row.field_name, title: plain(row.field_label), format, settings }
  const note = plain(row.field_note)
  if (note) field.note = note
  if (rest) field.description = rest
  if (/^y/i.test(row.identifier)) field.isPii = true
  if (/^y/i.test(row.required_field)) field.isRequired = true
  if (extra) field.extra = extra
  if (format === 'calculation') {
    field.computedText = row.select_choices_or_calculations
    const parsed = parseLogic(row.select_choices_or_calculations)
    if ('node' in parsed) field.computed = parsed.node
    else if (!extra?.type) tell(`Its calculation cannot be read: ${parsed.problem}.`)
  }
  return field
}

/** What shows a row, read; told where it cannot be. */
export function shownBy(row: RedcapRow, tell: Tell): Pick<DraftField, 'shown' | 'shownText'> {
  const text = row.branching_logic
  if (text === '') return {}
  const parsed = parseLogic(text)
  if ('node' in parsed) return { shown: [parsed.node], shownText: text }
  tell(`Its branching logic cannot be read, so that it is always shown: ${parsed.problem}. ${quoted(text)}`)
  return {}
}
