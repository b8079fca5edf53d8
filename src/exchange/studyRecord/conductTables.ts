/** The tables of a study record about what people noted and planned, and about who had access. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Cell, Sheet } from '#writers/cell'
import { sheet } from '#writers/cell'
import { type ConductRow, type ConductTable, conductColumns, conductQueries, conductRows } from './conductStore'

/** Columns of yes and no. */
const FLAGS = new Set(['isMeeting', 'applyToAllRecurrences'])

const names = Object.keys(conductQueries) as ConductTable[]

/**
 * The tables that have a row, with what there was at the moment `until`. `files`: the stored names of the resources, complete once the rows have
 * been read.
 */
export function conductTables(db: Db, trial: Id, until: Instant): { sheets: Sheet[]; files: Set<string> } {
  const files = new Set<string>()
  const sheets = names.flatMap((name) => {
    const [first] = conductRows(db, name, { trial, until })
    if (!first) return []
    const columns = conductColumns(db, name)
    function* rows(): Generator<Cell[]> {
      for (const row of conductRows(db, name, { trial, until })) {
        if (typeof row.storedName === 'string') files.add(row.storedName)
        yield columns.map((column) => cellOf(row, column))
      }
    }
    return [sheet(name, columns, rows())]
  })
  return { sheets, files }
}

function cellOf(row: ConductRow, column: string): Cell {
  const value = row[column] ?? null
  if (typeof value !== 'number') return value
  if (column.endsWith('At')) return { at: value }
  return FLAGS.has(column) ? value === 1 : value
}
