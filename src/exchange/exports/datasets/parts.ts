/** The parts of an answer, each a column: what it holds, and how the answer becomes its cell (pure). */
import { parseInstant } from '#kernel/time'
import type { Cell } from '#writers/cell'
import { choiceParts, likertParts } from './codedAnswers'
import type { ColumnForm, ExportField, FieldWithSettings, Part } from './form'

/** The default cell of a value: text and numbers unchanged, all else as JSON. */
export const plainCell = (value: unknown): Cell =>
  typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean)

const entryCell = (key: string) => (value: unknown) => {
  const found = (value as Record<string, unknown>)[key]
  return found === undefined || found === null ? null : plainCell(found)
}

const textPart = (cell: Part['cell'] = plainCell): Part => ({ suffix: '', kind: 'text', measure: 'nominal', cell })

/** A moment after the year 2255 stays text if it is not at a whole second: a number of microseconds does not hold it exactly. */
function moment(value: unknown): Cell {
  const at = typeof value === 'string' ? parseInstant(value) : undefined
  if (at === undefined) return plainCell(value)
  return Number.isSafeInteger(at) || !/\.\d*[1-9]/.test(String(value)) ? { at } : plainCell(value)
}

/** A day is stored as midnight UTC. A value with another time stays a moment: the day would depend on the zone. */
const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /T00:00(:00(\.0+)?)?Z$/.test(value) ? value.slice(0, 10) : undefined

const dayCells: Record<ColumnForm['cells'], Part['cell']> = {
  text: (value) => dayOf(value) ?? plainCell(value),
  dates(value) {
    const day = dayOf(value)
    return day === undefined ? moment(value) : { day }
  },
  strict(value) {
    const day = dayOf(value)
    return day === undefined ? plainCell(value) : { day }
  },
}

const timeCell = (value: unknown): Cell => (typeof value === 'string' ? { time: value } : plainCell(value))

/** Digits after the point of a number; a calculation without them may have any. */
const numberPart = ({ format, decimals, unit, ...field }: FieldWithSettings): Part => {
  const { min, max, minLabel, maxLabel } = field
  const ends = [
    typeof min === 'number' && minLabel ? [{ value: min, label: minLabel }] : [],
    typeof max === 'number' && maxLabel ? [{ value: max, label: maxLabel }] : [],
  ].flat()
  return {
    ...textPart(),
    kind: 'number',
    measure: 'scale',
    decimals: format === 'integer' ? 0 : (decimals ?? undefined),
    unit: unit ?? undefined,
    values: ends.length ? ends : undefined,
  }
}

/** A calculation gives a number, unless its expression names texts that it may give. Yes and no are 1 and 0 where cells are strict. */
function calculationPart(field: FieldWithSettings, { cells }: ColumnForm): Part {
  const isText = /["'“”‘’]/.test(field.expression ?? '')
  if (isText) return cells === 'strict' ? textPart((value) => String(plainCell(value))) : textPart()
  const part = numberPart(field)
  return cells === 'strict'
    ? { ...part, cell: (value) => (typeof value === 'boolean' ? Number(value) : plainCell(value)) }
    : part
}

function bmiParts({ columns }: ColumnForm): Part[] {
  const number = (key: string, unit: string): Part => ({
    ...textPart(entryCell(key)),
    kind: 'number',
    measure: 'scale',
    unit,
  })
  const bmi = number('bmi', 'kg/m²')
  if (columns === 'single') return [bmi]
  return [
    { ...bmi, suffix: '_bmi', label: 'BMI' },
    { ...number('height', 'cm'), suffix: '_height', label: 'height' },
    { ...number('weight', 'kg'), suffix: '_weight', label: 'weight' },
  ]
}

function fileParts({ columns }: ColumnForm): Part[] {
  if (columns === 'single') return [textPart()]
  return [textPart(entryCell('name')), { ...textPart(entryCell('fileName')), suffix: '_file', label: 'stored name' }]
}

const rowCount: Part = {
  suffix: '_rows',
  label: 'number of rows',
  kind: 'number',
  measure: 'scale',
  decimals: 0,
  cell: (value) => (Array.isArray(value) ? value.length : plainCell(value)),
}

/**
 * The columns that an answer becomes, by suffix. In the single form a Likert, a table and a file are JSON, a BMI is its number. In the
 * expanded form a Likert has a column per statement (`_key`), a BMI three, a file also its stored name (`_file`), and a
 * multiple choice 1 or 0 for each option (`_code`).
 */
export function partsOf(field: ExportField, form: ColumnForm): Part[] {
  const { cells } = form
  switch (field.format) {
    case 'integer':
    case 'float':
    case 'slider':
    case 'rating':
    case 'measurements':
      return [numberPart(field)]
    case 'calculation':
      return [calculationPart(field, form)]
    case 'date':
      return [{ ...textPart(dayCells[cells]), kind: 'day', measure: 'scale' }]
    case 'datetime':
      return [{ ...textPart(cells === 'text' ? plainCell : moment), kind: 'moment', measure: 'scale' }]
    case 'time':
      return [{ ...textPart(cells === 'text' ? plainCell : timeCell), kind: 'time', measure: 'scale' }]
    case 'choice':
      return choiceParts(field, form)
    case 'likert':
      return form.columns === 'single' ? [textPart()] : likertParts(field, form)
    case 'bmi':
      return bmiParts(form)
    case 'file':
    case 'image':
    case 'video':
      return fileParts(form)
    case 'table':
      return form.columns === 'expanded' && form.tables === 'apart' ? [rowCount] : [textPart()]
    default:
      return [textPart()]
  }
}
