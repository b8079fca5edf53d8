import { numberedRowsOf } from '#documents/csv'
import type { Work } from '#jobs/work'
import { isUnreadable } from '#kernel/fault'
import { refuse } from '#kernel/problem'
import { unescapeFormula } from '#writers/csv'
import { MOST_ROWS } from './model'
import type { CsvPart, ReadResult, ReadTask } from './task'

/** Rows in one message: to receive many at once would hold the requests of others. */
const ROWS = 500

/**
 * Reads a csv as headers and rows of cells, and reports the rows in parts. Texts that our csv writer escaped, so that no spreadsheet
 * computes them, are restored.
 */
export const readWork: Work<ReadTask, ReadResult> = ({ csv }, { report }) => {
  try {
    const [first, ...rows] = numberedRowsOf(csv, MOST_ROWS + 1)
    const headers = (first?.cells ?? []).map((header) => header.trim())
    for (let from = 0; from < rows.length; from += ROWS) {
      const some = rows.slice(from, from + ROWS)
      const part: CsvPart = {
        headers,
        rows: some.map(({ line, cells }) => ({ line, cells: cells.map(unescapeFormula) })),
      }
      report(part)
    }
    return { headers, count: rows.length }
  } catch (error) {
    throw isUnreadable(error) ? refuse.bad(error.reason) : error
  }
}
