/** The sheets of an XLSForm, as a workbook. */
import { utils, write } from 'xlsx'

/** A row of a sheet, by column. */
export type Row = Record<string, string>
export type Sheets = { survey: Row[]; choices: Row[]; settings: Row }

/** The columns of the survey that come first. */
const surveyColumns = [
  'type',
  'name',
  'label',
  'hint',
  'required',
  'relevant',
  'constraint',
  'calculation',
  'appearance',
  'parameters',
  'repeat_count',
]

/** The workbook with these sheets. Each row may have columns of its own, which follow the usual ones. */
export function workbookOf({ survey, choices, settings }: Sheets): Uint8Array {
  const book = utils.book_new()
  const add = (name: string, rows: Row[], columns: string[]) => {
    const used = new Set(columns)
    for (const row of rows) for (const column of Object.keys(row)) used.add(column)
    const header = [...used]
    const table = [header, ...rows.map((row) => header.map((column) => row[column] ?? null))]
    utils.book_append_sheet(book, utils.aoa_to_sheet(table), name)
  }
  add('survey', survey, surveyColumns)
  add('choices', choices, ['list_name', 'name', 'label'])
  add('settings', [settings], ['form_title', 'form_id'])
  return new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer)
}
