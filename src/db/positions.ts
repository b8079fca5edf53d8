import { asc, eq } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Id } from '#kernel/id'
import type { Db } from './open'

type Placed = SQLiteTable & { _id: SQLiteColumn; trial: SQLiteColumn; index: SQLiteColumn }

/**
 * Keeps the `index` of a trial's rows at 0, 1, 2, … without gaps: after a row was inserted or is to move, puts it at
 * `at` (the end when that is beyond it); after a deletion, closes the gap. Answers where the row is then.
 */
export function place(db: Db, table: Placed, trial: Id, id?: Id, at = Infinity): number {
  const rows = db
    .select({ _id: table._id, index: table.index })
    .from(table)
    .where(eq(table.trial, trial))
    .orderBy(asc(table.index), asc(table._id))
    .all() as { _id: Id; index: number }[]
  const order = rows.filter(({ _id }) => _id !== id)
  const moved = rows.find(({ _id }) => _id === id)
  if (moved) order.splice(at, 0, moved)
  order.forEach(({ _id, index }, place) => {
    if (index === place) return
    db.update(table)
      .set({ index: place } as never)
      .where(eq(table._id, _id))
      .run()
  })
  return moved ? order.indexOf(moved) : -1
}
