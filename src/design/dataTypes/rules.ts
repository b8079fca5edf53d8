/** The rules of data types: which settings each format has, and which settings are valid. */

import { momentOf, secondsOf } from '#kernel/calendar'
import { at, type Reason, reason } from '#kernel/refusals/reason'
import { isTimeOfDay } from '#kernel/time'
import { compileExpression } from './expressions'
import type { DataTypeSettings, FieldSettings, Format, TableColumn } from './model'
import { PATTERN_LENGTH } from './pattern'
import { expressionReason, patternReason } from './problemReasons'
import { isBlank } from './values'

export { codeFrom } from './codes'
export { settingsLosses } from './settingsLosses'
export { isBlank, normalise, valueCheck } from './values'

type SettingName = keyof DataTypeSettings
type ReportProblem = (field: SettingName, problem: Reason) => void

const texts: SettingName[] = ['minLength', 'maxLength', 'pattern']
const numbers: SettingName[] = ['min', 'max', 'step', 'decimals']
const moments: SettingName[] = ['min', 'max', 'allowPast', 'allowFuture']
const files: SettingName[] = ['mimeTypes', 'maxSize']

/** The settings of each format (docs/data-types.md, "Value formats"). */
export const settingsOf: Record<Format, readonly SettingName[]> = {
  text: texts,
  paragraph: texts,
  integer: numbers,
  float: numbers,
  measurements: numbers,
  slider: [...numbers, 'minLabel', 'maxLabel'],
  rating: [...numbers, 'minLabel', 'maxLabel'],
  date: moments,
  datetime: moments,
  time: moments,
  choice: ['options', 'multiple', 'minSelected', 'maxSelected'],
  likert: ['scale', 'statements', 'allowNotApplicable'],
  table: ['columns', 'minRows', 'maxRows'],
  bmi: ['minHeight', 'maxHeight', 'minWeight', 'maxWeight'],
  file: files,
  image: files,
  video: files,
  calculation: ['expression', 'decimals'],
}

const CODE = /^[A-Za-z][A-Za-z0-9_]{0,31}$/

/** The problem of a code; undefined if there is none. */
export const codeProblem = (code: string): Reason | undefined => (CODE.test(code) ? undefined : reason('notCode'))

const everySetting = [...new Set(Object.values(settingsOf).flat())]

/** The entries that occur more than once, ignoring case. */
function duplicatesIn(entries: unknown[]): string[] {
  const keys = new Set<string>()
  const twice = new Set<string>()
  for (const entry of entries) {
    const key = String(entry).toLowerCase()
    if (keys.has(key)) twice.add(String(entry))
    keys.add(key)
  }
  return [...twice]
}

type Twice = 'labelTwice' | 'optionCodeTwice' | 'valueTwice' | 'keyTwice' | 'idTwice'

const reportDuplicates = (entries: unknown[], code: Twice, field: SettingName, report: ReportProblem) => {
  for (const value of duplicatesIn(entries)) report(field, reason(code, { value }))
}

/** Reports a minimum that is greater than its maximum. */
function checkOrder(
  settings: FieldSettings,
  low: SettingName,
  high: SettingName,
  report: ReportProblem,
  size = (bound: unknown) => Number(bound),
) {
  if (settings[low] == null || settings[high] == null) return
  if (size(settings[low]) > size(settings[high])) report(low, reason('notMoreThan', { other: high }))
}

function checkNumbers(settings: FieldSettings, report: ReportProblem) {
  for (const bound of ['min', 'max'] as const) {
    if (settings[bound] != null && typeof settings[bound] !== 'number') report(bound, reason('notNumber'))
  }
  if (typeof settings.min === 'number' && typeof settings.max === 'number') checkOrder(settings, 'min', 'max', report)
  if (settings.step != null && !(settings.step > 0)) report('step', reason('notMoreThanZero'))
}

function checkMoments(settings: FieldSettings, report: ReportProblem) {
  const isTime = settings.format === 'time'
  const size = (bound: unknown) => (isTime ? secondsOf(bound as string) : momentOf(bound as string)!)
  let areValid = true
  for (const bound of ['min', 'max'] as const) {
    const value = settings[bound]
    if (value == null) continue
    if (typeof value === 'string' && (isTime ? isTimeOfDay(value) : momentOf(value) !== undefined)) continue
    areValid = false
    report(bound, reason(isTime ? 'notTimeBound' : 'notDateBound'))
  }
  if (areValid) checkOrder(settings, 'min', 'max', report, size)
  if (settings.format === 'datetime' && settings.allowPast === false && settings.allowFuture === false) {
    report('allowFuture', reason('noTimeAllowed'))
  }
}

function checkTexts(settings: FieldSettings, report: ReportProblem) {
  checkOrder(settings, 'minLength', 'maxLength', report)
  if (!settings.pattern) return
  const problem = patternReason(settings.pattern, settings.maxLength ?? PATTERN_LENGTH)
  if (problem) report('pattern', problem)
}

