/** The rows of the components of a stage in an XLSForm. */
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import type { PlannedComponent, PlannedType } from '#design/stages/importPlan'
import type { typesOf } from '#exchange/imports/common/extras'
import { typeOf } from './answers'
import { calculationText, conditionText, type Dialect } from './expressions'
import { inXml, translated, validText } from './xlsformCells'
import type { choiceLists } from './xlsformChoices'
import type { Row } from './xlsformSheets'
import { constraintOf } from './xpath'

/** A form while it is written. @param freeName returns a name that no other row has */
export type Form = {
  types: ReturnType<typeof typesOf>
  lists: ReturnType<typeof choiceLists>
  freeName(wanted: string): string
}

const typeWords: Partial<Record<Format, string>> = {
  integer: 'integer',
  rating: 'integer',
  float: 'decimal',
  measurements: 'decimal',
  date: 'date',
  datetime: 'dateTime',
  time: 'time',
  file: 'file',
  image: 'image',
  video: 'video',
  calculation: 'calculate',
}

/** @param names of the component and of the statements of a Likert */
export function rowsOf(form: Form, component: PlannedComponent, names: readonly string[], dialect: Dialect): Row[] {
  const name = names[0]!
  const relevant = inXml(conditionText(component.condition, form.types, dialect))
  const row: Row = {
    name,
    label: validText(component.title),
    ...translated('label', component, 'title'),
    ...(component.description ? { hint: validText(component.description) } : {}),
    ...translated('hint', component, 'description'),
    ...(relevant ? { relevant } : {}),
  }
  const type = typeOf(form.types, component)
  if (!type) return [{ type: 'note', ...row }]
  const required: Row = component.isRequired ? { required: 'yes' } : {}
  if (type.format === 'likert' && type.scale?.length && type.statements?.length) {
    const rows = statementRows(form, type, names).map((each) => ({ ...each, ...required }))
    return [{ type: 'begin group', ...row, appearance: 'table-list' }, ...rows, { type: 'end group', name }]
  }
  if (type.format === 'table' && type.columns?.length) {
    const isFixed = type.minRows != null && type.minRows === type.maxRows
    const repeat: Row = isFixed ? { repeat_count: String(type.minRows) } : {}
    const columns = columnRows(form, type, name)
    return [{ type: 'begin repeat', ...row, ...required, ...repeat }, ...columns, { type: 'end repeat', name }]
  }
  const calculation: Row =
    type.format === 'calculation'
      ? { calculation: inXml(calculationText(type.expression ?? '', form.types, dialect)) ?? "''" }
      : {}
  return [{ ...row, ...required, ...typeCells(form, name, type), ...calculation }]
}

function statementRows({ lists }: Form, { scale, statements }: PlannedType, names: readonly string[]): Row[] {
  const list = lists.ofScale(names[0]!, scale!)
  return statements!.map((statement, place) => ({
    type: `select_one ${list}`,
    name: names[place + 1]!,
    label: validText(statement.label),
    ...translated('label', statement, 'label'),
  }))
}

const columnRows = (form: Form, { columns }: PlannedType, table: string): Row[] =>
  columns!.map((column) => ({
    ...typeCells(form, `${table}_${column.id}`, column),
    name: form.freeName(column.id),
    label: validText(column.label),
    ...translated('label', column, 'label'),
  }))

/** The cells that say how a question is answered. @param name by which a list of its choices is called */
function typeCells({ lists }: Form, name: string, type: { format: Format } & DataTypeSettings): Row {
  const constraint = inXml(constraintOf(type))
  const rest: Row = constraint ? { constraint } : {}
  if (type.format === 'choice')
    return { ...rest, type: `${type.multiple ? 'select_multiple' : 'select_one'} ${lists.ofOptions(name, type)}` }
  if (type.format === 'paragraph') return { ...rest, type: 'text', appearance: 'multiline' }
  if (type.format === 'slider') {
    const { min = 1, max = 10, step = 1 } = type
    return { type: 'range', parameters: `start=${min} end=${max} step=${step}` }
  }
  if (type.format === 'file' && type.mimeTypes?.join() === 'audio/*') return { type: 'audio' }
  return { ...rest, type: typeWords[type.format] ?? 'text' }
}
