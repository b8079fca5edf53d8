/** The columns of a REDCap data dictionary, and the validations of its text fields. */
import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { cut } from '#kernel/text'

/** The headings of the downloaded dictionary, by the names of the columns in the export of REDCap's API. */
export const headings = {
  field_name: 'Variable / Field Name',
  form_name: 'Form Name',
  section_header: 'Section Header',
  field_type: 'Field Type',
  field_label: 'Field Label',
  select_choices_or_calculations: 'Choices, Calculations, OR Slider Labels',
  field_note: 'Field Note',
  text_validation_type_or_show_slider_number: 'Text Validation Type OR Show Slider Number',
  text_validation_min: 'Text Validation Min',
  text_validation_max: 'Text Validation Max',
  identifier: 'Identifier?',
  branching_logic: 'Branching Logic (Show field only if...)',
  required_field: 'Required Field?',
  custom_alignment: 'Custom Alignment',
  question_number: 'Question Number (surveys only)',
  matrix_group_name: 'Matrix Group Name',
  matrix_ranking: 'Matrix Ranking?',
  field_annotation: 'Field Annotation',
} as const
export type Column = keyof typeof headings
export const columns = Object.keys(headings) as Column[]

export type RedcapRow = Record<Column, string>
export const blankRow = Object.fromEntries(columns.map((column) => [column, ''])) as RedcapRow

/** A heading without signs and in lower case: their spelling differs between versions. */
const bare = (heading: string) => heading.toLowerCase().replace(/[^a-z]/g, '')
/** Headings of older versions of REDCap. */
const OLDER_HEADINGS: Record<string, Column> = {
  choicesorcalculations: 'select_choices_or_calculations',
  textvalidationtype: 'text_validation_type_or_show_slider_number',
  branchinglogic: 'branching_logic',
  questionnumber: 'question_number',
  fieldunits: 'field_note',
}
const byHeading = new Map<string, Column>([
  ...columns.flatMap((column): [string, Column][] => [
    [bare(column), column],
    [bare(headings[column]), column],
  ]),
  ...Object.entries(OLDER_HEADINGS),
])
const REQUIRED_COLUMNS: Column[] = ['field_name', 'form_name', 'field_type', 'field_label']

/**
 * The rows of a dictionary by column, and the headings of unknown columns. Throws an `unreadable` that names the
 * missing columns.
 */
export function redcapRows(table: string[][]): { rows: RedcapRow[]; unknown: string[] } {
  const [header, ...body] = table
  if (!header) throw unreadable(reason('dictionaryEmpty'))
  const places = new Map<Column, number>()
  const unknown: string[] = []
  header.forEach((heading, place) => {
    const column = byHeading.get(bare(heading))
    if (column && !places.has(column)) places.set(column, place)
    else if (heading.trim()) unknown.push(heading.trim())
  })
  const missing = REQUIRED_COLUMNS.filter((column) => !places.has(column)).map((column) => `“${headings[column]}”`)
  if (missing.length && header[0]?.trimStart().startsWith('<')) throw unreadable(reason('xmlOfRedcap'))
  if (missing.length) {
    const code = missing.length > 1 ? 'dictionaryColumnsMissing' : 'dictionaryColumnMissing'
    throw unreadable(reason(code, { columns: missing }))
  }
  if (!body.length) throw unreadable(reason('dictionaryWithoutFields'))
  // Of a text with a comma that is not quoted, each later cell is in the column of another.
  const wide = body.find((cells) => cells.length > header.length)
  if (wide) throw unreadable(reason('rowTooWide', { name: cut(wide[places.get('field_name')!]?.trim() ?? '', 100) }))
  const rows = body.map((cells) => {
    const row = { ...blankRow }
    for (const [column, place] of places) row[column] = (cells[place] ?? '').trim()
    return row
  })
  return { rows, unknown }
}

/** The patterns of validations by their names in REDCap. */
export const patterns: Record<string, string> = {
  email: '[^@\\s]+@[^@\\s]+\\.[^@\\s]+',
  alpha_only: '[A-Za-z]+',
  zipcode: '\\d{5}(-\\d{4})?',
  ssn: '\\d{3}-\\d{2}-\\d{4}',
  mrn_10d: '\\d{10}',
  postalcode_canada: '[A-Za-z]\\d[A-Za-z] ?\\d[A-Za-z]\\d',
  postalcode_australia: '\\d{4}',
  postalcode_germany: '\\d{5}',
  postalcode_french: '\\d{5}',
  vmrn: '\\d{10}',
}

/** Options of REDCap's yes-no and true-false fields. */
export const yesNo = [
  { label: 'Yes', code: '1' },
  { label: 'No', code: '0' },
]
export const trueFalse = [
  { label: 'True', code: '1' },
  { label: 'False', code: '0' },
]
