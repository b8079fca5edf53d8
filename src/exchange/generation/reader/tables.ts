/** Interprets tables: lists of questions or visits, schedules of assessments, statements on a scale, tables to fill in. */
import type { DataTypeSettings } from '#design/dataTypes/model'
import { codeFrom } from '#design/dataTypes/rules'
import { type Block, isStageName } from './blocks'
import { optionsIn, type ScalePoint } from './choices'
import { questionIn } from './question'

const headings = {
  question:
    /^(?:questions?|fields?|items?|variables?|labels?|field labels?|question text|data points?|parameters?|name|prompt)$/i,
  form: /^(?:forms?|sections?|stages?|visits?|questionnaires?|form names?|modules?|pages?)$/i,
  type: /^(?:types?|formats?|field types?|answer types?|response types?|data types?)$/i,
  options: /^(?:options?|choices?|answers?|answer options|response options|responses?|values?|codes?|categories)$/i,
  unit: /^(?:units?)$/i,
  range: /^(?:ranges?|valid range|min.?max|limits?)$/i,
  required: /^(?:required\??|mandatory\??)$/i,
  condition: /^(?:conditions?|show if|branching(?: logic)?|depends on|if)$/i,
  visit: /^(?:visits?|time ?points?|stages?|events?|visit name|assessment)$/i,
  day: /^(?:(?:study )?days?|weeks?|timing|when|schedule|time)$/i,
  window: /^(?:windows?|tolerance|visit window|±)$/i,
  procedures: /^(?:procedures?|assessments?|activities|forms?|questions?|what|data collected)$/i,
}
type Column = keyof typeof headings

const columns = (header: readonly string[], ...wanted: Column[]) =>
  Object.fromEntries(
    wanted.map((column) => [column, header.findIndex((cell) => headings[column].test(cell.replace(/\*/g, '').trim()))]),
  ) as Record<Column, number>

const item = (text: string, marker: 'number' | 'circle' | 'box' = 'number'): Block => ({
  kind: 'item',
  isRow: true,
  marker,
  text,
  indent: marker === 'number' ? 0 : 4,
})
const heading = (text: string): Block => ({ kind: 'heading', text, level: 2 })
/** A mark may have footnotes: X1, (X)a,b, X*. */
const isMark = (cell: string) => /^(?:(?:x|✓|✔|●|•|\(x\))[\s\d,a-h*†‡§¶()]{0,8}|yes|y)$/i.test(cell)

/** The blocks, with tables that describe forms or visits replaced by headings and items. */
export const expandTables = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap((block) =>
    block.kind === 'table' ? (dictionary(block.rows) ?? visits(block.rows) ?? matrix(block.rows) ?? [block]) : [block],
  )

/** Reads a table with one question per row; undefined if it is not one. */
function dictionary([header = [], ...rows]: string[][]): Block[] | undefined {
  const at = columns(header, 'question', 'form', 'type', 'options', 'unit', 'range', 'required', 'condition')
  if (at.question < 0 || !rows.length) return undefined
  const others = ['form', 'type', 'options', 'unit', 'required', 'range'] as const
  if (header.length > 1 && others.every((column) => at[column] < 0)) return undefined
  let form = ''
  return rows.flatMap((row): Block[] => {
    const cell = (column: Column) => (at[column] < 0 ? '' : (row[at[column]] ?? ''))
    const question = cell('question')
    if (!question)
      return row.some((each) => each.trim())
        ? [{ kind: 'text', text: row.filter(Boolean).join(', '), indent: 0, isNew: true }]
        : []
    const type = cell('type').toLowerCase()
    const multiple = /multi|checkbox/.test(type)
    const texts = /[=|;\n]/.test(cell('options'))
      ? cell('options')
          .split(/\s*[|;\n]\s*/)
          .filter(Boolean)
      : optionsIn(cell('options'))
    const isChoice = texts.length >= 2
    const detail = [cell('unit'), cell('range')].filter(Boolean).join(', ')
    const kind =
      isChoice || detail || /choice|select|radio|dropdown|checkbox/.test(type)
        ? ''
        : type.replace(/^yes ?\/? ?no$|^yesno$|^boolean$/, 'yes/no')
    const required = /^(?:y|yes|true|1|x|required)$/i.test(cell('required')) ? ' (required)' : ''
    const condition = cell('condition')
    const remark: Block[] = condition
      ? [{ kind: 'text', text: `(Shown if ${condition})`, indent: 8, isNew: false }]
      : []
    const text = `${question}${detail ? ` (${detail})` : ''}${kind ? `: ${kind}` : ''}${multiple ? ' (select all that apply)' : ''}${required}`
    const section = cell('form')
    const start = section && section !== form ? [heading((form = section))] : []
    const options = isChoice ? texts.map((option) => item(option, multiple ? 'box' : 'circle')) : []
    return [...start, item(text), ...remark, ...options]
  })
}

