/** How the field of each format is printed, to be filled in by hand (pure). */
import type { FieldSettings, TableColumn } from '#design/dataTypes/model'
import { answerText } from './answers'
import type { Boxes, Entry, Mark, PrintedField } from './item'

/** A data type with its unit; on a filled form with the answer. */
export type PrintedFieldInput = { dataType: FieldSettings & { unit?: string | null }; value?: unknown; zone: string }

/** More points than this do not fit in a row: the answer is a number to write instead. */
export const MOST_CIRCLES = 11
/** More columns than this do not fit in one table: it is split into several below each other. */
const MOST_COLUMNS = 7
/** Number of rows that are drawn for a table without a maximum; `MOST_ROWS` limits those of a table with one. */
const USUAL_ROWS = 5
export const MOST_ROWS = 20

const boxes = (count: number, label = '', before = ''): Boxes => ({ count, label, before })
const dayBoxes = [boxes(2, 'DD'), boxes(2, 'MM', '/'), boxes(4, 'YYYY', '/')]
const timeBoxes = (before: string) => [boxes(2, 'HH', before), boxes(2, 'MM', ':')]

const digits = (bound: unknown, otherwise: number): number =>
  typeof bound === 'number' ? String(Math.trunc(Math.abs(bound))).replace(/e.*/, '').length : otherwise

/** Boxes for a number: as many as its bounds need, and one for the sign if it may be negative. */
function numberBoxes({ format, min, max, decimals, step }: FieldSettings): Boxes[] {
  const whole = Math.min(12, Math.max(digits(min, 1), digits(max, 5)))
  const fraction = decimals ?? (format === 'integer' ? 0 : (String(step ?? '').split('.')[1]?.length ?? 2))
  const signed = typeof min === 'number' ? min < 0 : typeof max === 'number' && max < 0
  return [
    ...(signed ? [boxes(1, '+/−')] : []),
    boxes(whole),
    ...(fraction > 0 ? [boxes(Math.min(fraction, 10), '', '.')] : []),
  ]
}

/** The `answer` field, if the text is not empty. */
const answerField = (text: string) => (text === '' ? {} : { answer: text })

const entry = (label: string, of: Boxes[], unit: string, answer: string): Entry => ({
  label,
  boxes: of,
  unit,
  ...answerField(answer),
})

function scalePoints({ min, max, step }: FieldSettings): number[] {
  const [from, to, by] = [Number(min ?? 1), Number(max ?? 5), step || 1]
  const count = Math.floor((to - from) / by) + 1
  if (!(count > 0 && count <= MOST_CIRCLES)) return []
  return Array.from({ length: count }, (_, n) => Number((from + n * by).toPrecision(12)))
}

function rating(input: PrintedFieldInput, text: string): PrintedField {
  const { dataType, value } = input
  const points = scalePoints(dataType)
  const ends = { from: dataType.minLabel ?? '', to: dataType.maxLabel ?? '' }
  // An answer between two circles is written as text, never lost.
  if (!points.length || (typeof value === 'number' && !points.includes(value)))
    return { kind: 'entries', entries: [entry('', numberBoxes(dataType), dataType.unit ?? '', text)] }
  return { kind: 'rating', marks: points.map((n) => ({ label: `${n}`, isChosen: n === value })), ...ends }
}

function choice({ dataType, value }: PrintedFieldInput): PrintedField {
  const given = Array.isArray(value) ? (value as unknown[]) : []
  const labels = (dataType.options ?? []).map(({ label }) => label)
  // Chosen labels that are no longer options are shown too.
  const removed = given.map(String).filter((label) => !labels.includes(label))
  const marks: Mark[] = [...labels, ...removed].map((label) => ({ label, isChosen: given.includes(label) }))
  return { kind: 'choice', multiple: dataType.multiple === true, marks }
}

const NOT_APPLICABLE = 'Not applicable'

function likert({ dataType, value }: PrintedFieldInput): PrintedField {
  const scale = dataType.scale ?? []
  const given = (value ?? {}) as Record<string, unknown>
  const labels = scale.map((point) => point.label || `${point.value}`)
  const columns = [...labels, ...(dataType.allowNotApplicable ? [NOT_APPLICABLE] : [])]
  const statements = [...(dataType.statements ?? [])]
  for (const key of Object.keys(given))
    if (!statements.some((each) => each.key === key)) statements.push({ key, label: key })
  const place = (key: string): number => {
    if (!Object.hasOwn(given, key)) return -1
    return given[key] === null
      ? columns.indexOf(NOT_APPLICABLE)
      : scale.findIndex((point) => point.value === given[key])
  }
  const hasUnknownAnswer = statements.some(({ key }) => Object.hasOwn(given, key) && place(key) < 0)
  if (columns.length <= MOST_CIRCLES && !hasUnknownAnswer) {
    const rows = statements.map(({ key, label }) => (place(key) < 0 ? { label } : { label, chosenColumn: place(key) }))
    return { kind: 'grid', columns, rows }
  }
  const answerOfRow = (key: string) =>
    !Object.hasOwn(given, key) ? '' : given[key] === null ? NOT_APPLICABLE : (labels[place(key)] ?? String(given[key]))
  const rows = statements.map(({ key, label }) => [label, answerOfRow(key)])
  return { kind: 'tables', tables: [{ columns: ['', 'Answer'], rows }] }
}

