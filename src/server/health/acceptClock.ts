import { appendEntry } from '#audit/append'
import { runInTransaction } from '#db/commit'
import type { Db } from '#db/open'
import type { Clock } from '#kernel/time'
import type { SteadyTime } from '#server/process/uptime'
import { saveAcceptedClock } from './clockFile'
import { newestEntryOf, saveClockAccepted } from './store'

/**
 * Confirms that the clock of the machine is right, for a server that runs and for the next start, and enters that in the service's log.
 * @param root the data directory
 */
export function acceptClock(db: Db, root: string, machine: Clock, steady: SteadyTime): void {
  const now = machine.now()
  runInTransaction(db, () => {
    const event = { newestEntryAt: newestEntryOf(db), clock: now }
    appendEntry(db, { chain: 'service', createdAt: now, type: 'acceptClock', userType: 'system', event })
    saveClockAccepted(db, now)
  })
  saveAcceptedClock(root, machine, steady)
}
