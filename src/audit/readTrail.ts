/** Collects reads in memory and writes them together, so that an answer does not wait for the disk (docs/security.md, "Who looked"). */
import type { Commit } from '#db/commit'
import type { Db } from '#db/open'
import { type Recent, recentWithin } from '#kernel/recent'
import { storedJson } from '#kernel/text'
import { MINUTE } from '#kernel/time'
import { packIds, unpackIds } from './packedIds'
import { appendReads, type Read } from './reads'
import { recentIdsWithin } from './recentIds'

export type ReadTrail = {
  /** The entries of the event log that say that a web session looked at something, or was refused it. */
  entries: Recent
  /** Records a read within a second. */
  note(read: Read): void
  /** The part of a read that is not in the trail yet; undefined if all of it is. */
  unrecorded(read: Read): Read | undefined
  /** Remembers that a read is in the trail. Call it after the commit. */
  recorded(read: Read): void
  /** Writes what was noted. Resolves when it is on disk; a fault is reported, and what was not written is tried again. */
  flush(): Promise<void>
  /** Writes what was noted with the last commit, and notes nothing more. */
  close(): void
}

/** An account, an operation and a participant have one row in this time, and a page of the web app one entry. */
const ONE_ROW_IN = 15 * MINUTE
/** The longest time for which a read is in memory only, in milliseconds. */
const WAIT_MS = 1000
/** So many reads are not left waiting: they are written at once. */
const MANY = 500
/** If they cannot be written, for example since the disk is full, so many are kept in memory. */
const MOST = 100_000

const accountOf = ({ trial, user, apiToken, operation }: Read) => `${trial} ${user} ${apiToken} ${operation}`

/** The read of only these of its participants; undefined if there are none. */
function only(read: Read, participants: Uint8Array): Read | undefined {
  if (!participants.length) return undefined
  return { ...read, about: { participants } }
}

export function openReadTrail(
  { db, commit }: { db: Db; commit: Commit },
  fault: (reason: unknown, about: string) => void,
): ReadTrail {
  const known = recentIdsWithin(ONE_ROW_IN)
  const filters = recentWithin(ONE_ROW_IN)
  /** What was noted. It is compared with what is known later, for all at once: a request only adds to it. */
  let noted: Read[] = []
  /** Rows that are known and not written yet. */
  let waiting: Read[] = []
  /** What is being written: who asks for all of it waits for that, too. */
  let writing: Promise<unknown> = Promise.resolve()
  let timer: Timer | undefined
  let isClosed = false

  /** The part of a read that is not known, which is known from now on. */
  function added(read: Read): Read | undefined {
    const { about, createdAt } = read
    const account = accountOf(read)
    if ('participants' in about) return only(read, known.addMissing(account, about.participants, createdAt))
    return filters.addMissing(account, [storedJson(about.filter)], createdAt).length ? read : undefined
  }

  /** Makes rows of what was noted and is not known. */
  function compare(): void {
    const reads = noted
    noted = []
    for (const read of reads) {
      const left = added(read)
      if (left) waiting.push(left)
    }
  }

  function unrecorded(read: Read): Read | undefined {
    compare()
    const { about, createdAt } = read
    const account = accountOf(read)
    if ('filter' in about) return filters.has(account, storedJson(about.filter), createdAt) ? undefined : read
    const each = packIds([...new Set(unpackIds(about.participants))])
    return only(read, known.missing(account, each, createdAt))
  }

  function schedule(): void {
    if (timer === undefined && !isClosed) {
      timer = setTimeout(() => void flush(), WAIT_MS)
      timer.unref()
    }
  }

  async function write(rows: Read[]): Promise<void> {
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
    compare()
    const rows = waiting
    waiting = []
    if (rows.length) writing = Promise.all([writing, write(rows)])
    await writing
  }

  return {
    entries: recentWithin(ONE_ROW_IN),
    unrecorded,
    recorded: (read) => void added(read),
    flush,
    note(read) {
      if (isClosed) return
      noted.push(read)
      if (noted.length >= MANY) void flush()
      else schedule()
    },
    close() {
      void flush()
      isClosed = true
      clearTimeout(timer)
    },
  }
}
