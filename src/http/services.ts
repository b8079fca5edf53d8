import type { Identify } from '#access/identify'
import type { Limits } from '#access/limits'
import type { JobServices } from '#jobs/kind'
import type { Id } from '#kernel/id'
import type { Seal } from '#kernel/seal'
import type { Instant } from '#kernel/time'
import type { PushService } from '#outbox/push'

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

export type Services = JobServices & {
  identify: Identify
  limits: Limits
  /** Sends a pending job off, once the act that started it is on the disk. Never rejects. */
  startJob(id: Id): Promise<void>
  /** Whether an AI endpoint is configured. */
  asksAi: boolean
  /** Closes secrets before they are stored, and opens them. */
  seal: Seal
  /** {base_url}, without a slash at its end. {app_url} and {join_url} derive from it. */
  publicUrl: string
  version: string
  /** Push notifications, where they are turned on. */
  push: PushService | undefined
  /** Requests per account and minute for operations without a limit of their own; undefined: none. */
  rateLimit?: number
  /** Does all that is due by now: what the schedule would come to by itself. */
  tick(): Promise<void>
  /**
   * Present with `serve --test`: moves the clock, empties the service (docs/developers.md, "A server to test against").
   */
  test?: Testing
}
