/** What both floors of submissions share: commits shared by requests that arrive together, and their arguments. */
import type { Database } from 'bun:sqlite'

/** The directory of the database, and the number of participants. */
export const [directory, people] = [process.argv[2]!, Number(process.argv[3])]

/** Returns a function that runs an act in the next shared, durable commit, and resolves when it is on disk. */
export function groupCommit(sqlite: Database): <T>(run: () => T) => Promise<T> {
  const begin = sqlite.query('BEGIN IMMEDIATE')
  const end = sqlite.query('COMMIT')
  /** Each performs its act, and returns what tells its caller. */
  let waiting: (() => () => void)[] = []
  function flush() {
    const acts = waiting
    waiting = []
    begin.run()
    const callbacks = acts.map((act) => act())
    end.run()
    for (const callback of callbacks) callback()
  }
  return <T>(run: () => T) =>
    new Promise<T>((done) => {
      if (!waiting.length) setImmediate(flush)
      waiting.push(() => {
        const value = run()
        return () => done(value)
      })
    })
}
