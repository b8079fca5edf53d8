/**
 * A clock that does not follow a step of the machine's clock at once (docs/running.md, "The clock"). It compares the machine's
 * clock with the time since the machine started. Pure: both come in.
 */
import { type Clock, type Instant, MINUTE, SECOND } from '#kernel/time'
import type { SteadyTime } from '#server/process/uptime'

/** Steps forward of more than this are not followed at once. */
export const STEP_AHEAD = 5 * MINUTE
/** The same for steps back: as far as the clock may be behind the newest entry of the trail. */
const STEP_BACK = 2 * MINUTE
/** For how long the new time must hold. */
export const HOLD = 10 * MINUTE
/** Two readings that differ by less are the same time. */
const SAME = 5 * SECOND

/** What the clock of the machine showed, against what it should have shown. */
type Times = { expected: Instant; shown: Instant }

export type ClockChange = Times &
  /** A step that is not followed yet, or at once, because nothing was known of the time before. */
  (
    | { kind: 'step'; isFollowed: boolean; until: Instant }
    /** The machine's clock is right again. */
    | { kind: 'return' }
    /** The step is followed from now on. */
    | { kind: 'follow'; by: 'time' | 'operator' }
  )

export type HeldClock = Clock & {
  /** Whether the time is that of the machine, and has held. Until then nothing is sent or removed because of the time. */
  isSure(): boolean
  /** The machine's clock, how long its time has held, and whether the clock follows it. */
  status(): { shown: Instant; isFollowed: boolean; sureIn: number }
  /** Follows the machine's clock from now on. */
  accept(): void
  /** The changes since the last call, in order. */
  takeChanges(): ClockChange[]
  /** What the machine's clock is ahead of the steady time, without steps that are not followed; for the next start. */
  offset(): number
}

/** @param start.offset what is known from before; undefined if nothing is. `isSure`: whether the time need not hold first */
export function heldClock(
  machine: Clock,
  steady: SteadyTime,
  start: { offset?: number | undefined; isSure: boolean },
): HeldClock {
  const first = steady.exact()
  let offset = start.offset ?? machine.now() - first
  let isKnown = start.isSure || start.offset !== undefined
  let recent = { offset, since: isKnown ? first - HOLD : first }
  let wasHeld = false
  let changes: ClockChange[] = []

  const isHeld = () => recent.offset - offset > STEP_AHEAD || recent.offset - offset < -STEP_BACK

  /** Compares the clocks. Returns the steady time. */
  function look(): Instant {
    let at = steady.now()
    if (Math.abs(machine.now() - at - recent.offset) > SAME) {
      at = steady.exact()
      const found = machine.now() - at
      if (Math.abs(found - recent.offset) > SAME) recordStep(found, at)
    }
    if (at - recent.since >= HOLD && (recent.offset !== offset || !isKnown)) follow('time')
    return at
  }

  function recordStep(found: number, at: Instant): void {
    recent = { offset: found, since: at }
    const times = { expected: at + offset, shown: at + found }
    if (isHeld()) {
      changes.push({
        kind: 'step',
        ...times,
        isFollowed: !isKnown,
        until: (isKnown ? times.expected : times.shown) + HOLD,
      })
      if (!isKnown) offset = found
    } else if (wasHeld) changes.push({ kind: 'return', ...times })
    wasHeld = isHeld()
    // Back at the time that was known before: nothing need hold.
    if (isKnown && Math.abs(found - offset) <= SAME) recent.since = at - HOLD
  }

  function follow(by: 'time' | 'operator'): void {
    const at = steady.now()
    if (isHeld()) changes.push({ kind: 'follow', by, expected: at + offset, shown: at + recent.offset })
    offset = recent.offset
    isKnown = true
    wasHeld = false
    recent.since = Math.min(recent.since, at - HOLD)
  }

  return {
    now() {
      const at = look()
      return isHeld() ? Math.floor(at + offset) : machine.now()
    },
    isSure() {
      look()
      return isKnown && !isHeld()
    },
    status() {
      const at = look()
      const isFollowed = !isHeld()
      const sureIn = isKnown && isFollowed ? 0 : Math.max(0, recent.since + HOLD - at)
      return { shown: machine.now(), isFollowed, sureIn }
    },
    accept() {
      look()
      follow('operator')
    },
    takeChanges() {
      look()
      const taken = changes
      changes = []
      return taken
    },
    offset: () => offset,
  }
}
