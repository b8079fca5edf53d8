import type { Clock } from '#kernel/time'
import type { Commit } from './commit'
import type { Db } from './open'

/** What the lower layers need from the running service. */
export type CoreServices = {
  db: Db
  /** Performs synchronous work in a transaction. The work is durable when the promise resolves. */
  commit: Commit
  clock: Clock
  /** Logs an error that no caller caused. @param about what the server was doing */
  fault(reason: unknown, about: string): void
}
