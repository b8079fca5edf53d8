/** Keeps the heads of the audit trail beside the database, and compares them at each start. */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { findLostHeads, headsFileText, lossText, readHeadsFile, recordAcceptedLoss } from '#audit/headsFile'
import { runInTransaction } from '#db/commit'
import { type Db, drizzleOf, type Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import { type Instant, MINUTE } from '#kernel/time'
import { writeDurably, writeDurablyLater } from './durableFile'

/** Writes the heads of the committed state, if they are not what the file says. */
export function keepHeads(sqlite: Sqlite, path: string): void {
  const text = headsFileText(sqlite)
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeDurably(path, text)
}

/**
 * Compares the database with the heads in the file, and then writes the file anew.
 * @param acceptLoss enters a loss in the service's log instead of refusing it
 * @throws a fault if the database lacks what it held before
 */
export function checkKeptHeads(sqlite: Sqlite, path: string, acceptLoss: boolean, now: Instant): void {
  const db: Db = drizzleOf(sqlite)
  let lost: ReturnType<typeof findLostHeads> = []
  try {
    lost = findLostHeads(sqlite, readHeadsFile(path))
    if (lost.length)
      throw fault(
        `The database lacks changes that it held before: ${lossText(lost)}. Probably trialbox.db-wal was removed, or trialbox.db was replaced by an older file.`,
      )
  } catch (error) {
    if (!acceptLoss)
      throw fault(
        `${(error as Error).message} Nothing was changed. Put the missing file back, or restore a backup into a new directory. To go on without what is lost, start once with --accept-loss. See /manual/backup#lost-changes.`,
      )
    runInTransaction(db, () => recordAcceptedLoss(db, lost, now))
  }
  keepHeads(sqlite, path)
}

export type HeadKeeper = {
  /** Keeps the heads if a minute has passed, or pages of the write-ahead log came into the database file. */
  keep(now: Instant): Promise<void>
  /** Keeps them now, and never again. */
  close(): void
}

/** @param checkpoints how many were made by the service's own thread */
export function headKeeper(sqlite: Sqlite, path: string, database: string, checkpoints: () => number): HeadKeeper {
  let keptAt = -MINUTE
  let checkpoint = ''
  let isClosed = false
  return {
    async keep(now) {
      const number = `${checkpointNumber(database)} ${checkpoints()}`
      if (isClosed || (Math.abs(now - keptAt) < MINUTE && number === checkpoint)) return
      keptAt = now
      checkpoint = number
      const text = headsFileText(sqlite)
      if (!existsSync(path) || readFileSync(path, 'utf8') !== text) await writeDurablyLater(path, text, () => !isClosed)
    },
    close() {
      isClosed = true
      keepHeads(sqlite, path)
    },
  }
}

/** The number of the checkpoint that the write-ahead log follows, which is in its header; 0 if there is no log. */
function checkpointNumber(database: string): number {
  const header = Buffer.alloc(16)
  try {
    const file = openSync(`${database}-wal`, 'r')
    try {
      readSync(file, header, 0, 16, 0)
    } finally {
      closeSync(file)
    }
  } catch {
    return 0 // no log yet
  }
  return header.readUInt32BE(12)
}
