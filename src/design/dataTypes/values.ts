/**
 * Checks that an answer has the right type and fits the settings of its data type (docs/data-types.md, "Value formats").
 */
import { isObject } from '#kernel/json'
import { bmiCheck, withBmi } from './bmi'
import type { FieldSettings, Format } from './model'
import { isAlone } from './reasons'
import {
  type Check,
  dateCheck,
  datetimeCheck,
  numberCheck,
  outsideSettings,
  textCheck,
  timeCheck,
  wrongType,
} from './scalars'

export type { Check }

/**
 * Whether a value is blank: absent, null, text of spaces only, an empty list or object (docs/data-types.md, "How values are
 * checked").
 */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value === '' || value.trim() === ''
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.length === 0
  for (const _ in value) return false
  return true
}

const byObject: ReadonlySet<Format> = new Set(['likert', 'bmi', 'file', 'image', 'video'])

/** Whether a value is blank in its format. An empty object clears only answers that are objects; else it is a mistake. */
export const isBlankFor = ({ format }: Pick<FieldSettings, 'format'>, value: unknown): boolean =>
  isBlank(value) && (byObject.has(format) || !isObject(value))

/** "must be one of: A, B, C", with only the first 20 of a long list. */
function oneOf(values: readonly unknown[]): string {
  const shown = values.slice(0, 20).join(', ')
  return `must be one of: ${shown}${values.length > 20 ? `, … (${values.length} in all)` : ''}`
}

function choiceCheck(settings: FieldSettings): Check {
  const options = new Map((settings.options ?? []).map((option) => [option.label, isAlone(option)]))
  const among = oneOf([...options.keys()])
  const min = settings.multiple ? (settings.minSelected ?? 0) : 0
  const max = settings.multiple ? (settings.maxSelected ?? Number.POSITIVE_INFINITY) : 1
  return (value) => {
    if (!Array.isArray(value)) return wrongType('must be a list of the chosen options')
    let exclusive: string | undefined
    for (let i = 0; i < value.length; i++) {
      const label = value[i]
      if (typeof label !== 'string') return wrongType('must be a list of the chosen options')
      const alone = options.get(label)
      if (alone === undefined) return outsideSettings(among)
      if (value.indexOf(label) !== i) return outsideSettings(`takes “${label}” once only`)
      if (alone) exclusive = label
    }
    if (value.length > max) return outsideSettings(max === 1 ? 'takes one option only' : `takes at most ${max} options`)
    if (exclusive !== undefined && value.length > 1) return outsideSettings(`takes “${exclusive}” by itself only`)
    // Without this exception, an exclusive option could never be chosen.
    if (value.length < min && exclusive === undefined)
      return outsideSettings(`needs at least ${min} ${min === 1 ? 'option' : 'options'}`)
    return undefined
  }
}

function likertCheck(settings: FieldSettings): Check {
  const statements = new Map((settings.statements ?? []).map((statement) => [statement.key, statement.label]))
  const points = new Set<unknown>((settings.scale ?? []).map((point) => point.value))
  const kinds = new Set([...points].map((value) => typeof value))
  const among = oneOf([...points])
  return (value) => {
    if (!isObject(value)) return wrongType('must be an object of answers by statement')
    for (const key in value) {
      const answer = value[key]
      const statement = statements.get(key)
      if (statement === undefined) return outsideSettings(`has no statement “${key}”`)
      if (answer === null) {
        if (!settings.allowNotApplicable) return outsideSettings(`cannot be “not applicable” for “${statement}”`)
      } else if (!points.has(answer)) {
        const problem = `${among} (for “${statement}”)`
        return kinds.has(typeof answer as 'string') ? outsideSettings(problem) : wrongType(problem)
      }
    }
    return undefined
  }
}

function tableCheck(settings: FieldSettings): Check {
  const columns = new Map((settings.columns ?? []).map((column) => [column.id, { column, check: valueCheck(column) }]))
  const min = settings.minRows ?? 0
  const max = settings.maxRows ?? 1000
  return (value, at) => {
    if (!Array.isArray(value)) return wrongType('must be a list of rows')
    for (let i = 0; i < value.length; i++) {
      const row: unknown = value[i]
      if (!isObject(row)) return wrongType(`must be a list of rows, each an object by column (row ${i + 1} is not)`)
      for (const id in row) {
        const cell = columns.get(id)
        if (!cell) return outsideSettings(`has no column “${id}” (row ${i + 1})`)
        if (isBlankFor(cell.column, row[id])) continue
        const answerProblem = cell.check(row[id], at)
        if (answerProblem)
          return { kind: answerProblem.kind, problem: `row ${i + 1}, “${cell.column.label}” ${answerProblem.problem}` }
      }
    }
    if (value.length < min) return outsideSettings(`must have at least ${min} ${min === 1 ? 'row' : 'rows'}`)
    if (value.length > max) return outsideSettings(`must have at most ${max} ${max === 1 ? 'row' : 'rows'}`)
    return undefined
  }
}

const fileCheck: Check = (value) => {
  const sentence = 'must be an uploaded file: an object with fileName and name'
  if (!isObject(value)) return wrongType(sentence)
  for (const key in value) if (key !== 'fileName' && key !== 'name') return wrongType(sentence)
  const { fileName, name } = value
  if (typeof fileName !== 'string' || fileName === '' || fileName.length > 500) return wrongType(sentence)
  if (name != null && (typeof name !== 'string' || name.length > 500)) return wrongType(sentence)
  return undefined
}

/**
 * Returns the check of answers to a data type or table column; build it once. The check takes values that are not blank, and
 * returns a problem without the field's name: "must be from 0 to 10". See docs/data-types.md, "How values are checked".
 */
export function valueCheck(settings: FieldSettings): Check {
  switch (settings.format) {
    case 'text':
    case 'paragraph':
      return textCheck(settings)
    case 'integer':
    case 'float':
    case 'slider':
    case 'rating':
    case 'measurements':
      return numberCheck(settings)
    case 'date':
      return dateCheck(settings)
    case 'datetime':
      return datetimeCheck(settings)
    case 'time':
      return timeCheck(settings)
    case 'choice':
      return choiceCheck(settings)
    case 'likert':
      return likertCheck(settings)
    case 'table':
      return tableCheck(settings)
    case 'bmi':
      return bmiCheck(settings)
    case 'file':
    case 'image':
    case 'video':
      return fileCheck
    case 'calculation':
      return () => outsideSettings('is computed by the service')
  }
}

/**
 * An answer as it is stored: undefined for a blank or a table of blank rows, and a BMI with its `bmi` computed. All other
 * answers stay as they were sent.
 */
export function normalise(settings: FieldSettings, value: unknown): unknown {
  if (isBlankFor(settings, value)) return undefined
  if (settings.format === 'table') return normaliseRows(settings, value)
  return settings.format === 'bmi' && isObject(value) ? withBmi(value) : value
}

const isBlankRow = (row: unknown) => isObject(row) && Object.values(row).every(isBlank)

/** Rows with the `bmi` of their BMI cells computed; the same list if there are none; undefined if all rows are blank. */
function normaliseRows(settings: FieldSettings, value: unknown): unknown {
  if (!Array.isArray(value)) return value
  if (value.every(isBlankRow)) return undefined
  const columns = (settings.columns ?? []).filter((column) => column.format === 'bmi')
  if (!columns.length) return value
  return value.map((row: unknown) => {
    if (!isObject(row)) return row
    const filled = { ...row }
    for (const column of columns) if (!isBlank(row[column.id])) filled[column.id] = normalise(column, row[column.id])
    return filled
  })
}
