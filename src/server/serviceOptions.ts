/** What a service is opened with. */

import type { LoggedRequest } from '#http/mount'
import type { Services } from '#http/services'
import type { AiSettings, StartPerformer } from '#jobs/messages'
import type { ProcessLimits } from '#jobs/process'
import type { Keys } from '#kernel/keyring'
import type { Clock, Instant } from '#kernel/time'
import type { DeliveryReport } from '#outbox/delivery'
import type { GatewayConfig } from '#outbox/gateway'
import type { OutgoingConfig } from '#outbox/outgoing'
import type { MessagingConfig } from '#outbox/senders'
import type { CallLimits } from '#outbox/serviceCalls'
import type { WearableConfig } from '#outbox/wearableServices'
import type { Checker, Schedule } from '#server/health/checks'
import type { SteadyTime } from '#server/process/uptime'

export type ServiceOptions = {
  /** The data directory, which must exist. */
  directory: string
  clock: Clock
  /** The time since the machine started, with which the clock is compared; without it, each step of the clock is followed. */
  steady?: SteadyTime | undefined
  publicUrl: string
  version: string
  /** What signs the links to files and encrypts stored secrets: at least 16 bytes each, the same at every start, or with a newer one before them. */
  storageKey: Keys
  rateLimit?: number
  /** Present if this is a restored copy. */
  copyOf?: Services['copyOf']
  /** The most bytes of uploads for one participant, and for a trial; none by default. */
  quotas?: Services['quotas']
  /** The AI endpoint that reads descriptions of studies instead of the rules, and checks answers in addition to them. */
  ai?: AiSettings | undefined
  /** Which addresses that people have entered may be called. */
  outgoing?: OutgoingConfig
  /** The senders of messages; on channels without a sender none are sent. */
  messages?: MessagingConfig
  /** The gift-card gateway; without one participants get voucher codes that the team loaded. */
  giftCards?: GatewayConfig | undefined
  /** 32 secret bytes from which the key of push notifications is derived, the same at every start, or with newer ones before them. */
  pushKey?: Keys
  /** The providers of wearables; accounts of others cannot be connected. */
  wearables?: WearableConfig
  /** What calls of them may take, if it is not what `callLimits` say. */
  callLimits?: Partial<CallLimits>
  /** When the certificate of the server ends, for its health. */
  certificateExpiresAt?: (() => Instant | undefined) | undefined
  /** Starts although the clock is behind what was written last, and records that. */
  acceptClock?: boolean
  /** How the data is checked while the service runs; it is not if left out. */
  checks?: (Schedule & Checker) | undefined
  /** Adds the operations of a test server. */
  test?: boolean
  /** Whether rate limits hold at the moment; a test server can switch them off. */
  hasLimits?: () => boolean
  /** Goes on if the database lacks changes that it held before, and enters the loss in the service's log. */
  acceptLoss?: boolean
  /** Starts the threads of all work in place of the service's own threads and processes: for tests. */
  startThread?: StartPerformer
  /** What the reading of one file may take, if it is not what `processLimits` say. */
  readingLimits?: ProcessLimits
  /** Called with every request after it is answered. */
  onRequest?: (request: LoggedRequest) => void
  /** Called with every message that was sent, or failed. */
  onDelivery?: (message: DeliveryReport) => void
  /** Called with one line for each change of the machine's clock. */
  onClock?: (line: string) => void
  /** Called with one line if the database was upgraded; it says where the copy from before is. */
  onUpgrade?: (line: string) => void
  /** Called with errors that no caller caused. */
  fault?: (reason: unknown, about: string) => void
}