function checkChoice(settings: FieldSettings, report: ReportProblem) {
  const options = settings.options ?? []
  if (!options.length) report('options', reason('noOptions'))
  for (const { label } of options) if (isBlank(label)) report('options', reason('optionWithoutLabel'))
  const labels = options.map((option) => option.label)
  const codes = options.flatMap((option) => (option.code == null ? [] : [option.code]))
  reportDuplicates(labels, 'labelTwice', 'options', report)
  reportDuplicates(codes, 'optionCodeTwice', 'options', report)
  checkOrder(settings, 'minSelected', 'maxSelected', report)
  for (const bound of ['minSelected', 'maxSelected'] as const) {
    if ((settings[bound] ?? 0) > options.length) report(bound, reason('moreThanOptions', { most: options.length }))
    if ((settings[bound] ?? 0) > 1 && !settings.multiple) report(bound, reason('severalNeedMultiple'))
  }
}

function checkLikert(settings: FieldSettings, report: ReportProblem) {
  const { scale, statements } = settings
  if (!scale?.length) report('scale', reason('noPoints'))
  if (!statements?.length) report('statements', reason('noStatements'))
  const values = (scale ?? []).map((point) => point.value)
  const labels = (scale ?? []).flatMap((point) => (point.label === '' ? [] : [point.label]))
  const keys = (statements ?? []).map((statement) => statement.key)
  reportDuplicates(values, 'valueTwice', 'scale', report)
  reportDuplicates(labels, 'labelTwice', 'scale', report)
  reportDuplicates(keys, 'keyTwice', 'statements', report)
  if (keys.includes('__proto__')) report('statements', reason('keyNotAllowed', { key: '__proto__' }))
}

const formatsOutsideTables: Format[] = ['table', 'file', 'image', 'video', 'calculation']

function checkTable(settings: FieldSettings, report: ReportProblem) {
  const columns = settings.columns ?? []
  if (!columns.length) report('columns', reason('noColumns'))
  const ids = columns.map((column) => column.id)
  reportDuplicates(ids, 'idTwice', 'columns', report)
  if (ids.includes('__proto__')) report('columns', reason('idNotAllowed', { id: '__proto__' }))
  for (const column of columns) {
    if (formatsOutsideTables.includes(column.format)) {
      report('columns', at(column.id, reason('notAColumnFormat', { format: column.format })))
      continue
    }
    for (const [field, problems] of Object.entries(settingsProblems(column))) {
      for (const problem of problems) report('columns', at(`${column.id}.${field}`, problem))
    }
  }
  checkOrder(settings, 'minRows', 'maxRows', report)
}

function checkBmi(settings: FieldSettings, report: ReportProblem) {
  for (const bound of ['minHeight', 'maxHeight', 'minWeight', 'maxWeight'] as const) {
    if (settings[bound] != null && !(settings[bound] > 0)) report(bound, reason('notMoreThanZero'))
  }
  checkOrder(settings, 'minHeight', 'maxHeight', report)
  checkOrder(settings, 'minWeight', 'maxWeight', report)
}

function checkFiles(settings: FieldSettings, report: ReportProblem) {
  for (const type of settings.mimeTypes ?? []) {
    if (!/^[\w.+-]+\/(?:[\w.+-]+|\*)$/.test(type)) report('mimeTypes', reason('notAMimeType', { type }))
  }
}

function checkCalculation(settings: FieldSettings, report: ReportProblem) {
  if (isBlank(settings.expression)) return report('expression', reason('empty'))
  const compiled = compileExpression(settings.expression!)
  if ('problem' in compiled) report('expression', expressionReason(compiled))
}

const checks: Record<Format, (settings: FieldSettings, report: ReportProblem) => void> = {
  text: checkTexts,
  paragraph: checkTexts,
  integer: checkNumbers,
  float: checkNumbers,
  slider: checkNumbers,
  rating: checkNumbers,
  measurements: checkNumbers,
  date: checkMoments,
  datetime: checkMoments,
  time: checkMoments,
  choice: checkChoice,
  likert: checkLikert,
  table: checkTable,
  bmi: checkBmi,
  file: checkFiles,
  image: checkFiles,
  video: checkFiles,
  calculation: checkCalculation,
}

/** The problems of the settings of a data type or a table's column, by setting; empty if there are none (else 422). */
export function settingsProblems(settings: FieldSettings | TableColumn): Record<string, Reason[]> {
  const problems: Record<string, Reason[]> = {}
  const report: ReportProblem = (field, problem) => void (problems[field] ??= []).push(problem)
  const input = settings as FieldSettings
  const allowedSettings = settingsOf[input.format]
  for (const field of everySetting) {
    if (input[field] != null && !allowedSettings.includes(field))
      report(field, reason('settingOfOtherFormat', { format: input.format, field }))
  }
  checks[input.format](input, report)
  return problems
}
