/** The parts of an answer, each a column: what it holds, and how the answer becomes its cell (pure). */
import { parseInstant } from '#kernel/time'
import type { Cell } from '#writers/cell'
import { choiceParts, likertParts } from './coded'
import type { ColumnForm, Exportable, Part, Settings } from './form'

/** The default cell of a value: text and numbers unchanged, all else as JSON. */
export const plain = (value: unknown): Cell =>
  typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean)

const entry = (key: string) => (value: unknown) => {
  const found = (value as Record<string, unknown>)[key]
  return found === undefined || found === null ? null : plain(found)
}

const text = (cell: Part['cell'] = plain): Part => ({ suffix: '', kind: 'text', measure: 'nominal', cell })

/** A moment after the year 2255 stays text if it is not at a whole second: a number of microseconds does not hold it exactly. */
function moment(value: unknown): Cell {
  const at = typeof value === 'string' ? parseInstant(value) : undefined
  if (at === undefined) return plain(value)
  return Number.isSafeInteger(at) || !/\.\d*[1-9]/.test(String(value)) ? { at } : plain(value)
}

/** A day is stored as midnight UTC. A value with another time stays a moment: the day would depend on the zone. */
const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /T00:00(:00(\.0+)?)?Z$/.test(value) ? value.slice(0, 10) : undefined

const dayCells: Record<ColumnForm['cells'], Part['cell']> = {
  text: (value) => dayOf(value) ?? plain(value),
  dates(value) {
    const day = dayOf(value)
    return day === undefined ? moment(value) : { day }
  },
  strict(value) {
    const day = dayOf(value)
    return day === undefined ? plain(value) : { day }
  },
}

const timeCell = (value: unknown): Cell => (typeof value === 'string' ? { time: value } : plain(value))

/** Digits after the point of a number; a calculation without them may have any. */
const numberPart = ({ format, decimals, unit, ...asked }: Settings): Part => {
  const { min, max, minLabel, maxLabel } = asked
  const ends = [
    typeof min === 'number' && minLabel ? [{ value: min, label: minLabel }] : [],
    typeof max === 'number' && maxLabel ? [{ value: max, label: maxLabel }] : [],
  ].flat()
  return {
    ...text(),
    kind: 'number',
    measure: 'scale',
    decimals: format === 'integer' ? 0 : (decimals ?? undefined),
    unit: unit ?? undefined,
    values: ends.length ? ends : undefined,
  }
}

/** A calculation gives a number, unless its expression names texts that it may give. Yes and no are 1 and 0 where cells are strict. */
function calculationPart(asked: Settings, { cells }: ColumnForm): Part {
  const isText = /["'“”‘’]/.test(asked.expression ?? '')
  if (isText) return cells === 'strict' ? text((value) => String(plain(value))) : text()
  const part = numberPart(asked)
  return cells === 'strict'
    ? { ...part, cell: (value) => (typeof value === 'boolean' ? Number(value) : plain(value)) }
    : part
}

function bmiParts({ columns }: ColumnForm): Part[] {
  const number = (key: string, unit: string): Part => ({
    ...text(entry(key)),
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
  if (columns === 'single') return [text()]
  return [text(entry('name')), { ...text(entry('fileName')), suffix: '_file', label: 'stored name' }]
}

const rowCount: Part = {
  suffix: '_rows',
  label: 'number of rows',
  kind: 'number',
  measure: 'scale',
  decimals: 0,
  cell: (value) => (Array.isArray(value) ? value.length : plain(value)),
}

/**
 * The columns that an answer becomes, by suffix. In the single form a Likert, a table and a file are JSON, a BMI is its number. In the
 * expanded form a Likert has a column per statement (`_key`), a BMI three, a file also its stored name (`_file`), and a
 * multiple choice 1 or 0 for each option (`_code`).
 */
export function partsOf(asked: Exportable, form: ColumnForm): Part[] {
  const { cells } = form
  switch (asked.format) {
    case 'integer':
    case 'float':
    case 'slider':
    case 'rating':
    case 'measurements':
      return [numberPart(asked)]
    case 'calculation':
      return [calculationPart(asked, form)]
    case 'date':
      return [{ ...text(dayCells[cells]), kind: 'day', measure: 'scale' }]
    case 'datetime':
      return [{ ...text(cells === 'text' ? plain : moment), kind: 'moment', measure: 'scale' }]
    case 'time':
      return [{ ...text(cells === 'text' ? plain : timeCell), kind: 'time', measure: 'scale' }]
    case 'choice':
      return choiceParts(asked, form)
    case 'likert':
      return form.columns === 'single' ? [text()] : likertParts(asked, form)
    case 'bmi':
      return bmiParts(form)
    case 'file':
    case 'image':
    case 'video':
      return fileParts(form)
    case 'table':
      return form.columns === 'expanded' && form.tables === 'apart' ? [rowCount] : [text()]
    default:
      return [text()]
  }
}
