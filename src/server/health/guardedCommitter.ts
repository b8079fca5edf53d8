/** The transactions of a server: none while the clock is behind, and each result is noted in the health of the server. */
import { type Committer, committer } from '#db/commit'
import type { Sqlite } from '#db/open'
import { schemaVersion } from '#db/schemaVersion'
import type { Clock, Instant } from '#kernel/time'
import { type ClockGuard, guardClock, refuseClockBehind } from './clock'
import { type HealthState, openHealthState } from './healthState'
import type { HeldClock } from './heldClock'
import { clockAcceptedAt, firstEntryAt, lastBackupAt, messagesWaiting, newestEntryAt } from './store'

type Options = {
  clock: Clock | HeldClock
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
): Committer & { watch: HealthState; guard: ClockGuard | undefined } {
  const { clock, version, test = false, certificateExpiresAt } = options
  try {
    refuseClockBehind(sqlite, options)
  } catch (reason) {
    sqlite.close()
    throw reason
  }
  const onCommit = (acts: number) => {
    metrics.commit(acts)
    watch.onWrite()
  }
  const { commit, ...others } = committer(sqlite, onCommit, afterAct, beforeFirst)
  const held = 'isSure' in clock ? clock : undefined
  const guard = test
    ? undefined
    : guardClock(commit, clock, {
        newestEntryAt: () => newestEntryAt(sqlite),
        acceptedAt: () => clockAcceptedAt(sqlite),
        isSure: () => held?.isSure() ?? true,
      })
  const watch = openHealthState({
    ...{ version, clock, held, folders, isClockFree: test },
    certificateExpiresAt: () => certificateExpiresAt?.() ?? null,
    schemaVersion: schemaVersion(sqlite),
    newestEntryAt: guard?.newest ?? (() => newestEntryAt(sqlite)),
    firstEntryAt: () => firstEntryAt(sqlite),
    lastBackupAt: () => lastBackupAt(sqlite),
    messagesWaiting: () => messagesWaiting(sqlite),
    failedSignIns: metrics.failedSignIns,
  })
  return { ...others, commit: guard?.commit ?? commit, watch, guard }
}
