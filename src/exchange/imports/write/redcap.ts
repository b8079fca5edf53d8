/** Writes a plan as a REDCap data dictionary. */

import type { ImportPlan, PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { assemble } from '#exchange/imports/assemble'
import type { Extra } from '#exchange/imports/draft'
import { type Extras, extrasOf, extraText, typesOf } from '#exchange/imports/extras'
import { draftFromRows } from '#exchange/imports/redcap'
import { blankRow, columns, headings, patterns, type RedcapRow } from '#exchange/imports/redcapColumns'
import { escaped, heading } from '#exchange/imports/texts'
import { csvText } from '#writers/csv'
import { codesOf, typeOf, unique } from './answers'
import { calculationText, conditionText, type Dialect, quote } from './expressions'
import { type Names, nameIn, namesOf } from './names'
import type { Written } from './written'

/** The name of a form: lower case letters, digits and underscores. */
const slug = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 60) || 'form'

/** The dialect of REDCap's expressions. */
const redcapDialect = (names: Names): Dialect => ({
  field: (code, statement) => {
    const name = nameIn(names, code, statement)
    return name === undefined ? undefined : `[${name}]`
  },
  text: quote,
  chosen: (field, option, isChosen) => `${field.slice(0, -1)}(${option})] = ${isChosen ? "'1'" : "'0'"}`,
  signs: { '%': 'mod' },
  call(name, values, of) {
    const [first, second] = values
    switch (name) {
      case 'days':
        return `datediff(${first}, ${second ?? "'today'"}, 'd', true)`
      case 'hours':
        return `datediff(${first}, ${second ?? "'now'"}, 'h', true)`
      case 'ceil':
        return `roundup(${first}, 0)`
      case 'floor':
        return `rounddown(${first}, 0)`
      case 'pow':
        return `(${first})^(${second})`
      case 'ln':
        return `log(${first})`
      case 'log10':
        return `log(${first}, 10)`
      case 'abs': {
        // Without its last argument, datediff is absolute.
        const [inner] = of
        const days = inner?.kind === 'call' && inner.name === 'days' ? first!.replace(/, true\)$/, ')') : undefined
        return days ?? `abs(${first})`
      }
      case 'today':
      case 'now':
        return `'${name}'`
      default:
        return ['if', 'round', 'sqrt', 'exp', 'sum', 'min', 'max', 'not', 'mean'].includes(name)
          ? `${name}(${values.join(', ')})`
          : undefined
    }
  },
})

/** A bound as REDCap writes it: a moment with a space and without seconds. */
const bound = (value: unknown) =>
  value == null ? '' : String(value).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2')

/** The columns of the bounds. REDCap writes “not in the past” and “not in the future” with the word today. */
const bounds = ({ min, max, allowPast, allowFuture }: PlannedType) => ({
  text_validation_min: min == null && allowPast === false ? 'today' : bound(min),
  text_validation_max: max == null && allowFuture === false ? 'today' : bound(max),
})

const choices = ({ options }: PlannedType) =>
  codesOf(options)
    .map((code, place) => `${code}, ${escaped(options![place]!.label)}`)
    .join(' | ')

/** The action tags for settings that have no column. */
function tags({ options, maxSelected, maxLength }: PlannedType): string[] {
  const alone = codesOf(options).filter((_, place) => options![place]!.isExclusive)
  return [
    ...(alone.length ? [`@NONEOFTHEABOVE='${alone.join(',')}'`] : []),
    ...(maxSelected ? [`@MAXCHECKED=${maxSelected}`] : []),
    ...(maxLength ? [`@CHARLIMIT=${maxLength}`] : []),
  ]
}

