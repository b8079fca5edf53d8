/** The transactions of a server: none while the clock is behind, and each result is noted in the health of the server. */
import { type Committer, committer } from '#db/commit'
import type { Sqlite } from '#db/open'
import { schemaVersion } from '#db/schemaVersion'
import type { Clock, Instant } from '#kernel/time'
import { guardClock, refuseClockBehind } from './clock'
import { firstEntryAt, lastBackupAt, messagesWaiting, newestEntryAt } from './store'
import { openWatch, type Watch } from './watch'

type Options = {
  clock: Clock
  version: string
  acceptClock?: boolean
  certificateExpiresAt?: (() => Instant | undefined) | undefined
  /** On a test server the clock may go anywhere. */
  test?: boolean
}

/**
 * @param folders the data directory, and the folders in it that the server writes
 * @param afterAct called after each act of a transaction, inside it
 * @param beforeFirst called before the first transaction
 * @throws a fault if the clock is behind, and closes the database
 */
export function guardedCommitter(
  sqlite: Sqlite,
  options: Options,
  metrics: { commit(acts: number): void; failedSignIns(): number },
  folders: readonly [root: string, ...string[]],
  afterAct: () => void,
  beforeFirst: () => void,
): Committer & { watch: Watch } {
  const { clock, version, test = false, certificateExpiresAt } = options
  try {
    refuseClockBehind(sqlite, options)
  } catch (reason) {
    sqlite.close()
    throw reason
  }
  const noted = (acts: number) => {
    metrics.commit(acts)
    watch.written()
  }
  const { commit, ...others } = committer(sqlite, noted, afterAct, beforeFirst)
  const clocked = test ? undefined : guardClock(commit, clock, newestEntryAt(sqlite))
  const watch = openWatch({
    ...{ version, clock, folders, isClockFree: test },
    certificateExpiresAt: () => certificateExpiresAt?.() ?? null,
    schemaVersion: schemaVersion(sqlite),
    newestEntryAt: clocked?.newest ?? (() => newestEntryAt(sqlite)),
    firstEntryAt: () => firstEntryAt(sqlite),
    lastBackupAt: () => lastBackupAt(sqlite),
    messagesWaiting: () => messagesWaiting(sqlite),
    failedSignIns: metrics.failedSignIns,
  })
  return { ...others, commit: clocked?.commit ?? commit, watch }
}
