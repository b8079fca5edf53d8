/** Makes data types of the fields of a draft: with a unique code, and with settings within the bounds. */
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import { PATTERN_LENGTH } from '#design/dataTypes/pattern'
import { patternReason } from '#design/dataTypes/problemReasons'
import { codeFrom, codeProblem, settingsOf, settingsProblems } from '#design/dataTypes/rules'
import type { PlannedType } from '#design/stages/importPlan'
import { excerptOf } from '#documents/texts'
import { placedText } from '#kernel/refusals/reason'
import { cut } from '#kernel/text'
import type { DraftField, Report, Warn } from './draft'

type Options = NonNullable<DataTypeSettings['options']>

/** The maximum number of entries in a setting. */
const MOST_ENTRIES: Partial<Record<keyof DataTypeSettings, number>> = {
  options: 1000,
  statements: 200,
  scale: 100,
  columns: 100,
}

/** The code of a field: its name in the file if that is a valid code which is not taken, else a code made from the name. */
export function codeFor({ source, code, extra }: DraftField, taken: (code: string) => boolean, warn: Warn): string {
  const wanted = typeof extra?.type?.code === 'string' ? extra.type.code : (code ?? source)
  if (!codeProblem(wanted) && !taken(wanted.toLowerCase())) return wanted
  const free = codeFrom(wanted, taken)
  warn(source, `${taken(wanted.toLowerCase()) ? 'Another field has this name; its' : 'Its'} code is ${free}.`)
  return free
}

/** Makes the labels of entries unique, ignoring case: a second “Other” becomes “Other (7)”, with its mark in brackets. */
function makeUnique<T extends { label: string }>(
  entries: readonly T[],
  mark: (entry: T, place: number) => string,
): T[] {
  const labels = new Set<string>()
  return entries.map((entry, place) => {
    let label = entry.label
    for (let n = place; labels.has(label.toLowerCase()); n++) {
      const end = ` (${n === place ? mark(entry, place) : n + 1})`
      label = cut(entry.label, 500 - end.length) + end
    }
    labels.add(label.toLowerCase())
    return label === entry.label ? entry : { ...entry, label }
  })
}

/** The value of a point of a scale: a number if its code is written as one. */
export const valueOfCode = (code: string): number | string =>
  /^-?(?:0|[1-9]\d{0,14})$/.test(code) ? Number(code) : code

/** Makes the labels and codes of options unique, and cuts those that are too long. */
export function validOptions(options: Options, report: Report): Options {
  const codes = new Set<string>()
  const kept = options.flatMap((each): Options => {
    const code = each.code == null ? undefined : String(each.code)
    if (code !== undefined && codes.has(code.toLowerCase())) {
      report(`The code “${code}” occurs twice; the option “${cut(each.label, 100)}” has none.`)
      const { code: _, ...rest } = each
      return [rest]
    }
    if (code !== undefined) codes.add(code.toLowerCase())
    if (code !== undefined && code.length > 100) {
      report(`The code “${cut(code, 60)}…” was cut to 100 characters.`)
      return [{ ...each, code: cut(code, 100) }]
    }
    return [each]
  })
  const named = makeUnique(
    kept.map((each) => {
      const label = each.label.trim() === '' ? String(each.code ?? '?') : each.label
      if (label.length > 500) report(`The option “${cut(label, 60)}…” was cut to 500 characters.`)
      return { ...each, label: cut(label, 500) }
    }),
    (each, place) => String(each.code ?? place + 1),
  )
  const renamed = named.filter((each, place) => each.label !== kept[place]!.label && kept[place]!.label.trim() !== '')
  if (renamed.length)
    report(
      `Options with the same label were told apart: ${renamed.map(({ label }) => `“${cut(label, 60)}”`).join(', ')}.`,
    )
  return named
}