/** The columns of the format of a data type. @param translated returns a calculation in the language of REDCap */
function typed(type: PlannedType, translated: (expression: string) => string | undefined): Partial<RedcapRow> {
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
          type.minLabel || type.maxLabel ? `${escaped(type.minLabel ?? '')} | | ${escaped(type.maxLabel ?? '')}` : '',
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

/** The rows of a plan. @param extras the notes; absent for the export that is read again to find them */
function rowsOf(plan: ImportPlan, extras?: Extras): RedcapRow[] {
  const types = typesOf(plan)
  const formName = unique(slug)
  const variable = unique((name) => name.toLowerCase().replace(/[^a-z0-9_]/g, '_'))
  const names = namesOf(plan, types, variable)
  const rows: RedcapRow[] = []
  plan.stages.forEach((stage, n) => {
    const dialect = redcapDialect(names.within(n))
    const form = formName(stage.name)
    const begin = rows.length
    let header: string | undefined
    stage.components.forEach((component, m) => {
      const type = typeOf(types, component)
      const extra: Extra = { ...extras?.components[n]?.[m] }
      if (m === 0 && extras?.stages[n]) extra.stage = extras.stages[n]
      const isNoted = Object.keys(extra).length > 0
      const next = stage.components[m + 1]
      const nextType = next && typeOf(types, next)
      if (!type && !isNoted && isPlain(component) && nextType && nextType.format !== 'likert') {
        header = heading(component.title)
        return
      }
      const added = rowsFor(component, type, names.of(n, m), dialect, types)
      if (isNoted) annotate(added[0]!, extra)
      if (header !== undefined) added[0]!.section_header = header
      header = undefined
      rows.push(...added.map((row) => ({ ...row, form_name: form })))
    })
    if (rows.length === begin) {
      const row = { ...blankRow, field_name: variable(`${form}_empty`), form_name: form, field_type: 'descriptive' }
      annotate(row, { none: true, ...(extras?.stages[n] ? { stage: extras.stages[n] } : {}) })
      rows.push(row)
    }
  })
  return rows
}

/** Whether a heading can be the section header of the row after it. */
const isPlain = ({ description, condition }: PlannedComponent) => !description && !condition

/** Adds a note to the annotation of a row. */
function annotate(row: RedcapRow, extra: Extra): void {
  row.field_annotation = [row.field_annotation, `@TRIALBOX=${extraText(extra)}`].filter(Boolean).join(' ')
}

/** The row of a component; for a Likert, one row for each statement. */
function rowsFor(
  component: PlannedComponent,
  type: PlannedType | undefined,
  names: readonly string[],
  dialect: Dialect,
  types: ReadonlyMap<string, PlannedType>,
): RedcapRow[] {
  const common: RedcapRow = {
    ...blankRow,
    field_name: names[0]!,
    field_label: heading(component.title),
    field_note: escaped(component.description ?? ''),
    branching_logic: conditionText(component.condition, types, dialect) ?? '',
  }
  if (!type) return [{ ...common, field_type: 'descriptive' }]
  const row: RedcapRow = {
    ...common,
    identifier: type.isPii ? 'y' : '',
    required_field: component.isRequired ? 'y' : '',
    field_annotation: [type.description ?? '', ...tags(type)].filter(Boolean).join(' '),
  }
  if (type.format !== 'likert' || !type.statements?.length || !type.scale?.length) {
    return [{ ...row, ...typed(type, (expression) => calculationText(expression, types, dialect)) }]
  }
  const scale = type.scale.map(({ value, label }) => `${value}, ${escaped(label)}`).join(' | ')
  return type.statements.map(({ label }, place) => ({
    ...row,
    field_name: names[place + 1]!,
    section_header: place ? '' : heading(component.title),
    field_type: 'radio',
    field_label: escaped(label),
    select_choices_or_calculations: scale,
    field_note: place ? '' : row.field_note,
    field_annotation: place ? '' : row.field_annotation,
    matrix_group_name: names[0]!,
  }))
}

/** Writes the dictionary as CSV, with the columns of REDCap. What REDCap cannot hold is in the field annotations. */
export function writeRedcap(plan: ImportPlan): Written {
  const draft = draftFromRows(rowsOf(plan), [])
  const extras = extrasOf(plan, assemble(draft, true), false)
  const rows = rowsOf(plan, extras)
  const content = csvText(
    {
      name: 'dictionary',
      columns: columns.map((column) => ({ header: headings[column] })),
      rows: rows.map((row) => columns.map((column) => row[column] || null)),
    },
    // REDCap would read the apostrophe before a formula as part of the text.
    { escapeFormulas: false },
  )
  return { content, extras }
}
