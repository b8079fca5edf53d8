/** The clock of a service (docs/running.md, "The clock"). */
import type { Sqlite } from '#db/open'
import type { Services } from '#http/services'
import type { Clock } from '#kernel/time'
import type { MessagingConfig } from '#outbox/senders'
import type { SteadyTime } from '#server/process/uptime'
import { clockReports } from './clockChanges'
import { clockAtStart, clockKeeper } from './clockFile'
import type { HeldClock } from './heldClock'
import { newestEntryAt } from './store'

type Options = {
  clock: Clock
  steady?: SteadyTime | undefined
  directory: string
  messages?: MessagingConfig
  onClock?: (line: string) => void
}

export type ServiceClock = {
  /** What the service goes by. */
  clock: Clock | HeldClock
  /** Whether the time is known to be right. */
  isSure(): boolean
  accept(): void
  /** Makes the function that is called each second. */
  reports(services: Services, options: Options): () => Promise<void>
}

/** Without a steady time to compare it with, as in tests that move the clock, each step of the clock is followed. */
export function openClock(sqlite: Sqlite, { clock, steady, directory }: Options): ServiceClock {
  if (!steady) return { clock, isSure: () => true, accept: () => {}, reports: () => async () => {} }
  const held = clockAtStart(directory, clock, steady, newestEntryAt(sqlite))
  return {
    clock: held,
    isSure: held.isSure,
    accept: held.accept,
    reports(services, { messages, onClock }) {
      const report = clockReports(services, held, { operator: messages?.operator, report: onClock ?? (() => {}) })
      const keep = clockKeeper(directory, held, steady)
      return async () => {
        await report()
        keep()
      }
    },
  }
}
