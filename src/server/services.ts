/** What operations and jobs are given of the service. */
import { createAttempts } from '#access/attempts'
import { createIdentify } from '#access/identify'
import { limiter } from '#access/limits'
import { openStorage, type StorageRoute } from '#conduct/uploads/storage'
import { recordKeys } from '#documents/archives/signature'
import type { Services } from '#http/services'
import type { Pool } from '#jobs/pool'
import { startJob } from '#jobs/queue'
import { envelopesOf } from '#kernel/envelopes'
import { createSeal } from '#kernel/seal'
import { giftCards } from '#outbox/giftCards'
import { createOutgoingClient } from '#outbox/outgoing'
import type { sendersFor } from '#outbox/senders'
import { callLimits } from '#outbox/serviceCalls'
import { channels } from '#outbox/status'
import { wearableServices } from '#outbox/wearableServices'
import type { Data } from './data'
import type { Program } from './program'
import type { ServiceOptions } from './serviceOptions'
import { recalculateTimelines, timelineUpdate } from './timelines'

type Parts = {
  program: Program
  options: ServiceOptions
  data: Data
  pool: Pool
  sending: ReturnType<typeof sendersFor>
  tick: Services['tick']
}

export function openServices({ program, options, data, pool, sending, tick }: Parts): {
  services: Services
  route: StorageRoute
} {
  const { db, commit, clock, reads, metrics } = data
  const { storageKey, publicUrl, version } = options
  const { senders, push } = sending
  const { storage, route } = openStorage({
    places: data.places,
    key: storageKey,
    ...{ db, commit, clock, version, reads },
    publicUrl: () => services.publicUrl,
    quotas: () => services.quotas,
  })
  const services: Services = {
    ...{ db, commit, clock, reads, pool, storage, push, publicUrl, version, tick },
    recalculateTimelines: (now, act) => recalculateTimelines(db, now, act),
    timelineUpdate: (trial, user, access) => timelineUpdate(db, trial, user, access),
    identify: createIdentify(db),
    limits: limiter(options.hasLimits),
    attempts: createAttempts(db, options.hasLimits),
    cancellations: new Map(),
    load: program.loadHook,
    startJob: (id) => startJob(services, program.jobKinds, id),
    asksAi: options.ai !== undefined,
    sendsEmail: senders.email !== undefined,
    sendsBy: channels.filter((channel) => senders[channel] !== undefined),
    seal: createSeal(storageKey),
    envelopes: envelopesOf(storageKey),
    archiveKey: () => recordKeys(storageKey).publicKey,
    copyOf: options.copyOf,
    outgoing: createOutgoingClient({ ...options.outgoing, onResult: metrics.webhookRequest }),
    giftCards: options.giftCards && giftCards(options.giftCards),
    wearables: wearableServices(options.wearables ?? {}, { ...callLimits, ...options.callLimits }),
    rateLimit: options.rateLimit,
    quotas: options.quotas ?? { participant: Infinity, trial: Infinity },
    health: data.watch.report,
    acceptClock() {
      data.time.accept()
      data.guard?.accept()
    },
    fault: data.fault,
  }
  return { services, route }
}
