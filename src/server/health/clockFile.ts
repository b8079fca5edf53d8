/**
 * The file `clock` of the data directory: by how much the clock of the machine was ahead of the time since its start, so that a
 * server that starts again before the machine does can tell a clock that was moved meanwhile (docs/running.md, "The clock").
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, type Instant, MINUTE } from '#kernel/time'
import { writeDurably } from '#server/process/durableFile'
import type { SteadyTime } from '#server/process/uptime'
import { type HeldClock, heldClock, STEP_AHEAD } from './heldClock'

/** `at`: when the server last knew the time. */
type ClockRecord = { boot: string | null; offset: number; at: Instant }

const pathIn = (root: string): string => join(root, 'clock')

/** The content of the file; undefined if it cannot be read, as at the first start. */
function readRecord(root: string): ClockRecord | undefined {
  try {
    const { boot, offset, at } = JSON.parse(readFileSync(pathIn(root), 'utf8'))
    return Number.isFinite(offset) && Number.isFinite(at) ? { boot, offset, at } : undefined
  } catch {
    return undefined
  }
}

const writeRecord = (root: string, kept: ClockRecord): void => writeDurably(pathIn(root), JSON.stringify(kept))

/** Lets the next start take the clock of the machine as right. */
export const saveAcceptedClock = (root: string, machine: Clock, steady: SteadyTime): void =>
  writeRecord(root, { boot: steady.boot ?? null, offset: machine.now() - steady.exact(), at: machine.now() })

/**
 * The clock of a server that starts.
 * @param newest when something was written last; null if nothing was
 */
export function clockAtStart(root: string, machine: Clock, steady: SteadyTime, newest: Instant | null): HeldClock {
  const kept = readRecord(root)
  if (kept && steady.boot !== undefined && kept.boot === steady.boot)
    return heldClock(machine, steady, { offset: kept.offset, isSure: true })
  const known = Math.max(kept?.at ?? 0, newest ?? 0)
  return heldClock(machine, steady, { isSure: known === 0 || machine.now() - known <= STEP_AHEAD })
}

/** Makes a function that keeps the time in the file each minute, as long as it is sure. */
export function clockKeeper(root: string, clock: HeldClock, { boot }: SteadyTime): () => void {
  let keptAt = -Infinity
  let keptOffset = Number.NaN
  return () => {
    if (!clock.isSure()) return
    const [at, offset] = [clock.now(), clock.offset()]
    if (offset === keptOffset && Math.abs(at - keptAt) < MINUTE) return
    writeRecord(root, { boot: boot ?? null, offset, at })
    keptAt = at
    keptOffset = offset
  }
}
