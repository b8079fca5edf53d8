/** What every operation works with: the one running service. */
import type { Access } from '#access/caller'
import type { Identify } from '#access/identify'
import type { Limits } from '#access/limits'
import type { Commit } from '#db/commit'
import type { Db } from '#db/open'
import type { Pool } from '#jobs/pool'
import type { Id } from '#kernel/id'
import type { Seal } from '#kernel/seal'
import type { Clock, Instant } from '#kernel/time'
import type { PushService } from '#outbox/push'
import type { Storage } from '#storage/storage'

/** What a test server can do besides. */
export type Testing = {
  /** Puts the clock ahead, and does what falls due by then. */
  advanceTo(now: Instant): Promise<void>
  announced: Announced
  /** Empties the service and makes its owner again. Not within a transaction. */
  reset(): void
}

/** A test server's own account: what it prints once it accepts requests. */
export type Announced = { url: string; apiKey: string; team: Id; user: Id; email: string; password: string }

/** An act in a trial, as far as timelines go: the trial as it was before, and the account that acted, if one did. */
export type ActInTrial = { trial: { _id: Id; revision: number }; user?: Id; access?: Access }

export type Services = {
  db: Db
  /** Performs synchronous work in a transaction, durable when the promise resolves. */
  commit: Commit
  clock: Clock
  /**
   * Brings up to date what an act made due (stored progress), in the same transaction. Where a change of configuration
   * makes too much due for that, answers the `_id` of the account's job that goes on with it.
   */
  settle(now: Instant, act?: ActInTrial): Id | undefined
  identify: Identify
  limits: Limits
  pool: Pool
  /** Sends a pending job off, once the act that started it is on the disk. Never rejects. */
  startJob(id: Id): Promise<void>
  /** Whether an AI endpoint is configured. */
  asksAi: boolean
  storage: Storage
  /** Closes secrets before they are stored, and opens them. */
  seal: Seal
  /** {base_url}, without a slash at its end. {app_url} and {join_url} derive from it. */
  publicUrl: string
  version: string
  /** Push notifications, where they are turned on. */
  push: PushService | undefined
  /** Requests per account and minute for operations without a limit of their own; undefined: none. */
  rateLimit?: number
  /** Says on the log that something went wrong which no caller caused. */
  fault(reason: unknown, about: string): void
  /** Does all that is due by now: what the schedule would come to by itself. */
  tick(): Promise<void>
  /** Present with `serve --test`: moves the clock, empties the service (decisions 13). */
  test?: Testing
}
