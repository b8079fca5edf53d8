/** Writes data types as the columns of REDCap: field type, choices, validation, range, action tags. */

import { isExclusiveOption } from '#design/dataTypes/missingReasons'
import type { Format } from '#design/dataTypes/model'
import type { PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { escapeForPlainText } from '#documents/texts'
import { codesOf } from '#exchange/exports/datasets/columns'
import { type SoftRange, softRangeIn } from '#exchange/imports/common/softRange'
import { patterns, type RedcapRow } from '#exchange/imports/redcap/columns'
import { hidesField } from '#exchange/imports/redcap/tags'

/** A bound as REDCap writes it: a moment with a space and without seconds. */
const bound = (value: unknown) =>
  value == null ? '' : String(value).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2')

/** The columns of the bounds. REDCap writes “not in the past” and “not in the future” with the word today. */
const bounds = ({ min, max, allowPast, allowFuture }: PlannedType) => ({
  text_validation_min: min == null && allowPast === false ? 'today' : bound(min),
  text_validation_max: max == null && allowFuture === false ? 'today' : bound(max),
})

/** The formats whose ranges REDCap checks. */
const RANGED_FORMATS = new Set<Format>(['integer', 'rating', 'float', 'measurements', 'date', 'datetime', 'time'])

/** Whether the range of a data type refuses what is outside. REDCap needs a tag for that. */
const isForced = ({ format, min, max, allowPast, allowFuture }: PlannedType) =>
  RANGED_FORMATS.has(format) && (min != null || max != null || allowPast === false || allowFuture === false)

/** The columns of a soft range; none if the data type has a range that refuses, or the constraint is no range. */
export function softBounds(type: PlannedType, { constraint }: PlannedComponent): Partial<RedcapRow> {
  const range =
    RANGED_FORMATS.has(type.format) && !isForced(type) ? softRangeIn(constraint, type.code, type.format) : undefined
  if (!range || range.isMinStrict || range.isMaxStrict) return {}
  const text = (one: SoftRange['min']) =>
    typeof one === 'object' ? (type.format === 'date' ? 'today' : 'now') : bound(one)
  return { text_validation_min: text(range.min), text_validation_max: text(range.max) }
}

const choices = ({ options }: PlannedType) =>
  codesOf(options)
    .map((code, place) => `${code}, ${escapeForPlainText(options![place]!.label)}`)
    .join(' | ')

/** The action tags for settings that have no column. */
export function tags(type: PlannedType, { isHidden }: PlannedComponent): string[] {
  const { options, maxSelected, maxLength, annotation } = type
  const alone = codesOf(options).filter((_, place) => isExclusiveOption(options![place]!))
  return [
    ...(alone.length ? [`@NONEOFTHEABOVE='${alone.join(',')}'`] : []),
    ...(maxSelected ? [`@MAXCHECKED=${maxSelected}`] : []),
    ...(maxLength ? [`@CHARLIMIT=${maxLength}`] : []),
    ...(isForced(type) ? ['@FORCE-MINMAX'] : []),
    ...(isHidden && !hidesField(annotation ?? '') ? ['@HIDDEN-SURVEY'] : []),
  ]
}

/** The columns of the format of a data type. @param translated returns a calculation in the language of REDCap */
export function typeColumns(
  type: PlannedType,
  translated: (expression: string) => string | undefined,
): Partial<RedcapRow> {
  const text = (validation: string): Partial<RedcapRow> => ({
    field_type: 'text',
    text_validation_type_or_show_slider_number: validation,
    ...bounds(type),
  })
  switch (type.format) {
    case 'text':
      return text(Object.keys(patterns).find((name) => patterns[name] === type.pattern) ?? '')
    case 'integer':
    case 'rating':
      return text('integer')
    case 'float':
    case 'measurements':
      return text(type.decimals && type.decimals <= 4 ? `number_${type.decimals}dp` : 'number')
    case 'date':
      return text('date_ymd')
    case 'datetime':
      return text('datetime_ymd')
    case 'time':
      return text('time')
    case 'choice':
      return { field_type: type.multiple ? 'checkbox' : 'radio', select_choices_or_calculations: choices(type) }
    case 'slider':
      return {
        field_type: 'slider',
        select_choices_or_calculations:
          type.minLabel || type.maxLabel
            ? `${escapeForPlainText(type.minLabel ?? '')} | | ${escapeForPlainText(type.maxLabel ?? '')}`
            : '',
        ...bounds(type),
      }
    case 'calculation':
      return { field_type: 'calc', select_choices_or_calculations: translated(type.expression ?? '') ?? "''" }
    case 'file':
    case 'image':
    case 'video':
      return {
        field_type: 'file',
        text_validation_type_or_show_slider_number: type.format === 'image' ? 'signature' : '',
      }
    default:
      return { field_type: 'notes' }
  }
}
