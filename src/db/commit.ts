/**
 * Transactions shared by requests that arrive together: one COMMIT and one flush to disk for all of them, while a refusal
 * undoes only its own work. Nobody is answered before the flush (docs/performance.md, "What to expect").
 */
import type { Db, Sqlite } from './open'

type On = Pick<Db, '$client'>

type Act = { run: () => unknown; done: (value: unknown) => void; failed: (reason: unknown) => void }

export type Commit = <T>(run: () => T extends PromiseLike<unknown> ? never : T) => Promise<T>

export type Committer = {
  commit: Commit
  /** Performs what is waiting now, without waiting for the end of this turn. */
  flush(): void
  /** Performs what is waiting, and refuses all that comes later. */
  close(): void
}

const notes = new WeakMap<Sqlite, Map<string, unknown>>()

/**
 * What acts of the running transaction have found out for those after them, such as the newest entry of a chain; forgotten
 * when it ends or anything of it is undone. Undefined outside of one, where nothing can be said to be still true.
 */
export const turnNotes = ({ $client }: On): Map<string, unknown> | undefined => notes.get($client)

/** Performs all of an act or nothing of it, in a transaction of its own: where no service shares its commits. */
export const commitAlone = <T>({ $client }: On, act: () => T): T => $client.transaction(act).immediate()

/** Whether what is read may still be undone. */
export const isUncommitted = ({ $client }: On): boolean => $client.inTransaction

/** What an act came to, told once it is on disk. */
type Outcome = () => void

/**
 * Acts must bear being run again: where one fails after it wrote something, all of that turn are undone and performed anew
 * with a savepoint each. Savepoints from the start would cost every request what only such a failure needs (measured: an
 * eighth of the rate). A refusal before the first write, as nearly all are, has nothing to undo.
 * @param committed told how many acts shared each commit
 */
export function committer(sqlite: Sqlite, committed: (acts: number) => void = () => {}): Committer {
  const begin = sqlite.query('BEGIN IMMEDIATE')
  const end = sqlite.query('COMMIT')
  const undo = sqlite.query('ROLLBACK')
  const save = sqlite.query('SAVEPOINT act')
  const keep = sqlite.query('RELEASE act')
  const back = sqlite.query('ROLLBACK TO act')
  const written = sqlite.query<{ rows: number }, []>('SELECT total_changes() AS rows')
  let waiting: Act[] = []
  let isClosed = false

  /** Performs one act; undefined where it failed and left something to undo. */
  function performed(act: Act, saved: boolean): Outcome | undefined {
    const before = written.get()!.rows
    if (saved) save.run()
    try {
      const value = act.run()
      if (saved) keep.run()
      return () => act.done(value)
    } catch (reason) {
      // A full disk may have ended the transaction already: then nothing of it stands, and nobody is told otherwise.
      if (!sqlite.inTransaction) throw reason
      if (saved) {
        notes.get(sqlite)?.clear()
        back.run()
        keep.run()
      } else if (written.get()!.rows !== before) return undefined
      return () => act.failed(reason)
    }
  }

  /** Performs all acts in one transaction; undefined where they must be performed again, with savepoints. */
  function attempt(acts: readonly Act[], saved: boolean): Outcome[] | undefined {
    const outcomes: Outcome[] = []
    begin.run()
    notes.set(sqlite, new Map())
    try {
      for (const act of acts) {
        const outcome = performed(act, saved)
        if (!outcome) {
          undo.run()
          return undefined
        }
        outcomes.push(outcome)
      }
    } finally {
      notes.delete(sqlite)
    }
    end.run()
    return outcomes
  }

  function flush(): void {
    const acts = waiting
    if (!acts.length) return
    waiting = []
    try {
      const outcomes = attempt(acts, false) ?? attempt(acts, true)!
      for (const outcome of outcomes) outcome()
      committed(acts.length)
    } catch (reason) {
      if (sqlite.inTransaction) undo.run()
      for (const act of acts) act.failed(reason)
    }
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