/** Reads a table with one visit per row; undefined if it is not one. */
function visits([header = [], ...rows]: string[][]): Block[] | undefined {
  const at = columns(header, 'visit', 'day', 'window', 'procedures')
  if (at.visit < 0 || (at.day < 0 && at.window < 0) || at.visit === at.day) return undefined
  return rows.flatMap((row): Block[] => {
    const cell = (column: Column) => (at[column] < 0 ? '' : (row[at[column]] ?? ''))
    if (!cell('visit')) return []
    const unit = /^weeks?$/i.test(header[at.day] ?? '') ? 'week' : 'day'
    const day = /^[-−]?\d+$/.test(cell('day')) ? `${unit} ${cell('day')}` : cell('day')
    const window = /^\d+(?:\s*(?:days?|hours?))?$/.test(cell('window')) ? `± ${cell('window')}` : cell('window')
    const procedures = at.procedures === at.visit ? '' : cell('procedures')
    const name = [cell('visit'), [day, window].filter(Boolean).join(' ')].filter(Boolean).join(', ')
    return [
      heading(name),
      ...procedures
        .split(/\s*[,;]\s*(?![^(]*\))/)
        .filter(Boolean)
        .map((each) => item(each)),
    ]
  })
}

/** Reads a schedule of assessments: one assessment per row, one visit per column, marks in the cells. */
function matrix([header = [], ...rows]: string[][]): Block[] | undefined {
  const [, ...names] = header
  const cells = rows.flatMap(([, ...rest]) => rest)
  if (names.length < 2 || !cells.some(isMark) || !cells.every((cell) => cell === '' || cell === '-' || isMark(cell)))
    return undefined
  if (!names.every((name) => isStageName(name) || /\b(?:day|week|month|visit|v\d)\b/i.test(name))) return undefined
  return names.flatMap((name, n): Block[] => [
    heading(name),
    ...rows.filter((row) => isMark(row[n + 1] ?? '')).map(([label]) => item(label ?? '')),
  ])
}

/** Reads a table with statements as rows and a scale as columns; undefined if it is not one. */
export function likertOf([header = [], ...rows]: string[][]):
  | { points: ScalePoint[]; statements: string[] }
  | undefined {
  const [, ...labels] = header
  if (labels.length < 2 || !rows.length || labels.some((label) => label === '')) return undefined
  if (
    !rows.every(
      ([first, ...cells]) => first && cells.every((cell) => /^(?:[☐□○◯]|\[\s?\]|\(\s?\)|\d{1,2})?$/.test(cell)),
    )
  )
    return undefined
  // The numbers are those of the scale, the same in each row; others are figures.
  if (!rows.every(([, ...cells]) => cells.every((cell, n) => !/^\d/.test(cell) || cell === rows[0]![n + 1])))
    return undefined
  if (labels.some((label) => questionIn(label).isCertain && !/\d/.test(label))) return undefined
  const points = labels.map((label, n) => {
    const coded = /^(\d{1,2})\s*[=:–-]\s*(.+)$/.exec(label) ?? /^(.+?)\s*[([](\d{1,2})[)\]]$/.exec(label)
    if (/^\d{1,2}$/.test(label)) return { value: Number(label), label }
    if (!coded) return { value: Number(rows[0]![n + 1]) || n + 1, label }
    const [, a = '', b = ''] = coded
    return /^\d+$/.test(a) ? { value: Number(a), label: b } : { value: Number(b), label: a }
  })
  return new Set(points.map(({ value }) => value)).size === points.length
    ? { points, statements: rows.map(([first]) => first!) }
    : undefined
}

const inColumns = /^(?:text|paragraph|integer|float|date|time|datetime|choice|slider|rating)$/

/** Whether nothing is written yet in the rows of a table, beside their labels: it is there to be filled in. */
export const isBlankTable = ([, ...rows]: string[][]): boolean =>
  rows.every(([, ...cells]) => cells.every((cell) => /^[\s_.…/:☐□○◯-]*$/.test(cell)))

/** The settings of a table to fill in, from its header. */
export function tableOf([header = []]: string[][]): DataTypeSettings {
  const taken = new Set<string>()
  const columns = header.filter(Boolean).map((cell) => {
    const { title, format, settings, unit } = questionIn(cell)
    const id = codeFrom(title, (code) => taken.has(code))
    taken.add(id)
    if (!inColumns.test(format)) return { id, label: title, format: 'text' as const }
    return { id, label: title, format, ...settings, ...(unit ? { unit } : {}) }
  })
  return { columns: columns as NonNullable<DataTypeSettings['columns']> }
}
