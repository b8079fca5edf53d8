/** Reads the rows of REDCap data dictionaries. */

import type { Warning } from '#design/stages/importPlan'
import { isFormatted, titleFromName, toPlainText } from '#documents/texts'
import type { Draft, DraftField, DraftItem, DraftStage } from '#exchange/imports/common/draft'
import { valueOfCode } from '#exchange/imports/common/fields'
import { type RedcapRow, redcapRows } from './columns'
import { choicesOf, conditionalOf, fieldFrom } from './field'
import { annotationOf } from './tags'

/** Columns without an equivalent here. */
const UNSUPPORTED_COLUMNS = { custom_alignment: 'Custom Alignment', question_number: 'Question Number' } as const

/** Reads a dictionary. @param table the cells of the file; the headings are the first row */
export function draftFromRedcap(table: string[][]): Draft {
  const { rows, unknown } = redcapRows(table)
  const warnings: Warning[] = unknown.map((heading) => ({
    field: heading,
    problem: 'The column is not known and was left out.',
  }))
  for (const [column, heading] of Object.entries(UNSUPPORTED_COLUMNS) as [keyof typeof UNSUPPORTED_COLUMNS, string][]) {
    const count = rows.filter((row) => row[column] !== '').length
    if (count) warnings.push({ field: heading, problem: `It is not carried over (set for ${count} fields).` })
  }
  const texts = ['section_header', 'field_label', 'select_choices_or_calculations', 'field_note'] as const
  const formatted = rows.filter((row) =>
    texts.some((column) => row.field_type !== 'calc' && isFormatted(row[column])),
  ).length
  if (formatted)
    warnings.push({ field: 'HTML', problem: `Formatting of texts is not carried over (${formatted} fields).` })
  const named = rows.filter((row) => row.field_name !== '')
  if (named.length < rows.length) {
    warnings.push({ field: '', problem: `${rows.length - named.length} rows without a variable name were left out.` })
  }
  return draftFromRows(named, warnings)
}

/** Makes a draft of the rows: one stage for each form. The warnings are added to `warnings`, which the draft then has. */
export function draftFromRows(rows: readonly RedcapRow[], warnings: Warning[]): Draft {
  const stages = new Map<string, DraftStage>()
  for (let at = 0; at < rows.length; ) {
    const row = rows[at]!
    const form = row.form_name || 'form'
    let stage = stages.get(form)
    if (!stage) stages.set(form, (stage = { source: form, name: titleFromName(form), items: [] }))
    const matrix = matrixAt(rows, at)
    const isLikert = row.matrix_group_name !== '' && canBeLikert(matrix, warnings)
    const items = isLikert ? [likertOf(matrix, warnings)] : matrix.flatMap((each) => itemOf(each, warnings))
    if (row.section_header && !isLikert) {
      stage.items.push({ kind: 'heading', source: row.field_name, title: toPlainText(row.section_header) })
    }
    for (const item of items) if (item.extra?.stage) stage.extra = item.extra.stage
    stage.items.push(...items)
    at += matrix.length
  }
  return { stages: [...stages.values()], warnings }
}

/** The item of a row. A text that REDCap hides is no item. */
function itemOf(row: RedcapRow, warnings: Warning[]): DraftItem[] {
  const report = (problem: string) => void warnings.push({ field: row.field_name, problem })
  const { extra, tags, rest, isHidden } = annotationOf(row.field_annotation)
  // A condition in a note is complete, and replaces the branching logic.
  const conditional = extra?.component?.condition === undefined ? conditionalOf(row) : {}
  if (row.field_type.toLowerCase() !== 'descriptive') return [{ ...fieldFrom(row, report), ...conditional }]
  if (isHidden && !extra) {
    report('Its text is hidden in REDCap and was left out.')
    return []
  }
  if (tags.length) report(`Its action tags do nothing here: ${tags.join(', ')}.`)
  else if (rest) report(`Its annotation was left out: ${rest}`)
  const note = toPlainText(row.field_note)
  const title = toPlainText(row.field_label)
  return [
    {
      kind: 'heading',
      source: row.field_name,
      title,
      ...(note ? { note } : {}),
      ...(extra ? { extra } : {}),
      ...conditional,
    },
  ]
}

