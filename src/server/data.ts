/** The data of a service: its folders and its database, with the clock, the commits and the checkpoints. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { recordRemainingChanges } from '#audit/append'
import { openReadTrail } from '#audit/readTrail'
import { checkpointThread, openCheckpoints } from '#db/checkpoints'
import { runInTransaction } from '#db/commit'
import { checkpointAndClose } from '#db/file'
import { drizzleOf, type Sqlite } from '#db/open'
import { watchRowsOnce } from '#db/watch'
import { undoLastTries } from '#jobs/store'
import type { Instant } from '#kernel/time'
import { openUpgraded } from '#server/backup/upgrade'
import { isClockRefusal } from '#server/health/clock'
import { guardedCommitter } from '#server/health/guardedCommitter'
import { openClock } from '#server/health/openClock'
import { openMetrics } from '#server/metrics/metrics'
import { checkKeptHeads, headKeeper } from '#server/process/heads'
import type { Program } from './program'
import type { ServiceOptions } from './serviceOptions'

export type Data = ReturnType<typeof openData>

/** Opens the data directory. @throws a fault if it cannot be used; nothing is left open then */
export function openData({ spawnCheckpointer }: Program, options: ServiceOptions) {
  const { directory } = options
  const places = makePlaces(directory)
  const sqlite = openUpgraded(places.database, join(directory, 'backups'), { report: options.onUpgrade ?? console.log })
  const headsFile = join(directory, 'heads')
  const time = openClock(sqlite, options)
  const { clock } = time
  checkHeads(sqlite, headsFile, options, clock.now())
  const db = drizzleOf(sqlite)
  const metrics = openMetrics(sqlite, places.database)
  const recordRemaining = () => recordRemainingChanges(db, clock.now())
  const onCommit = (acts: number) => {
    metrics.commit(acts)
    checkpoints.afterCommit()
  }
  const writer = guardedCommitter(
    sqlite,
    { ...options, clock },
    { ...metrics, commit: onCommit },
    [directory, places.exports, places.files],
    recordRemaining,
    // Not at the start, which it would make slower: whatever a server writes to watched rows, it writes in such a transaction.
    () => watchRowsOnce(db),
  )
  const { commit, flush, watch, guard } = writer
  let isClosing = false
  const report = options.fault ?? ((reason: unknown, about: string) => console.error(about, reason))
  const fault = (reason: unknown, about: string) => {
    watch.onFailure(reason)
    // What the stop interrupts is not an error, and what a wrong clock refuses is reported by the health.
    if (!isClosing && !isClockRefusal(reason)) report(reason, about)
  }
  const checkpoints = openCheckpoints(sqlite, checkpointThread(spawnCheckpointer), writer, fault)
  const reads = openReadTrail({ db, commit }, fault)
  const heads = headKeeper(sqlite, headsFile, places.database, checkpoints.count)
  return {
    ...{ places, db, clock, time, metrics, commit, flush, watch, guard, fault, reads, keepHeads: heads.keep },
    /** From now on errors are not reported. */
    beginClose() {
      isClosing = true
    },
    /** Commits what waits, empties the write-ahead log, and closes the database. */
    close() {
      const closeDatabaseFile = checkpoints.close()
      reads.close()
      writer.close()
      undoLastTries(db)
      runInTransaction(db, recordRemaining)
      heads.close()
      checkpointAndClose(sqlite)
      closeDatabaseFile()
    },
  }
}

/** Where the service keeps its data; the folders are made. */
function makePlaces(directory: string) {
  const [exports, files] = [join(directory, 'exports'), join(directory, 'files')]
  for (const folder of [exports, files]) mkdirSync(folder, { recursive: true })
  return { database: join(directory, 'trialbox.db'), exports, files }
}

/** Compares the database with the heads that were kept beside it. @throws a fault if it lacks changes, and closes it */
function checkHeads(sqlite: Sqlite, file: string, { acceptLoss = false }: ServiceOptions, now: Instant): void {
  try {
    checkKeptHeads(sqlite, file, acceptLoss, now)
  } catch (error) {
    sqlite.close()
    throw error
  }
}
