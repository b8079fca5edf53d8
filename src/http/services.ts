import type { Attempts } from '#access/attempts'
import type { Access } from '#access/caller'
import type { Identify } from '#access/identify'
import type { Limits } from '#access/limits'
import type { ReadTrail } from '#audit/readTrail'
import type { Hook } from '#jobs/hook'
import type { JobServices } from '#jobs/kind'
import type { Envelopes } from '#kernel/envelopes'
import type { Id } from '#kernel/id'
import type { Seal } from '#kernel/seal'
import type { Instant } from '#kernel/time'
import type { GiftCards } from '#outbox/giftCards'
import type { OutgoingClient } from '#outbox/outgoing'
import type { PushService } from '#outbox/push'
import type { Channel } from '#outbox/status'
import type { WearableServices } from '#outbox/wearableServices'
import type { HealthReport } from './healthModel'

/** What a test server can do in addition. */
export type TestControls = {
  /** Moves the clock forward, performs what is due by then, and stops the clock or lets it run, if `freeze` says so. */
  advanceTo(now: Instant, freeze?: boolean): Promise<void>
  isFrozen(): boolean
  setLimits(on: boolean): void
  /** Saves everything under a name. Not within a transaction. */
  takeSnapshot(name: string): TestSnapshot
  snapshots(): TestSnapshot[]
  /** Returns to a snapshot that exists, as soon as the running requests are finished; later requests wait. */
  restoreSnapshot(name: string): void
  /** Returns to the empty service at the start in the same way. */
  reset(): void
  account: TestAccount
}

/**
 * Of what a restored directory is a copy, until it goes live (docs/backup.md, "A copy sends nothing"): the address of the server, if the
 * backup had it, when the backup was made, and when it was restored.
 */
export type CopyOrigin = { address: string | null; madeAt: string | null; restoredAt: string }

/** @param now the time of the clock when it was taken */
export type TestSnapshot = { name: string; now: Instant }

/** The account of a test server, which the server prints when it accepts requests. */
export type TestAccount = { url: string; apiKey: string; team: Id; user: Id; email: string; password: string }

/** The progress of a recalculation in the background, with the account's own job if it has one. */
export type TimelineUpdate = { jobId: Id | null; progress: string }

export type Services = JobServices & {
  identify: Identify
  limits: Limits
  attempts: Attempts
  /** Who read what about whom. */
  reads: ReadTrail
  /** Starts a pending job. Call it after the commit that inserted the job. Never rejects. */
  startJob(id: Id): Promise<void>
  /** Loads what an operation needs of a layer above its own. */
  load<F>(hook: Hook<F>): Promise<F>
  /** How far the recalculation of a trial's timelines is, as this account may see it; null if they are up to date. */
  timelineUpdate(trial: Id, user: Id, access: Access): TimelineUpdate | null
  /** Whether an AI endpoint is configured. */
  asksAi: boolean
  /** Whether a sender of e-mails is configured. */
  sendsEmail: boolean
  /** The channels of messages that the server has a sender for. */
  sendsBy: readonly Channel[]
  /** Encrypts secrets before they are stored, and decrypts them. */
  seal: Seal
  /** Opens what browsers sealed to this server. */
  envelopes: Envelopes
  /** The public key with which archives such as study records are signed, in base64. */
  archiveKey(): string
  /** {base_url}, without a slash at the end. {app_url} and {join_url} are derived from it. */
  publicUrl: string
  version: string
  /** Present if this is a restored copy: it sends nothing, and its pages say so. */
  copyOf?: CopyOrigin | undefined
  /** What is known of the health of the server. */
  health(): HealthReport
  /** Follows the clock of the machine from now on, as the operator of the server confirmed. */
  acceptClock(): void
  /** Push notifications, if they are configured. */
  push: PushService | undefined
  /** Sends requests to addresses that people have entered. */
  outgoing: OutgoingClient
  /** The gift-card gateway, if one is configured. */
  giftCards: GiftCards | undefined
  /** The providers of wearables that are configured. */
  wearables: WearableServices
  /** The most bytes of uploads for one participant, and for a trial with all its participants; `Infinity` for no quota. */
  quotas: { participant: number; trial: number }
  /** Requests per account and minute for operations without a limit of their own; undefined: no limit. */
  rateLimit?: number
  /** Performs everything that is due now, as the background timers would do later. */
  tick(): Promise<void>
  /**
   * Present with `serve --test`: moves the clock, takes and restores snapshots (docs/developers.md, "A server to test against").
   */
  test?: TestControls
}
