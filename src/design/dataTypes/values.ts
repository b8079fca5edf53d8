/**
 * Checks that an answer has the right type and fits the settings of its data type (docs/data-types.md, "Value formats").
 */
import { isObject } from '#kernel/json'
import { bmiCheck, withBmi } from './bmi'
import { isExclusiveOption } from './missingReasons'
import type { FieldSettings, Format } from './model'
import { inCell, outsideSettings, wrongType } from './problems'
import { type AnswerCheck, dateCheck, datetimeCheck, numberCheck, textCheck, timeCheck } from './scalars'

export type { AnswerCheck }

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

const LISTED = 20
/** What an answer must be one of: the first 20 of a long list, and how many there are in all. */
const listedOptions = (values: readonly unknown[]) => ({
  options: values.slice(0, LISTED).join(', '),
  count: values.length,
})

function choiceCheck(settings: FieldSettings): AnswerCheck {
  const options = new Map((settings.options ?? []).map((option) => [option.label, option]))
  // Refusals name the options as the person reads them; answers have their labels.
  const shown = (option: { label: string; text?: string }): string => option.text ?? option.label
  const all = listedOptions([...options.values()].map(shown))
  const noOption =
    all.count > LISTED ? outsideSettings('noOptionOfMany', all) : outsideSettings('noOption', { options: all.options })
  const min = settings.multiple ? (settings.minSelected ?? 0) : 0
  const max = settings.multiple ? (settings.maxSelected ?? Number.POSITIVE_INFINITY) : 1
  return (value) => {
    if (!Array.isArray(value)) return wrongType('notOptions')
    let exclusive: string | undefined
    for (let i = 0; i < value.length; i++) {
      const label = value[i]
      if (typeof label !== 'string') return wrongType('notOptions')
      const option = options.get(label)
      if (option === undefined) return noOption
      if (value.indexOf(label) !== i) return outsideSettings('twice', { option: shown(option) })
      if (isExclusiveOption(option)) exclusive = shown(option)
    }
    if (value.length > max)
      return max === 1 ? outsideSettings('oneOption') : outsideSettings('tooManyOptions', { count: max })
    if (exclusive !== undefined && value.length > 1) return outsideSettings('exclusive', { option: exclusive })
    // Without this exception, an exclusive option could never be chosen.
    if (value.length < min && exclusive === undefined) return outsideSettings('tooFewOptions', { count: min })
    return undefined
  }
}

function likertCheck(settings: FieldSettings): AnswerCheck {
  const statements = new Map((settings.statements ?? []).map((statement) => [statement.key, statement.label]))
  const points = new Set<unknown>((settings.scale ?? []).map((point) => point.value))
  const kinds = new Set([...points].map((value) => typeof value))
  const all = listedOptions([...points])
  return (value) => {
    if (!isObject(value)) return wrongType('notStatements')
    for (const key in value) {
      const answer = value[key]
      const statement = statements.get(key)
      if (statement === undefined) return outsideSettings('noStatement', { statement: key })
      if (answer === null) {
        if (!settings.allowNotApplicable) return outsideSettings('notApplicable', { statement })
      } else if (!points.has(answer)) {
        const problem = kinds.has(typeof answer as 'string') ? outsideSettings : wrongType
        return all.count > LISTED
          ? problem('noPointOfMany', { ...all, statement })
          : problem('noPoint', { options: all.options, statement })
      }
    }
    return undefined
  }
}

function tableCheck(settings: FieldSettings): AnswerCheck {
  const columns = new Map((settings.columns ?? []).map((column) => [column.id, { column, check: valueCheck(column) }]))
  const min = settings.minRows ?? 0
  const max = settings.maxRows ?? 1000
  return (value, at) => {
    if (!Array.isArray(value)) return wrongType('notRows')
    for (let i = 0; i < value.length; i++) {
      const row: unknown = value[i]
      if (!isObject(row)) return wrongType('notRow', { row: i + 1 })
      for (const id in row) {
        const cell = columns.get(id)
        if (!cell) return outsideSettings('noColumn', { column: id, row: i + 1 })
        if (isBlankFor(cell.column, row[id])) continue
        const answerProblem = cell.check(row[id], at)
        if (answerProblem) return inCell(i + 1, cell.column.label, answerProblem)
      }
    }
    if (value.length < min) return outsideSettings('tooFewRows', { count: min })
    if (value.length > max) return outsideSettings('tooManyRows', { count: max })
    return undefined
  }
}

const fileCheck: AnswerCheck = (value) => {
  if (!isObject(value)) return wrongType('notFile')
  for (const key in value) if (key !== 'fileName' && key !== 'name') return wrongType('notFile')
  const { fileName, name } = value
  if (typeof fileName !== 'string' || fileName === '' || fileName.length > 500) return wrongType('notFile')
  if (name != null && (typeof name !== 'string' || name.length > 500)) return wrongType('notFile')
  return undefined
}

/**
 * Returns the check of answers to a data type or table column; build it once. The check takes values that are not blank, and
 * returns a problem without the field's name: "must be from 0 to 10". See docs/data-types.md, "How values are checked".
 */
export function valueCheck(settings: FieldSettings): AnswerCheck {
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
      return () => outsideSettings('computed')
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
