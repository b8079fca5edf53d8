/** Collects reads in memory and writes them together, so that an answer does not wait for the disk (docs/security.md, "Who looked"). */
import type { Commit } from '#db/commit'
import type { Db } from '#db/open'
import { type Recent, recentWithin } from '#kernel/recent'
import { storedJson } from '#kernel/text'
import { MINUTE } from '#kernel/time'
import { appendReads, type Read } from './reads'

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
export const ONE_ROW_IN = 15 * MINUTE
/** The longest time for which a read is in memory only, in milliseconds. */
const WAIT_MS = 1000
/** With so many rows they are written at once. */
const MANY = 500
/** If they cannot be written, for example since the disk is full, so many are kept in memory. */
const MOST = 100_000

const accountOf = ({ trial, user, apiToken, operation }: Read) => `${trial} ${user} ${apiToken} ${operation}`

/** All that an answer told of as one text: that a page is in the trail already is one look-up, and not one for each participant. */
const wholeOf = (about: Read['about']): string =>
  'filter' in about ? storedJson(about.filter) : about.participants.join()

export function openReadTrail(
  { db, commit }: { db: Db; commit: Commit },
  fault: (reason: unknown, about: string) => void,
): ReadTrail {
  const written = recentWithin(ONE_ROW_IN)
  let waiting: Read[] = []
  /** What is being written: who asks for all of it waits for that, too. */
  let writing: Promise<unknown> = Promise.resolve()
  let timer: Timer | undefined
  let isClosed = false

  function unrecorded(read: Read): Read | undefined {
    const { about, createdAt } = read
    const account = accountOf(read)
    if (written.has(account, wholeOf(about), createdAt)) return undefined
    if ('filter' in about) return read
    const named = [...new Set(about.participants)]
    const participants = written.hasGroup(account)
      ? named.filter((each) => !written.has(account, each, createdAt))
      : named
    return participants.length ? { ...read, about: { participants } } : undefined
  }

  function recorded(read: Read): void {
    const { about, createdAt } = read
    const account = accountOf(read)
    written.add(account, wholeOf(about), createdAt)
    if ('filter' in about || about.participants.length < 2) return
    for (const participant of about.participants) written.add(account, participant, createdAt)
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
    const rows = waiting
    waiting = []
    if (rows.length) writing = Promise.all([writing, write(rows)])
    await writing
  }

  return {
    entries: recentWithin(ONE_ROW_IN),
    unrecorded,
    recorded,
    flush,
    note(read) {
      const left = unrecorded(read)
      if (!left || isClosed) return
      recorded(left)
      waiting.push(left)
      if (waiting.length === MANY) void flush()
      else schedule()
    },
    close() {
      void flush()
      isClosed = true
      clearTimeout(timer)
    },
  }
}
