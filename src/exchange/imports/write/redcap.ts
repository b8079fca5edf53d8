/** A plan as a REDCap data dictionary. */

import type { ImportPlan, PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { assemble } from '#exchange/imports/assemble'
import type { Extra } from '#exchange/imports/draft'
import { type Extras, extrasOf, extraText } from '#exchange/imports/extras'
import { draftFromRows } from '#exchange/imports/redcap'
import { columns, headings, patterns, type RedcapRow } from '#exchange/imports/redcapColumns'
import { escaped, heading } from '#exchange/imports/texts'
import { csvText } from '#writers/csv'
import { codesOf, typeOf, typesOf, unique } from './answers'
import { calculationText, conditionText, type Dialect, quote } from './expressions'
import { namesOf } from './names'
import type { Written } from './written'

const blank = Object.fromEntries(columns.map((column) => [column, ''])) as RedcapRow

const slug = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 60) || 'form'

/** REDCap's expressions. @param names variables by code, or by code and statement */
const dialect = (names: ReadonlyMap<string, string>): Dialect => ({
  field: (code, statement) => {
    const name = names.get(statement === undefined ? code : `${code}.${statement}`)
    return name === undefined ? undefined : `[${name}]`
  },
  text: quote,
  chosen: (field, option, among) => `${field.slice(0, -1)}(${option})] = ${among ? "'1'" : "'0'"}`,
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

const bound = (value: unknown) =>
  value == null ? '' : String(value).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2')

/** Bounds; where the past or the future is excluded, by the word REDCap has for it. */
const bounds = ({ min, max, allowPast, allowFuture }: PlannedType) => ({
  text_validation_min: min == null && allowPast === false ? 'today' : bound(min),
  text_validation_max: max == null && allowFuture === false ? 'today' : bound(max),
})

const choices = ({ options }: PlannedType) =>
  codesOf(options)
    .map((code, place) => `${code}, ${escaped(options![place]!.label)}`)
    .join(' | ')

function tags({ options, maxSelected, maxLength }: PlannedType): string[] {
  const alone = codesOf(options).filter((_, place) => options![place]!.isExclusive)
  return [
    ...(alone.length ? [`@NONEOFTHEABOVE='${alone.join(',')}'`] : []),
    ...(maxSelected ? [`@MAXCHECKED=${maxSelected}`] : []),
    ...(maxLength ? [`@CHARLIMIT=${maxLength}`] : []),
  ]
}

/** What the format of a data type is in a dictionary. */
function typed(type: PlannedType, inOwn: (expression: string) => string | undefined): Partial<RedcapRow> {
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
      return { field_type: 'calc', select_choices_or_calculations: inOwn(type.expression ?? '') ?? "''" }
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

/** The rows of a plan; `noted` is what the dictionary cannot say by itself. */
function rowsOf(plan: ImportPlan, noted?: Extras): RedcapRow[] {
  const types = typesOf(plan)
  const formName = unique(slug)
  const variable = unique((name) => name.toLowerCase().replace(/[^a-z0-9_]/g, '_'))
  const names = namesOf(plan, types, variable)
  const rows: RedcapRow[] = []
  plan.stages.forEach((stage, n) => {
    const own = dialect(names.within(n))
    const form = formName(stage.name)
    const begin = rows.length
    let header: string | undefined
    stage.components.forEach((component, m) => {
      const type = typeOf(types, component)
      const extra: Extra = { ...noted?.components[n]?.[m] }
      if (m === 0 && noted?.stages[n]) extra.stage = noted.stages[n]
      const isNoted = Object.keys(extra).length > 0
      const next = stage.components[m + 1]
      if (
        !type &&
        !isNoted &&
        isPlain(component) &&
        next &&
        typeOf(types, next) &&
        typeOf(types, next)!.format !== 'likert'
      ) {
        header = heading(component.title)
        return
      }
      const made = rowsFor(component, type, names.of(n, m), own, types)
      if (isNoted) annotate(made[0]!, extra)
      if (header !== undefined) made[0]!.section_header = header
      header = undefined
      rows.push(...made.map((row) => ({ ...row, form_name: form })))
    })
    if (rows.length === begin) {
      const row = { ...blank, field_name: variable(`${form}_empty`), form_name: form, field_type: 'descriptive' }
      annotate(row, { none: true, ...(noted?.stages[n] ? { stage: noted.stages[n] } : {}) })
      rows.push(row)
    }
  })
  return rows
}

/** A heading that the row after it can carry as its section header. */
const isPlain = ({ description, condition }: PlannedComponent) => !description && !condition

function annotate(row: RedcapRow, extra: Extra): void {
  row.field_annotation = [row.field_annotation, `@TRIALBOX=${extraText(extra)}`].filter(Boolean).join(' ')
}

function rowsFor(
  component: PlannedComponent,
  type: PlannedType | undefined,
  names: readonly string[],
  own: Dialect,
  types: ReadonlyMap<string, PlannedType>,
): RedcapRow[] {
  const common: RedcapRow = {
    ...blank,
    field_name: names[0]!,
    field_label: heading(component.title),
    field_note: escaped(component.description ?? ''),
    branching_logic: conditionText(component.condition, types, own) ?? '',
  }
  if (!type) return [{ ...common, field_type: 'descriptive' }]
  const row: RedcapRow = {
    ...common,
    identifier: type.isPii ? 'y' : '',
    required_field: component.isRequired ? 'y' : '',
    field_annotation: [type.description ?? '', ...tags(type)].filter(Boolean).join(' '),
  }
  if (type.format !== 'likert' || !type.statements?.length || !type.scale?.length) {
    return [{ ...row, ...typed(type, (expression) => calculationText(expression, types, own)) }]
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

/** The dictionary of a plan as CSV, in REDCap's own columns. What REDCap cannot hold is in its field annotations. */
export function writeRedcap(plan: ImportPlan): Written {
  const draft = draftFromRows(rowsOf(plan), [])
  const noted = extrasOf(plan, assemble(draft, true), false)
  const rows = rowsOf(plan, noted)
  const content = csvText(
    {
      name: 'dictionary',
      columns: columns.map((column) => ({ header: headings[column] })),
      rows: rows.map((row) => columns.map((column) => row[column] || null)),
    },
    // A formula would be read as text again by REDCap, with the apostrophe.
    { escapeFormulas: false },
  )
  return { content, noted }
}
