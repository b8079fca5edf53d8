/** Reads an ItemDef of an ODM file as a field. */
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import { codeProblem } from '#design/dataTypes/rules'
import { excerptOf, titleFromName } from '#documents/texts'
import { attribute, children, textIn, type Xml } from '#documents/xml'
import type { DraftField, Report } from '#exchange/imports/common/draft'
import { isBound, type SoftRange } from '#exchange/imports/common/softRange'
import { yesNo } from '#exchange/imports/redcap/columns'
import type { languageOf } from './language'
import { notedFormat, notedValue } from './references'

/** The definitions of a study by their OIDs. */
export type Definitions = {
  items: ReadonlyMap<string, Xml>
  groups: ReadonlyMap<string, Xml>
  codeLists: ReadonlyMap<string, Xml>
  /** The lists of OpenClinica's multiple choices. */
  multiSelects: ReadonlyMap<string, Xml>
  units: ReadonlyMap<string, Xml>
  text: ReturnType<typeof languageOf>['text']
}

const formats: Record<string, Format> = {
  text: 'text',
  string: 'text',
  uri: 'text',
  integer: 'integer',
  float: 'float',
  double: 'float',
  decimal: 'float',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
  partialtime: 'time',
  boolean: 'choice',
  base64binary: 'file',
  base64float: 'file',
  hexbinary: 'file',
  hexfloat: 'file',
}

/** The choices of a code list. */
export function optionsOf(list: Xml, { text }: Definitions): { label: string; code: string }[] {
  const entries = ['CodeListItem', 'EnumeratedItem', 'MultiSelectListItem'].flatMap((name) => children(list, name))
  const ordered = entries.every((each) => Number(attribute(each, 'OrderNumber')) > 0)
    ? entries.toSorted((a, b) => Number(attribute(a, 'OrderNumber')) - Number(attribute(b, 'OrderNumber')))
    : entries
  return ordered.map((each) => {
    const code = attribute(each, 'CodedValue') || attribute(each, 'CodedOptionValue')
    return { label: text(each, 'Decode') || code, code }
  })
}

const comparators: Record<string, 'min' | 'max'> = { GE: 'min', GT: 'min', LE: 'max', LT: 'max' }

/** The bounds of range checks, and of those that only warn. Reports checks that neither can express. */
function ranges(item: Xml, format: Format, report: Report): Pick<FieldType, 'settings' | 'softRange'> {
  const settings: DataTypeSettings = {}
  const softRange: SoftRange = {}
  for (const check of children(item, 'RangeCheck')) {
    const comparator = attribute(check, 'Comparator').toUpperCase()
    const bound = comparators[comparator]
    const text = textIn(children(check, 'CheckValue')[0])
    const isNumber = format === 'integer' || format === 'float'
    const value = isNumber ? (text === '' ? Number.NaN : Number(text)) : text
    const fits = bound && (isNumber ? Number.isFinite(value) : ['date', 'datetime', 'time'].includes(format))
    if (!fits) {
      report(`Its range check ${comparator} ${excerptOf(text)} was left out.`)
      continue
    }
    const isStrict = comparator === 'GT' || comparator === 'LT'
    if (attribute(check, 'SoftHard') === 'Soft') {
      if (!isBound(value, format)) {
        report(`Its range check ${comparator} ${excerptOf(text)} was left out.`)
        continue
      }
      softRange[bound] = value
      if (isStrict) softRange[bound === 'min' ? 'isMinStrict' : 'isMaxStrict'] = true
      continue
    }
    if (isStrict && format !== 'integer') report(`The end of its range, ${excerptOf(text)}, is allowed here.`)
    const inclusive = isStrict && format === 'integer' ? (value as number) + (comparator === 'GT' ? 1 : -1) : value
    settings[bound] = inclusive
  }
  return { settings, ...(Object.keys(softRange).length ? { softRange } : {}) }
}

type FieldType = { format: Format; settings: DataTypeSettings; softRange?: SoftRange }

/** The multiple choice of an item of OpenClinica; undefined if it has none. */
function multipleChoiceOf(item: Xml, definitions: Definitions, report: Report): FieldType | undefined {
  const [reference] = children(item, 'MultiSelectListRef')
  if (!reference) return undefined
  const id = attribute(reference, 'MultiSelectListID')
  const list = definitions.multiSelects.get(id)
  const options = list ? optionsOf(list, definitions) : []
  if (options.length) return { format: 'choice', settings: { options, multiple: true } }
  report(`Its list ${id} has no entries in the file: it is a text.`)
  return { format: 'text', settings: {} }
}

function fieldTypeOf(item: Xml, definitions: Definitions, report: Report): FieldType {
  const several = multipleChoiceOf(item, definitions, report)
  if (several) return several
  const word = attribute(item, 'DataType').toLowerCase()
  const [reference] = children(item, 'CodeListRef')
  if (reference) {
    const oid = attribute(reference, 'CodeListOID')
    const list = definitions.codeLists.get(oid)
    const options = list ? optionsOf(list, definitions) : []
    if (options.length) {
      ranges(item, 'choice', report)
      return { format: 'choice', settings: { options } }
    }
    report(`Its code list ${oid} has no entries in the file: it is a ${formats[word] ?? 'text'}.`)
  }
  const format = formats[word]
  if (format === undefined) {
    if (word) report(`The data type “${excerptOf(word)}” is not known here: it is a text.`)
    return { format: 'text', settings: {} }
  }
  if (format === 'choice') return { format, settings: { options: yesNo.map((each) => ({ ...each })) } }
  const { settings, softRange } = ranges(item, format, report)
  const length = Number(attribute(item, 'Length'))
  if (format === 'text' && Number.isInteger(length) && length > 0 && length <= 100_000) settings.maxLength = length
  const digits = Number(attribute(item, 'SignificantDigits') || Number.NaN)
  if (format === 'float' && Number.isInteger(digits) && digits >= 0 && digits <= 10) settings.decimals = digits
  return {
    format: format === 'text' && length > 500 ? 'paragraph' : format,
    settings,
    ...(softRange ? { softRange } : {}),
  }
}

/** Formats that ODM has no data type for, as our own exports note them. */
const ownFormats = ['paragraph', 'slider', 'rating', 'measurements'] as const

/**
 * The field of an item, without what the reference to the item adds: whether it is required, its condition and its
 * method.
 */
export function fieldFrom(item: Xml, definitions: Definitions, report: Report): DraftField {
  const source = attribute(item, 'OID')
  const name = attribute(item, 'Name')
  const { format: typedFormat, settings, softRange } = fieldTypeOf(item, definitions, report)
  const own = notedFormat(item)
  const format = ownFormats.find((each) => each === own) ?? typedFormat
  const title =
    definitions.text(item, 'Question') || definitions.text(item, 'Description') || titleFromName(name || source)
  const note = definitions.text(item, 'Question') ? definitions.text(item, 'Description') : ''
  const code = [source, name].find((each) => !codeProblem(each)) ?? (name || source)
  const [reference, ...more] = children(item, 'MeasurementUnitRef')
  const unit = reference && definitions.units.get(attribute(reference, 'MeasurementUnitOID'))
  if (more.length) report('It may be answered in several units; the first is kept.')
  const symbol = unit ? definitions.text(unit, 'Symbol') || attribute(unit, 'Name') : notedValue(item, 'unit')
  return {
    kind: 'field',
    source,
    code,
    title,
    format,
    settings,
    ...(softRange ? { softRange } : {}),
    ...(note && note !== title ? { note } : {}),
    ...(symbol ? { unit: symbol } : {}),
  }
}
