/** What both floors of submissions share: commits shared by requests that arrive together, and their arguments. */
import type { Database } from 'bun:sqlite'

/** The directory of the database, and the number of participants. */
export const [directory, people] = [process.argv[2]!, Number(process.argv[3])]

/** Returns a function that runs an act in the next shared, durable commit, and resolves when it is on disk. */
export function groupCommit(sqlite: Database): (run: () => unknown) => Promise<unknown> {
  const begin = sqlite.query('BEGIN IMMEDIATE')
  const end = sqlite.query('COMMIT')
  let waiting: { run: () => unknown; done: (value: unknown) => void }[] = []
  function flush() {
    const acts = waiting
    waiting = []
    begin.run()
    const values = acts.map(({ run }) => run())
    end.run()
    for (const [at, { done }] of acts.entries()) done(values[at])
  }
  return (run) =>
    new Promise((done) => {
      if (!waiting.length) setImmediate(flush)
      waiting.push({ run, done })
    })
}
