/** Collects reads in memory and writes them together, so that an answer does not wait for the disk (docs/security.md, "Who looked"). */
import type { Commit } from '#db/commit'
import type { Db } from '#db/open'
import { type RecentItems, recentItems } from '#kernel/recent'
import { storedJson } from '#kernel/text'
import { MINUTE } from '#kernel/time'
import { packIds, unpackIds } from './packedIds'
import { appendReads, type ReadEntry } from './reads'
import { recentIdsWithin } from './recentIds'

export type ReadTrail = {
  /** The entries of the event log that record that a web session read something, or was refused. */
  entries: RecentItems
  /** Records a read within a second. */
  record(read: ReadEntry): void
  /** The part of a read that is not in the trail yet; undefined if all of it is. */
  unrecordedPart(read: ReadEntry): ReadEntry | undefined
  /** Remembers that a read is in the trail. Call it after the commit. */
  markRecorded(read: ReadEntry): void
  /** Writes what was noted. Resolves when it is on disk; a fault is reported, and what was not written is tried again. */
  flush(): Promise<void>
  /** Writes what was noted with the last commit, and notes nothing more. */
  close(): void
}

/** In this time, an account, an operation and a participant get only one row, and a page of the web app only one entry. */
const ROW_INTERVAL = 15 * MINUTE
/** The longest time for which a read is in memory only, in milliseconds. */
const WAIT_MS = 1000
/** With this many reads waiting, they are written at once. */
const MANY = 500
/** The most reads kept in memory if they cannot be written, for example because the disk is full. */
const MOST = 100_000

const accountOf = ({ trial, user, apiToken, operation }: ReadEntry) => `${trial} ${user} ${apiToken} ${operation}`

/** The read of only these of its participants; undefined if there are none. */
function limitToParticipants(read: ReadEntry, participants: Uint8Array): ReadEntry | undefined {
  if (!participants.length) return undefined
  return { ...read, about: { participants } }
}

export function openReadTrail(
  { db, commit }: { db: Db; commit: Commit },
  fault: (reason: unknown, about: string) => void,
): ReadTrail {
  const known = recentIdsWithin(ROW_INTERVAL)
  const filters = recentItems(ROW_INTERVAL)
  /** What was noted. It is compared with what is known later, for all at once: a request only adds to it. */
  let pending: ReadEntry[] = []
  /** Rows that are known and not written yet. */
  let waiting: ReadEntry[] = []
  /** The write in progress: `flush` waits for it, too. */
  let writing: Promise<unknown> = Promise.resolve()
  let timer: Timer | undefined
  let isClosed = false

  /** The part of a read that is not known, which is known from now on. */
  function addUnknown(read: ReadEntry): ReadEntry | undefined {
    const { about, createdAt } = read
    const account = accountOf(read)
    if ('participants' in about)
      return limitToParticipants(read, known.addMissing(account, about.participants, createdAt))
    return filters.addMissing(account, [storedJson(about.filter)], createdAt).length ? read : undefined
  }

  /** Makes rows of what was noted and is not known. */
  function queueUnknown(): void {
    const reads = pending
    pending = []
    for (const read of reads) {
      const left = addUnknown(read)
      if (left) waiting.push(left)
    }
  }

  function unrecordedPart(read: ReadEntry): ReadEntry | undefined {
    queueUnknown()
    const { about, createdAt } = read
    const account = accountOf(read)
    if ('filter' in about) return filters.has(account, storedJson(about.filter), createdAt) ? undefined : read
    const each = packIds([...new Set(unpackIds(about.participants))])
    return limitToParticipants(read, known.missing(account, each, createdAt))
  }

  function schedule(): void {
    if (timer === undefined && !isClosed) {
      timer = setTimeout(() => void flush(), WAIT_MS)
      timer.unref()
    }
  }

  async function write(rows: ReadEntry[]): Promise<void> {
    try {
      await commit(() => appendReads(db, rows))
    } catch (reason) {
      waiting = [...rows, ...waiting].slice(-MOST)
      fault(reason, 'trail of reads')
      schedule()
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    queueUnknown()
    const rows = waiting
    waiting = []
    if (rows.length) writing = Promise.all([writing, write(rows)])
    await writing
  }

  return {
    entries: recentItems(ROW_INTERVAL),
    unrecordedPart,
    markRecorded: (read) => void addUnknown(read),
    flush,
    record(read) {
      if (isClosed) return
      pending.push(read)
      if (pending.length >= MANY) void flush()
      else schedule()
    },
    close() {
      void flush()
      isClosed = true
      clearTimeout(timer)
    },
  }
}