/** The data type as a text: what an import makes of a field whose settings are not possible here. */
const asTextType = (type: PlannedType): PlannedType => {
  const { name, code, description, annotation, unit, isPii } = type
  return {
    name,
    code,
    format: 'text',
    ...(description ? { description } : {}),
    ...(annotation ? { annotation } : {}),
    ...(unit ? { unit } : {}),
    ...(isPii ? { isPii } : {}),
  }
}

/** The data type of a field, without the notes of our own exports. */
export function typeOf(field: DraftField, code: string, warn: Warn): PlannedType {
  const report = (problem: string) => warn(field.source, problem)
  const { title, format, settings, unit, description, annotation, isPii } = field
  const type: PlannedType = {
    name: cut(title, 200).trim() || code,
    code,
    format,
    ...limitSettings(format, settings, report),
  }
  if (description) {
    if (description.length > 5000) report(`Its description was cut from ${description.length} to 5000 characters.`)
    type.description = cut(description, 5000)
  }
  if (annotation) {
    if (annotation.length > 20_000) report('Its annotation was cut to 20,000 characters.')
    type.annotation = cut(annotation, 20_000)
  }
  if (unit) {
    if (unit.length > 50) report(`Its unit was cut to 50 characters.`)
    type.unit = cut(unit, 50)
  }
  if (isPii) type.isPii = true
  for (const [setting, limit] of Object.entries(MOST_ENTRIES)) {
    const length = (type[setting as 'options'] ?? []).length
    if (length <= limit) continue
    report(
      `It has ${length} ${setting === 'options' ? 'options' : 'entries'}, more than the ${limit} that are possible: it is a text here.`,
    )
    return asTextType(type)
  }
  for (const [setting, problems] of Object.entries(settingsProblems(type))) {
    if (format !== 'calculation') report(`${setting} was left out: ${placedText(problems[0]!)}`)
    delete type[setting as 'min']
  }
  if (!Object.keys(settingsProblems(type)).length) return type
  if (format !== 'calculation') report(`It cannot be a ${format} here: it is a text.`)
  return asTextType(type)
}

/** The settings that the format has, cut to their maximum lengths. */
function limitSettings(format: Format, settings: DataTypeSettings, report: Report): DataTypeSettings {
  const kept: Record<string, unknown> = {}
  for (const setting of settingsOf[format]) if (settings[setting] !== undefined) kept[setting] = settings[setting]
  const found = kept as DataTypeSettings
  if (found.options) found.options = validOptions(found.options, report)
  const fitting = (text: string, MOST_ENTRIES: number, what: string) => {
    if (text.length > MOST_ENTRIES) report(`${what} “${cut(text, 60)}…” was cut to ${MOST_ENTRIES} characters.`)
    return cut(text, MOST_ENTRIES)
  }
  const usable = (pattern: string, longest: number | null | undefined, what: string) => {
    const problem = patternReason(pattern, longest ?? PATTERN_LENGTH)
    if (problem)
      report(`${what} is not checked against its pattern ${excerptOf(pattern)}, which was left out: ${problem.text}`)
    return problem ? undefined : pattern
  }
  if (found.scale) {
    const points = found.scale.map((point) => ({ ...point, label: fitting(point.label, 500, 'The label') }))
    found.scale = makeUnique(points, ({ value }) => String(value))
  }
  if (found.statements) {
    found.statements = found.statements.map(({ key, label }) => ({
      key: fitting(key, 100, 'The key'),
      label: fitting(label || key, 2000, 'The statement'),
    }))
  }
  if (found.columns) {
    found.columns = found.columns.map((column) => ({
      ...column,
      ...(column.pattern ? { pattern: usable(column.pattern, column.maxLength, `The column “${column.id}”`) } : {}),
      id: fitting(column.id, 100, 'The id'),
      label: fitting(column.label, 500, 'The column'),
    }))
  }
  for (const setting of ['minLabel', 'maxLabel'] as const) {
    const label = found[setting]
    if (label && label.length > 200) report(`Its ${setting} was cut to 200 characters.`)
    if (label) found[setting] = cut(label, 200)
  }
  if (found.pattern) found.pattern = usable(found.pattern, found.maxLength, 'It')
  return found
}
