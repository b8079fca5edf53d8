/**
 * Counts the SQL statements of a server: `bun --preload scripts/bench/statements.ts <server>`. Sends the number to the process that
 * started it and sends it a message. Statements of triggers are not counted. It slows the server down: do not measure time with it.
 */
import { Database, type Statement } from 'bun:sqlite'

let count = 0
const counted = new WeakSet<object>()

function counting<S extends Statement>(statement: S): S {
  if (counted.has(statement)) return statement
  counted.add(statement)
  for (const name of ['get', 'all', 'run', 'values', 'iterate'] as const) {
    const original = statement[name] as (...values: unknown[]) => unknown
    Object.defineProperty(statement, name, {
      value: (...values: unknown[]) => {
        count++
        return original.apply(statement, values)
      },
    })
  }
  return statement
}

for (const name of ['query', 'prepare'] as const) {
  const original = Database.prototype[name] as (...words: unknown[]) => Statement
  Object.defineProperty(Database.prototype, name, {
    value(this: Database, ...words: unknown[]) {
      return counting(original.apply(this, words))
    },
  })
}
process.on('message', () => process.send!(count))
// Listening to messages must not keep the server from ending.
process.channel?.unref?.()
