/** The positions that background work has reached, by the name of the work. */
import { cursors } from '#db/tables/index'
import type { Db } from './open'
import { rowWhere, upsert } from './rows'

/** The position; undefined if there is none yet. */
export const cursorOf = (db: Pick<Db, '$client'>, name: string): number | undefined =>
  rowWhere(db, cursors, { name })?.value

export const setCursor = (db: Db, name: string, value: number): void => upsert(db, cursors, { name, value }, 'name')

/** Removes a cursor, unless it has another value by now. */
export const endCursor = (db: Db, name: string, value: number): void =>
  void db.$client
    .query<unknown, [{ name: string; value: number }]>('DELETE FROM cursors WHERE name = +$name AND value = +$value')
    .run({ name, value })
