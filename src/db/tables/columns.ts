/** The kinds of columns in the tables. The migrations declare the same in SQL, and a test compares the two. */
import { customType, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { onceObject } from '#kernel/once'

export { blob, index, integer, primaryKey, real, text } from 'drizzle-orm/sqlite-core'

/**
 * Declares a table. It is built when it is first used: to build all of them takes a seventh of a start. Give the columns as a
 * function, so that they too are made then.
 */
export const table = new Proxy(sqliteTable, {
  apply: (make, self, parameters) => onceObject(() => Reflect.apply(make, self, parameters)),
})

/** An `_id`. */
export const key = () => text().primaryKey()
/** A moment in microseconds. */
export const moment = () => integer()
export const bool = () => integer({ mode: 'boolean' })
/** One of these words; the CHECK of the column lists the same words. */
export const oneOf = <const W extends readonly [string, ...string[]]>(...words: W) => text({ enum: words })
/** JSON of a given type; a row holds the parsed value. */
export const json = <T>() => text({ mode: 'json' }).$type<T>()
/** JSON as text: a digest covers the text, or most readers only pass it on. */
export const jsonText = customType<{ data: string }>({ dataType: () => 'text' })
