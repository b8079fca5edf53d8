/** The log as files of limited size (docs/running.md, "The log"): what is older is deleted, so that it never fills the disk. */
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freeSpaceAt } from './freeSpace'

const CURRENT = 'trialbox.log'
const ENDED = /^trialbox-\d{8}T\d{9}Z\.log$/

/** A file ends when it has this many bytes, and with the day (UTC). */
const MOST_BYTES = 10 << 20
/** How many ended files are kept. */
const KEPT = 10
/** Below this nothing is written to the files: the rest of the disk is for data. */
const LEAST_FREE = 64 << 20

export type LogFile = {
  /** The file for the next bytes; undefined if they cannot be kept. */
  next(bytes: number): number | undefined
  close(): void
}

/** @param now milliseconds; @param least the free bytes below which nothing is written */
export function openLogFile(
  folder: string,
  now: () => number,
  { mostBytes = MOST_BYTES, least: leastFree = LEAST_FREE } = {},
): LogFile {
  let open: { fd: number; size: number; day: number } | undefined
  const dayOf = (at: number) => Math.floor(at / 86_400_000)

  function end(): void {
    if (open) closeSync(open.fd)
    open = undefined
  }

  /** Opens the current file: the one of an earlier start too, if it is not full and of today. */
  function begin(): { fd: number; size: number; day: number } {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const fd = openSync(join(folder, CURRENT), 'a', 0o600)
    const { size, birthtimeMs, mtimeMs } = fstatSync(fd)
    return { fd, size, day: dayOf(size ? Math.min(birthtimeMs || mtimeMs, mtimeMs) : now()) }
  }

  /** Gives the current file its final name, and deletes the oldest. */
  function rotate(): void {
    end()
    const name = `trialbox-${new Date(now()).toISOString().replace(/[-:.]/g, '')}.log`
    renameSync(join(folder, CURRENT), join(folder, name))
    const ended = readdirSync(folder).filter((each) => ENDED.test(each))
    for (const old of ended.sort().slice(0, -KEPT)) rmSync(join(folder, old), { force: true })
  }

  return {
    next(bytes) {
      try {
        open ??= begin()
        if (open.size && (open.size + bytes > mostBytes || open.day !== dayOf(now()))) {
          rotate()
          open = begin()
        }
        if (freeSpaceAt(folder) < leastFree) return undefined
        open.size += bytes
        return open.fd
      } catch {
        end()
        return undefined // a log that cannot be written never stops the server
      }
    },
    close: end,
  }
}
