/** Writes a plan as a REDCap data dictionary. */

import type { ImportPlan, PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { escapedHeading, escapeForPlainText } from '#documents/texts'
import { assemble } from '#exchange/imports/common/assemble'
import type { ExtraProperties } from '#exchange/imports/common/draft'
import { extrasOf, extraText, type PlanExtras, typesOf } from '#exchange/imports/common/extras'
import { blankRow, columns, headings, type RedcapRow } from '#exchange/imports/redcap/columns'
import { draftFromRows } from '#exchange/imports/redcap/read'
import { hidesField } from '#exchange/imports/redcap/tags'
import { csvText } from '#writers/csv'
import { typeOf, unique } from './answers'
import { calculationText, conditionText, type Dialect, quote, returnsText } from './expressions'
import { type Names, nameIn, namesOf } from './names'
import type { PlanFile } from './planFile'
import { softBounds, tags, typeColumns } from './redcapTypes'

/** The name of a form: lower case letters, digits and underscores. */
const slug = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 60) || 'form'

/** Whether an option of a checkbox field is chosen, or is not. */
const choiceExpression = (field: string, option: string, isChosen: boolean) =>
  `${field.slice(0, -1)}(${option})] = ${isChosen ? "'1'" : "'0'"}`

/** The dialect of REDCap's expressions. */
const redcapDialect = (names: Names): Dialect => ({
  field: (code, statement) => {
    const name = nameIn(names, code, statement)
    return name === undefined ? undefined : `[${name}]`
  },
  text: quote,
  chosen: choiceExpression,
  anyChosen: (field, options) => options.map((option) => choiceExpression(field, option, true)).join(' or '),
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
        return ['if', 'round', 'sqrt', 'exp', 'sum', 'min', 'max', 'not', 'mean', 'length'].includes(name)
          ? `${name}(${values.join(', ')})`
          : undefined
    }
  },
})

/** The rows of a plan. @param extras the notes; absent for the export that is read again to find them */
function rowsOf(plan: ImportPlan, extras?: PlanExtras): RedcapRow[] {
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
      const extra: ExtraProperties = { ...extras?.components[n]?.[m] }
      if (m === 0 && extras?.stages[n]) extra.stage = extras.stages[n]
      const isNoted = Object.keys(extra).length > 0
      const next = stage.components[m + 1]
      const nextType = next && typeOf(types, next)
      if (!type && !isNoted && isPlain(component) && nextType && nextType.format !== 'likert') {
        header = escapedHeading(component.title)
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
function annotate(row: RedcapRow, extra: ExtraProperties): void {
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
    field_label: escapedHeading(component.title),
    field_note: escapeForPlainText(component.description ?? ''),
    branching_logic: conditionText(component.condition, types, dialect) ?? '',
  }
  if (!type) return [{ ...common, field_type: 'descriptive' }]
  const row: RedcapRow = {
    ...common,
    identifier: type.isPii ? 'y' : '',
    required_field: component.isRequired ? 'y' : '',
    field_annotation: [type.annotation ?? '', ...tags(type, component)].filter(Boolean).join(' '),
  }
  if (type.format !== 'likert' || !type.statements?.length || !type.scale?.length) {
    const own = typeColumns(type, (expression) => calculationText(expression, types, dialect))
    const { select_choices_or_calculations: calculation } = own
    // The value of a calculated field of REDCap is a number; a text is computed by an action tag.
    if (own.field_type === 'calc' && returnsText(type.expression ?? ''))
      return [
        { ...row, field_type: 'text', field_annotation: `@CALCTEXT(${calculation}) ${row.field_annotation}`.trim() },
      ]
    return [{ ...row, ...own, ...softBounds(type, component) }]
  }
  const scale = type.scale.map(({ value, label }) => `${value}, ${escapeForPlainText(label)}`).join(' | ')
  return type.statements.map(({ label }, place) => ({
    ...row,
    field_name: names[place + 1]!,
    section_header: place ? '' : escapedHeading(component.title),
    field_type: 'radio',
    field_label: escapeForPlainText(label),
    select_choices_or_calculations: scale,
    field_note: place ? '' : row.field_note,
    // Rows of which only some are hidden would not be read as one matrix.
    field_annotation: !place ? row.field_annotation : hidesField(row.field_annotation) ? '@HIDDEN-SURVEY' : '',
    matrix_group_name: names[0]!,
  }))
}

/** Writes the dictionary as CSV, with the columns of REDCap. What REDCap cannot hold is in the field annotations. */
export function writeRedcap(plan: ImportPlan): PlanFile {
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
