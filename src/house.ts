/** What every operation works with: the one running service. */
import type { Identify } from './access/identify'
import type { Limits } from './access/limits'
import type { Commit } from './db/commit'
import type { Db } from './db/open'
import type { Pool } from './jobs/pool'
import type { Clock, Instant } from './kernel/time'
import type { Storage } from './storage/storage'

export type House = {
  db: Db
  /** Performs synchronous work in a transaction, durable when the promise resolves. */
  commit: Commit
  clock: Clock
  /** Brings up to date what an act made due (stored progress), in the same transaction. */
  settle(now: Instant): void
  identify: Identify
  limits: Limits
  pool: Pool
  storage: Storage
  /** {base_url}, without a slash at its end. {app_url} and {join_url} derive from it. */
  publicUrl: string
  version: string
  /** Requests per account and minute for operations without a limit of their own; undefined: none. */
  rateLimit?: number
  /** Says on the log that something went wrong which no caller caused. */
  fault(reason: unknown, about: string): void
  /** Present with `serve --test`: moves the clock, empties the service (decisions 13). */
  test?: { advanceTo(now: Instant): Promise<void>; reset(): Promise<void> }
}
