/**
 * Transactions shared by requests that arrive together: one COMMIT and one flush to disk for all of them, a savepoint
 * each, so that a refusal undoes only its own work. Nobody is answered before the flush (decisions 7, design targets).
 */
import type { Sqlite } from './open'

type Act = { run: () => unknown; done: (value: unknown) => void; failed: (reason: unknown) => void }

export type Commit = <T>(run: () => T extends PromiseLike<unknown> ? never : T) => Promise<T>

export type Committer = {
  commit: Commit
  /** Performs what is waiting now, without waiting for the end of this turn. */
  flush(): void
  /** Performs what is waiting, and refuses all that comes later. */
  close(): void
}

/** @param beforeEach runs first inside each transaction: where caches notice that another process has written */
export function committer(sqlite: Sqlite, beforeEach: () => void = () => {}): Committer {
  const begin = sqlite.query('BEGIN IMMEDIATE')
  const end = sqlite.query('COMMIT')
  const undo = sqlite.query('ROLLBACK')
  const save = sqlite.query('SAVEPOINT act')
  const keep = sqlite.query('RELEASE act')
  const back = sqlite.query('ROLLBACK TO act')
  let waiting: Act[] = []
  let isClosed = false

  function flush(): void {
    const acts = waiting
    if (!acts.length) return
    waiting = []
    const settled: (() => void)[] = []
    try {
      begin.run()
      beforeEach()
      for (const act of acts) {
        save.run()
        try {
          const value = act.run()
          keep.run()
          settled.push(() => act.done(value))
        } catch (reason) {
          // A full disk may have ended the transaction already: then nothing of it stands, and nobody is told otherwise.
          if (!sqlite.inTransaction) throw reason
          back.run()
          keep.run()
          settled.push(() => act.failed(reason))
        }
      }
      end.run()
    } catch (reason) {
      if (sqlite.inTransaction) undo.run()
      for (const act of acts) act.failed(reason)
      return
    }
    for (const settle of settled) settle()
  }

  return {
    flush,
    close() {
      flush()
      isClosed = true
    },
    commit: <T>(run: () => T) =>
      new Promise<T>((done, failed) => {
        if (isClosed) return failed(new Error('The service is stopping.'))
        // Never a timer: a request alone would wait for it (measured: four fifths of the rate).
        if (!waiting.length) setImmediate(flush)
        waiting.push({ run, done: done as (value: unknown) => void, failed })
      }),
  }
}
