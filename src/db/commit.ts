/**
 * Transactions shared by requests that arrive together: one COMMIT and one flush to disk for all of them, while a refusal
 * undoes only its own work. No response is sent before the flush (docs/performance.md, "What to expect").
 */
import type { Db, Sqlite } from './open'

type Connection = Pick<Db, '$client'>

type Act = { run: () => unknown; resolve: (value: unknown) => void; reject: (reason: unknown) => void }

export type Commit = <T>(run: () => T extends PromiseLike<unknown> ? never : T) => Promise<T>

export type Committer = {
  commit: Commit
  /** Performs the waiting acts now, without waiting for the end of this turn of the event loop. */
  flush(): void
  /** Lets acts wait until `release`, whatever comes; `flush` and `close` perform them nevertheless. */
  hold(): void
  /** Performs the waiting acts, and holds no more. */
  release(): void
  /** Performs the waiting acts, and refuses all later ones. */
  close(): void
}

/**
 * What is known in the running transaction. `isUnchanged`: of its running act, see `noteChanges`. `rows`: how many rows the
 * connection has changed until now; undefined if it is not known.
 */
type TransactionState = {
  cache: Map<string, unknown>
  kept: Map<string, unknown>
  isUnchanged: boolean | undefined
  rows: number | undefined
}

const transactions = new WeakMap<Sqlite, TransactionState>()

/**
 * A cache of the running transaction: values that an act found for later acts, such as the newest entry of a chain. It is
 * cleared when the transaction ends or any part of it is undone. Undefined outside a transaction, where values may be stale.
 */
export const transactionCache = ({ $client }: Connection): Map<string, unknown> | undefined =>
  transactions.get($client)?.cache

/**
 * Rows that an act read, for later acts of the same transaction. They are dropped at the end of each act, unless its audit entry
 * found that it changed no watched row (`watched.ts`). Keep only what depends on nothing else. Undefined outside a transaction.
 */
export const keptRows = ({ $client }: Connection): Map<string, unknown> | undefined => transactions.get($client)?.kept

/** Drops the kept rows. Call it after a change of what no digest covers. */
export const dropKeptRows = ({ $client }: Connection): void => transactions.get($client)?.kept.clear()

/**
 * Notes whether the running act changed any watched row until now.
 * @param rows how many rows the connection has changed, as `total_changes()` says, if that was asked too
 */
export function markChanges({ $client }: Connection, hasChanges: boolean, rows?: number): void {
  const state = transactions.get($client)
  if (!state) return
  state.rows = hasChanges ? undefined : rows // an entry follows that vouches for the changes
  if (hasChanges) state.kept.clear()
  state.isUnchanged = !hasChanges && state.isUnchanged !== false
}

/** Whether the running act is known to have changed no watched row when it wrote its latest audit entry. */
export const isUnchanged = ({ $client }: Connection): boolean => transactions.get($client)?.isUnchanged === true

/**
 * Performs a part of an act that may be refused while the act goes on: if it throws, what it wrote is undone, and so is what is
 * known in the transaction. Call it inside a transaction.
 */
export function inSavepoint<T>({ $client }: Connection, part: () => T): T {
  $client.run('SAVEPOINT part')
  try {
    const result = part()
    $client.run('RELEASE part')
    return result
  } catch (reason) {
    if ($client.inTransaction) {
      const state = transactions.get($client)
      state?.cache.clear()
      state?.kept.clear()
      if (state) Object.assign(state, { isUnchanged: undefined, rows: undefined })
      $client.run('ROLLBACK TO part')
      $client.run('RELEASE part')
    }
    throw reason
  }
}

/** Performs an act in a transaction of its own, for code that runs without a `Committer`, such as commands. */
export const runInTransaction = <T>({ $client }: Connection, act: () => T): T => $client.transaction(act).immediate()

/** Whether a transaction is running: rows that are read now may be rolled back later. */
export const isUncommitted = ({ $client }: Connection): boolean => $client.inTransaction

/** Resolves or rejects the promise of an act; called when the transaction is on disk. */
type Outcome = () => void

/**
 * It must be safe to run an act again: if one fails after it wrote something, all acts of the transaction are undone and run
 * again with a savepoint each. Savepoints from the start would slow every request down (measured: an eighth of the rate) for
 * the sake of such failures. A refusal before the first write, as nearly all are, has nothing to undo.
 * @param onCommit called after each commit with the number of acts in it
 * @param afterAct called after each act that did not fail, inside the transaction
 * @param beforeFirst called before the first transaction
 */
export function committer(
  sqlite: Sqlite,
  onCommit: (acts: number) => void = () => {},
  afterAct: () => void = () => {},
  beforeFirst: () => void = () => {},
): Committer {
  const begin = sqlite.query('BEGIN IMMEDIATE')
  const end = sqlite.query('COMMIT')
  const undo = sqlite.query('ROLLBACK')
  const save = sqlite.query('SAVEPOINT act')
  const release = sqlite.query('RELEASE act')
  const undoAct = sqlite.query('ROLLBACK TO act')
  const changes = sqlite.query<{ rows: number }, []>('SELECT total_changes() AS rows')
  let waiting: Act[] = []
  let isClosed = false
  let isHeld = false
  let isFirst = true

  /** Performs one act; undefined if it failed after a write, which must be undone. */
  function perform(act: Act, hasSavepoint: boolean): Outcome | undefined {
    const state = transactions.get(sqlite)!
    const before = state.rows ?? changes.get()!.rows
    state.isUnchanged = undefined
    if (hasSavepoint) save.run()
    try {
      const value = act.run()
      const { isUnchanged } = state // what the act itself knows
      state.rows = undefined
      afterAct()
      if (hasSavepoint) release.run()
      if (!isUnchanged) state.kept.clear()
      return () => act.resolve(value)
    } catch (reason) {
      // A full disk may have rolled the transaction back already: then every act of it must fail.
      if (!sqlite.inTransaction) throw reason
      state.kept.clear()
      state.rows = undefined
      if (hasSavepoint) {
        state.cache.clear()
        undoAct.run()
        release.run()
      } else if (changes.get()!.rows !== before) return undefined
      return () => act.reject(reason)
    }
  }

  /** Performs all acts in one transaction; undefined if they must be performed again, with savepoints. */
  function attempt(acts: readonly Act[], hasSavepoints: boolean): Outcome[] | undefined {
    const outcomes: Outcome[] = []
    if (isFirst) beforeFirst()
    isFirst = false
    begin.run()
    transactions.set(sqlite, { cache: new Map(), kept: new Map(), isUnchanged: undefined, rows: undefined })
    try {
      for (const act of acts) {
        const outcome = perform(act, hasSavepoints)
        if (!outcome) {
          undo.run()
          return undefined
        }
        outcomes.push(outcome)
      }
    } finally {
      transactions.delete(sqlite)
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
      onCommit(acts.length)
    } catch (reason) {
      if (sqlite.inTransaction) undo.run()
      for (const act of acts) act.reject(reason)
    }
  }

  const flushUnlessHeld = () => {
    if (!isHeld) flush()
  }

  return {
    flush,
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      flush()
    },
    close() {
      flush()
      isClosed = true
    },
    commit: <T>(run: () => T) =>
      new Promise<T>((resolve, reject) => {
        if (isClosed) return reject(new Error('The service is stopping.'))
        // Not a timer: a single request would wait for it (measured: it costs four fifths of the rate).
        if (!waiting.length) setImmediate(flushUnlessHeld)
        waiting.push({ run, resolve: resolve as (value: unknown) => void, reject })
      }),
  }
}