/** The rows of the matrix that begins at this row; a single row if none begins there. */
function matrixAt(rows: readonly RedcapRow[], at: number): RedcapRow[] {
  const first = rows[at]!
  const found = [first]
  if (first.matrix_group_name === '') return found
  const goesOn = (row: RedcapRow | undefined) =>
    row?.matrix_group_name === first.matrix_group_name && row.form_name === first.form_name && !row.section_header
  for (let next = at + 1; goesOn(rows[next]); next++) found.push(rows[next]!)
  return found
}

/** The reason why a matrix cannot be a Likert; undefined if it can. */
function whyNotLikert(rows: readonly RedcapRow[]): string | undefined {
  const [first] = rows as [RedcapRow]
  const differs = (column: keyof RedcapRow) => rows.some((row) => row[column] !== first[column])
  if (rows.some(({ field_type }) => field_type.toLowerCase() !== 'radio'))
    return 'several answers to a row are possible'
  if (differs('select_choices_or_calculations')) return 'its rows have different choices'
  if (differs('branching_logic')) return 'its rows are shown by different branching logic'
  const hidden = rows.filter((row) => annotationOf(row.field_annotation).isHidden).length
  if (hidden && hidden < rows.length) return 'only some of its rows are hidden'
  const isTooLarge = rows.length > 200 || choicesOf(first.select_choices_or_calculations).length > 100
  return isTooLarge ? 'it is too large' : undefined
}

/** Whether a matrix can be a Likert. Adds a warning with the reason if not. */
function canBeLikert(rows: readonly RedcapRow[], warnings: Warning[]): boolean {
  const why = whyNotLikert(rows)
  if (why === undefined) return true
  warnings.push({ field: rows[0]!.matrix_group_name, problem: `The matrix became single questions, as ${why}.` })
  return false
}

/** Makes a Likert of a matrix with one answer in each row. The keys of its statements are the variables of the rows. */
function likertOf(rows: readonly RedcapRow[], warnings: Warning[]): DraftField {
  const [first] = rows as [RedcapRow]
  const group = first.matrix_group_name
  const report = (problem: string) => void warnings.push({ field: group, problem })
  const { extra, isHidden } = annotationOf(first.field_annotation)
  const required = rows.filter(({ required_field }) => /^y/i.test(required_field))
  if (required.length && required.length < rows.length) {
    report(`Only ${required.map((row) => row.field_name).join(', ')} must be answered; no row of the Likert must be.`)
  }
  if (rows.some(({ matrix_ranking }) => /^y/i.test(matrix_ranking))) report('Its ranking is not enforced here.')
  const annotations = rows.map((row) => annotationOf(row.field_annotation).rest)
  for (const [place, row] of rows.entries()) {
    const { tags, rest } = annotationOf(row.field_annotation)
    if (tags.length) report(`Action tags of ${row.field_name} do nothing here: ${tags.join(', ')}.`)
    else if (place && rest && rest !== annotations[0])
      report(`The annotation of ${row.field_name} was left out: ${rest}`)
    if (row.field_note && row !== first)
      report(`The note of ${row.field_name} was left out: ${toPlainText(row.field_note)}`)
  }
  const scale = choicesOf(first.select_choices_or_calculations).map(({ label, code }) => ({
    value: valueOfCode(code),
    label,
  }))
  const found = rows.map((row) => ({ key: row.field_name, label: toPlainText(row.field_label) }))
  const statements = notedStatements(found, extra?.type?.statements)
  const field: DraftField = {
    kind: 'field',
    source: group,
    title: toPlainText(first.section_header) || titleFromName(group),
    format: 'likert',
    settings: { scale, statements },
    rows: rows.map((row, place) => ({ source: row.field_name, key: statements[place]!.key })),
    ...conditionalOf(first),
  }
  const note = toPlainText(first.field_note)
  if (note) field.note = note
  if (required.length === rows.length) field.isRequired = true
  if (rows.some(({ identifier }) => /^y/i.test(identifier))) field.isPii = true
  if (isHidden) field.isHidden = true
  if (annotations[0]) field.annotation = annotations[0]
  if (extra) field.extra = extra
  return field
}

type Statement = { key: string; label: string }

/** The statements of the note of an export if there are as many, else those of the rows. */
const notedStatements = (found: Statement[], noted: unknown): Statement[] =>
  Array.isArray(noted) && noted.length === found.length && noted.every((each) => typeof each?.key === 'string')
    ? (noted as Statement[])
    : found
