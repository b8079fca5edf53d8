import { isUnreadable } from '#design/stages/importPlan'
import { numberedRowsOf } from '#exchange/imports/csv'
import type { NumberedRow } from '#exchange/imports/numberedRow'
import type { Work } from '#jobs/work'
import { refuse } from '#kernel/problem'
import { unescapeFormula } from '#writers/csv'
import { MOST_ROWS } from './model'
import type { ReadTask } from './task'

/** A csv as headers and rows of cells. Texts that our csv writer escaped, so that no spreadsheet computes them, are restored. */
export const readWork: Work<ReadTask, { headers: string[]; rows: NumberedRow[] }> = ({ csv }) => {
  try {
    const [first, ...rows] = numberedRowsOf(csv, MOST_ROWS + 1)
    const headers = (first?.cells ?? []).map((header) => header.trim())
    return { headers, rows: rows.map(({ line, cells }) => ({ line, cells: cells.map(unescapeFormula) })) }
  } catch (error) {
    throw isUnreadable(error) ? refuse.bad(error.message) : error
  }
}
