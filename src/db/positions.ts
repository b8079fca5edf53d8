import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Id } from '#kernel/id'
import type { Db } from './open'

type Placed = SQLiteTable & { _id: SQLiteColumn; trial: SQLiteColumn; index: SQLiteColumn }
type Place = { _id: Id; index: number }

/**
 * Keeps the `index` of a trial's rows at 0, 1, 2, … without gaps: after a row was inserted or is to move, puts it at
 * `at` (the end when that is beyond it); after a deletion, closes the gap. Returns where the row is then.
 */
export function place(db: Db, table: Placed, trial: Id, id?: Id, at = Infinity): number {
  const name = getTableName(table)
  const rows = db.$client
    .query<Place, [{ trial: Id }]>(`SELECT _id, "index" FROM "${name}" WHERE trial = $trial ORDER BY "index", _id`)
    .all({ trial })
  const order = rows.filter(({ _id }) => _id !== id)
  const moved = rows.find(({ _id }) => _id === id)
  if (moved) order.splice(at, 0, moved)
  const put = db.$client.query<unknown, [Place]>(`UPDATE "${name}" SET "index" = $index WHERE _id = $_id`)
  order.forEach(({ _id, index }, place) => {
    if (index !== place) put.run({ _id, index: place })
  })
  return moved ? order.indexOf(moved) : -1
}
