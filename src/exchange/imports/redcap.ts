/** REDCap data dictionaries, as downloaded (CSV) or as an instrument archive. */

import type { Warning } from '#design/stages/importPlan'
import type { Draft, DraftField, DraftItem, DraftStage } from './draft'
import { type RedcapRow, redcapRows } from './redcapColumns'
import { annotationOf, choicesOf, fieldFrom, shownBy } from './redcapField'
import { isFormatted, plain, pretty } from './texts'

/** Columns that say nothing about what is asked. */
const unused = { custom_alignment: 'Custom Alignment', question_number: 'Question Number' } as const

/** The instruments of a dictionary. @param table the cells of its file, the heading first */
export function draftFromRedcap(table: string[][]): Draft {
  const { rows, unknown } = redcapRows(table)
  const warnings: Warning[] = unknown.map((heading) => ({
    field: heading,
    problem: 'The column is not known and was left out.',
  }))
  for (const [column, heading] of Object.entries(unused) as [keyof typeof unused, string][]) {
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

/** The instruments of rows, however they were come by. */
export function draftFromRows(rows: readonly RedcapRow[], warnings: Warning[]): Draft {
  const stages = new Map<string, DraftStage>()
  for (let at = 0; at < rows.length; ) {
    const row = rows[at]!
    const form = row.form_name || 'form'
    let stage = stages.get(form)
    if (!stage) stages.set(form, (stage = { source: form, name: pretty(form), items: [] }))
    const run = runAt(rows, at)
    const isLikert = row.matrix_group_name !== '' && isOne(run, warnings)
    const items = isLikert ? [likertOf(run, warnings)] : run.map((each) => itemOf(each, warnings))
    if (row.section_header && !isLikert) {
      stage.items.push({ kind: 'heading', source: row.field_name, title: plain(row.section_header) })
    }
    for (const item of items) if (item.extra?.stage) stage.extra = item.extra.stage
    stage.items.push(...items)
    at += run.length
  }
  return { stages: [...stages.values()], warnings }
}

function itemOf(row: RedcapRow, warnings: Warning[]): DraftItem {
  const tell = (problem: string) => void warnings.push({ field: row.field_name, problem })
  const shown = annotationOf(row.field_annotation).extra?.component?.condition === undefined ? shownBy(row, tell) : {}
  if (row.field_type.toLowerCase() !== 'descriptive') return { ...fieldFrom(row, tell), ...shown }
  const { extra, tags, rest } = annotationOf(row.field_annotation)
  if (tags.length) tell(`Its action tags do nothing here: ${tags.join(', ')}.`)
  else if (rest) tell(`Its annotation was left out: ${rest}`)
  const note = plain(row.field_note)
  const title = plain(row.field_label)
  return {
    kind: 'heading',
    source: row.field_name,
    title,
    ...(note ? { note } : {}),
    ...(extra ? { extra } : {}),
    ...shown,
  }
}

/** The rows of the matrix that begins here; a single row where none does. */
function runAt(rows: readonly RedcapRow[], at: number): RedcapRow[] {
  const first = rows[at]!
  const found = [first]
  if (first.matrix_group_name === '') return found
  const goesOn = (row: RedcapRow | undefined) =>
    row?.matrix_group_name === first.matrix_group_name && row.form_name === first.form_name && !row.section_header
  for (let next = at + 1; goesOn(rows[next]); next++) found.push(rows[next]!)
  return found
}

/** Whether a matrix can be one Likert; why not is told. */
function isOne(rows: readonly RedcapRow[], warnings: Warning[]): boolean {
  const [first] = rows as [RedcapRow]
  const differs = (column: keyof RedcapRow) => rows.some((row) => row[column] !== first[column])
  const why = rows.some(({ field_type }) => field_type.toLowerCase() !== 'radio')
    ? 'several answers to a row are possible'
    : differs('select_choices_or_calculations')
      ? 'its rows have different choices'
      : differs('branching_logic')
        ? 'its rows are shown by different branching logic'
        : rows.length > 200 || choicesOf(first.select_choices_or_calculations).length > 100
          ? 'it is too large'
          : undefined
  if (why === undefined) return true
  warnings.push({ field: first.matrix_group_name, problem: `The matrix became single questions, as ${why}.` })
  return false
}

/** A matrix of single answers as one Likert, whose statements are called by their variables. */
function likertOf(rows: readonly RedcapRow[], warnings: Warning[]): DraftField {
  const [first] = rows as [RedcapRow]
  const group = first.matrix_group_name
  const tell = (problem: string) => void warnings.push({ field: group, problem })
  const { extra } = annotationOf(first.field_annotation)
  const some = (test: (row: RedcapRow) => boolean) => rows.filter(test)
  const required = some(({ required_field }) => /^y/i.test(required_field))
  if (required.length && required.length < rows.length) {
    tell(`Only ${required.map((row) => row.field_name).join(', ')} must be answered; no row of the Likert must be.`)
  }
  if (some(({ matrix_ranking }) => /^y/i.test(matrix_ranking)).length) tell('Its ranking is not enforced here.')
  for (const row of rows) {
    const { tags, rest } = annotationOf(row.field_annotation)
    if (tags.length) tell(`Action tags of ${row.field_name} do nothing here: ${tags.join(', ')}.`)
    else if (rest) tell(`The annotation of ${row.field_name} was left out: ${rest}`)
    if (row.field_note && row !== first) tell(`The note of ${row.field_name} was left out: ${plain(row.field_note)}`)
  }
  const scale = choicesOf(first.select_choices_or_calculations).map(({ label, code }) => ({
    value: /^-?(?:0|[1-9]\d{0,14})$/.test(code) ? Number(code) : code,
    label,
  }))
  const statements = rows.map((row) => ({ key: row.field_name, label: plain(row.field_label) }))
  const field: DraftField = {
    kind: 'field',
    source: group,
    title: plain(first.section_header) || pretty(group),
    format: 'likert',
    settings: { scale, statements: wordedRows(statements, extra?.type?.statements) },
    rows: rows.map((row, place) => ({
      source: row.field_name,
      key: wordedRows(statements, extra?.type?.statements)[place]!.key,
    })),
    ...shownBy(first, tell),
  }
  const note = plain(first.field_note)
  if (note) field.note = note
  if (required.length === rows.length) field.isRequired = true
  if (some(({ identifier }) => /^y/i.test(identifier)).length) field.isPii = true
  if (extra) field.extra = extra
  return field
}

type Statement = { key: string; label: string }

/** The statements under the keys that an export noted for them. */
const wordedRows = (found: Statement[], noted: unknown): Statement[] =>
  Array.isArray(noted) && noted.length === found.length && noted.every((each) => typeof each?.key === 'string')
    ? (noted as Statement[])
    : found
