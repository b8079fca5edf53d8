/** What a service does by itself: messages are sent, and tasks are performed when they are due. */
import type { Services } from '#http/services'
import { createDelivery, type DeliveryReport } from '#outbox/delivery'
import type { sendersFor } from '#outbox/senders'
import { type BackgroundTask, openBackground } from '#server/background/background'
import { clockTask, headsTask, messageTask } from '#server/background/serviceTasks'
import { openChecks } from '#server/health/checks'
import type { Data } from './data'
import type { ServiceOptions } from './serviceOptions'

/** How long a stop waits for messages that are being sent. One that takes longer gets the status `unknown` at the next start. */
const SEND_TIMEOUT_MS = 10_000

export function openTimers(
  services: Services,
  { time, clock, metrics, watch, keepHeads }: Data,
  senders: ReturnType<typeof sendersFor>['senders'],
  options: ServiceOptions,
) {
  const { reads, giftCards, fault } = services
  const countDelivery = (message: DeliveryReport) => {
    metrics.message(message)
    options.onDelivery?.(message)
  }
  const messages = createDelivery(services, senders, countDelivery, time.isSure)
  const ownTasks = [clockTask(time.reports(services, options)), headsTask(keepHeads), messageTask(messages)]
  const loadTasks = async (): Promise<readonly BackgroundTask[]> => [
    ...(await import('#server/background/list')).backgroundTasks(services),
    ...ownTasks,
  ]
  const background = openBackground(services, loadTasks, time.isSure)
  let checks: ReturnType<typeof openChecks> | undefined
  return {
    start() {
      background.start()
      checks = options.checks && openChecks({ ...options.checks, clock }, watch.onCheck, fault)
    },
    /** Performs what is due, and waits for it. */
    async tick() {
      await background.tick()
      await reads.flush()
      await Promise.all([messages.idle(), background.idle(), giftCards?.idle()])
    },
    /** Begins nothing further, and waits a limited time for what is under way. */
    async finish() {
      const parts = [messages, background, giftCards]
      await Promise.all(parts.map((part) => part?.finish(SEND_TIMEOUT_MS)))
    },
    close() {
      background.close()
      checks?.close()
    },
  }
}
