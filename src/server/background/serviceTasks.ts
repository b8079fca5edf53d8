/** The background tasks of the service itself, which need what it has opened. */
import type { Instant } from '#kernel/time'
import type { Delivery } from '#outbox/delivery'
import type { BackgroundTask } from './background'

/** Sends messages in parallel to the other tasks: a slow mail or SMS server must not delay them. */
export const messageTask = ({ begin }: Delivery): BackgroundTask => ({
  name: 'messages',
  every: 1,
  isTimeless: true, // codes to sign in with, for example; those that have expired wait
  run: async () => {
    begin()
    return false
  },
})

/** Records changes of the machine's clock. */
export const clockTask = (report: () => Promise<void>): BackgroundTask => ({
  name: 'the clock',
  every: 1,
  isTimeless: true,
  run: async () => {
    await report()
    return false
  },
})

/** Keeps the ends of the audit trail beside the database, every minute and after each checkpoint. */
export const headsTask = (keep: (now: Instant) => Promise<void>): BackgroundTask => ({
  name: 'heads of the audit trail',
  every: 1,
  isTimeless: true,
  run: async (_, now) => {
    await keep(now)
    return false
  },
})
