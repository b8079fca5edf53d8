import type { Attempts } from '#access/attempts'
import type { Identify } from '#access/identify'
import type { Limits } from '#access/limits'
import type { JobServices } from '#jobs/kind'
import type { Id } from '#kernel/id'
import type { Seal } from '#kernel/seal'
import type { Instant } from '#kernel/time'
import type { PushService } from '#outbox/push'

/** What a test server can do in addition. */
export type Testing = {
  /** Moves the clock forward, and performs what is due by then. */
  advanceTo(now: Instant): Promise<void>
  account: TestAccount
  /** Empties the database and creates its owner again. Do not call it within a transaction. */
  reset(): void
}

/** The account of a test server, which the server prints when it accepts requests. */
export type TestAccount = { url: string; apiKey: string; team: Id; user: Id; email: string; password: string }

export type Services = JobServices & {
  identify: Identify
  limits: Limits
  attempts: Attempts
  /** Starts a pending job. Call it after the commit that inserted the job. Never rejects. */
  startJob(id: Id): Promise<void>
  /** Whether an AI endpoint is configured. */
  asksAi: boolean
  /** Encrypts secrets before they are stored, and decrypts them. */
  seal: Seal
  /** {base_url}, without a slash at the end. {app_url} and {join_url} are derived from it. */
  publicUrl: string
  version: string
  /** Push notifications, if they are configured. */
  push: PushService | undefined
  /** The most bytes of uploads for one participant, and for a trial with all its participants; `Infinity` for no quota. */
  quotas: { participant: number; trial: number }
  /** Requests per account and minute for operations without a limit of their own; undefined: none. */
  rateLimit?: number
  /** Performs everything that is due now, as the background timers would do later. */
  tick(): Promise<void>
  /**
   * Present with `serve --test`: moves the clock, empties the service (docs/developers.md, "A server to test against").
   */
  test?: Testing
}
