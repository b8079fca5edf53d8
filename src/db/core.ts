import type { Clock } from '#kernel/time'
import type { Commit } from './commit'
import type { Db } from './open'

/** What the lower layers need of the running service. */
export type Core = {
  db: Db
  /** Performs synchronous work in a transaction, durable when the promise resolves. */
  commit: Commit
  clock: Clock
  /** Writes to the server's log that something went wrong which no caller caused. */
  fault(reason: unknown, about: string): void
}