function table({ dataType, value, zone }: PrintedFieldInput): PrintedField {
  const { columns = [], minRows, maxRows } = dataType
  const given = Array.isArray(value) ? (value as Record<string, unknown>[]) : undefined
  const wanted = Math.min(MOST_ROWS, Math.max(minRows ?? 0, maxRows ?? USUAL_ROWS))
  const empty: Record<string, unknown>[] = Array.from({ length: Math.max(1, wanted) }, () => ({}))
  const rows = given ?? empty
  const tables: { columns: string[]; rows: string[][] }[] = []
  for (let at = 0; at < (columns?.length ?? 0); at += MOST_COLUMNS) {
    const part = columns!.slice(at, at + MOST_COLUMNS)
    tables.push({
      columns: part.map(columnHead),
      rows: rows.map((row) => part.map((column) => answerText(column, row[column.id], zone))),
    })
  }
  return { kind: 'tables', tables }
}

const patterns: Partial<Record<FieldSettings['format'], string>> = {
  date: 'DD/MM/YYYY',
  datetime: 'DD/MM/YYYY HH:MM',
  time: 'HH:MM',
}

/** A column's label, with what helps to fill it in: its unit, its pattern, or its options if they are few. */
function columnHead({ label, unit, format, options }: TableColumn): string {
  const labels = (options ?? []).map((option) => option.label).join(' / ')
  const help = unit || patterns[format] || (labels.length <= 60 ? labels : '')
  return help ? `${label} (${help})` : label
}

function bmi({ dataType, value }: PrintedFieldInput): PrintedField {
  const part = (key: string) => String((value as Record<string, unknown> | undefined)?.[key] ?? '')
  const height = Math.max(3, digits(dataType.maxHeight, 3))
  const weight = Math.max(3, digits(dataType.maxWeight, 3))
  return {
    kind: 'entries',
    entries: [
      entry('Height', [boxes(height), boxes(1, '', '.')], 'cm', part('height')),
      entry('Weight', [boxes(weight), boxes(1, '', '.')], 'kg', part('weight')),
      entry('BMI', [boxes(2), boxes(1, '', '.')], 'kg/m²', part('bmi')),
    ],
  }
}

/** The printed field of a data type; on a filled form with the answer. */
export function printedFieldOf(input: PrintedFieldInput): PrintedField {
  const { dataType, value, zone } = input
  const text = answerText(dataType, value, zone)
  const unit = dataType.unit ?? ''
  switch (dataType.format) {
    case 'text':
      return { kind: 'lines', count: (dataType.maxLength ?? 0) > 100 ? 2 : 1, unit, ...answerField(text) }
    case 'paragraph':
      return {
        kind: 'paragraph',
        lines: Math.min(12, Math.max(4, Math.ceil((dataType.maxLength ?? 0) / 90))),
        ...answerField(text),
      }
    case 'integer':
    case 'float':
    case 'measurements':
      return { kind: 'entries', entries: [entry('', numberBoxes(dataType), unit, text)] }
    case 'slider': {
      const end = (bound: unknown, label: string | null | undefined) =>
        [bound, label].filter((each) => each != null && each !== '').join(' – ')
      return {
        kind: 'slider',
        from: end(dataType.min ?? 0, dataType.minLabel),
        to: end(dataType.max ?? 100, dataType.maxLabel),
        unit,
        ...answerField(text),
      }
    }
    case 'rating':
      return rating(input, text)
    case 'date':
      return { kind: 'entries', entries: [entry('', dayBoxes, '', text)] }
    case 'datetime':
      return { kind: 'entries', entries: [entry('', [...dayBoxes, ...timeBoxes('  ')], '', text)] }
    case 'time':
      return { kind: 'entries', entries: [entry('', timeBoxes(''), '', text)] }
    case 'choice':
      return choice(input)
    case 'likert':
      return likert(input)
    case 'table':
      return table(input)
    case 'bmi':
      return bmi(input)
    case 'file':
    case 'image':
    case 'video':
      return {
        kind: 'note',
        text: `Attach the ${dataType.format} and write this question’s number on it.`,
        ...answerField(text),
      }
    case 'calculation':
      return { kind: 'note', text: `Computed${unit ? ` in ${unit}` : ''}; leave blank.`, ...answerField(text) }
  }
}
