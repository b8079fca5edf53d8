import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Id } from '#kernel/id'
import type { Db } from './open'

type PositionedTable = SQLiteTable & { _id: SQLiteColumn; trial: SQLiteColumn; index: SQLiteColumn }
type Position = { _id: Id; index: number }

/**
 * Keeps the `index` of a trial's rows at 0, 1, 2, … without gaps. Moves the row `id` to the position `at`, or to the end if
 * `at` is larger; without such a row, as after a deletion, closes the gap. Returns the new position, or -1 without a row.
 */
export function placeRow(db: Db, table: PositionedTable, trial: Id, id?: Id, at = Infinity): number {
  const name = getTableName(table)
  const rows = db.$client
    .query<Position, [{ trial: Id }]>(`SELECT _id, "index" FROM "${name}" WHERE trial = $trial ORDER BY "index", _id`)
    .all({ trial })
  const order = rows.filter(({ _id }) => _id !== id)
  const moved = rows.find(({ _id }) => _id === id)
  if (moved) order.splice(at, 0, moved)
  const update = db.$client.query<unknown, [Position]>(`UPDATE "${name}" SET "index" = $index WHERE _id = $_id`)
  order.forEach(({ _id, index }, position) => {
    if (index !== position) update.run({ _id, index: position })
  })
  return moved ? order.indexOf(moved) : -1
}
