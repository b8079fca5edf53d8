/** The kinds of columns the tables are made of. */
import { integer, text } from 'drizzle-orm/sqlite-core'

export { index, integer, primaryKey, real, sqliteTable as table, text } from 'drizzle-orm/sqlite-core'

/** An `_id`. */
export const key = () => text().primaryKey()
/** A moment in microseconds. */
export const moment = () => integer()
export const bool = () => integer({ mode: 'boolean' })
/** JSON text of a given type. */
export const json = <T>() => text({ mode: 'json' }).$type<T>()
