/** What is known of the health of a running server, for `GET /health`, the metrics and the log. */
import { accessSync, constants } from 'node:fs'
import type { CheckState, HealthReport } from '#http/healthModel'
import { isDiskFull, isMachineFailure } from '#kernel/machine'
import { type Clock, DAY, type Instant, instantText } from '#kernel/time'
import { freeSpaceAt } from '#server/process/freeSpace'
import { clockProblem } from './clock'
import type { HeldClock } from './heldClock'

export type CheckName = 'quickCheck' | 'verify'

export type HealthState = {
  report(): HealthReport
  /** Notes an error. If the machine caused it, the server is failing until something is written again. */
  onFailure(reason: unknown): void
  /** Notes that something was written. */
  onWrite(): void
  onCheck(which: CheckName, state: CheckState): void
}

type Sources = {
  version: string
  schemaVersion: number
  clock: Clock
  /** The same, if it does not follow steps of the machine's clock at once. */
  held?: HeldClock | undefined
  /** The data directory and the folders in it that the server writes. */
  folders: readonly [root: string, ...string[]]
  newestEntryAt(): Instant | null
  lastBackupAt(): Instant | null
  /** When the service was first used; null if it was not. */
  firstEntryAt(): Instant | null
  messagesWaiting(): number
  failedSignIns(): number
  certificateExpiresAt(): Instant | null
  /** Whether the clock may go backwards, as a test's may. */
  isClockFree: boolean
}

/** Less than this cannot hold the next commit and its write-ahead log. */
const FULL = 4 << 20
const LITTLE = 1 << 30
const CERTIFICATE_LEFT = 14 * DAY
const BACKUP_LEFT = 7 * DAY

type Problem = HealthReport['problems'][number]
const failing = (code: string, message: string): Problem => ({ code, message, isFailing: true })
const warning = (code: string, message: string): Problem => ({ code, message, isFailing: false })

export function openHealthState(sources: Sources): HealthState {
  const checks: Record<CheckName, CheckState> = {
    quickCheck: { status: 'notYet', at: null },
    verify: { status: 'notYet', at: null },
  }
  let failure: unknown

  function* problems(known: Omit<HealthReport, 'status' | 'problems'>): Generator<Problem> {
    const { now, freeBytes, newestEntryAt, lastBackupAt, certificateExpiresAt } = known
    const isFull = freeBytes < FULL || isDiskFull(failure)
    if (isFull) yield failing('diskFull', 'The disk is full: nothing can be written.')
    else if (freeBytes < LITTLE) yield warning('diskSpace', 'Less than 1 GB is free on the disk.')
    if (!sources.folders.every(canWrite))
      yield failing('folder', 'The data directory or a folder in it cannot be written.')
    else if (!isFull && failure) yield failing('disk', 'The data directory cannot be used; the log says why.')
    const clock = sources.isClockFree ? undefined : clockProblem(now, newestEntryAt)
    if (clock) yield failing('clock', `${clock.text} Nothing is written until it is right.`)
    else if (sources.held) yield* clockWarnings(sources.held, now)
    if (known.quickCheck.status === 'failed')
      yield failing('database', 'The database file is damaged: bring back a backup.')
    if (known.verify.status === 'failed') yield warning('verify', 'A check found a fault: `trialbox verify` says more.')
    if (certificateExpiresAt !== null && certificateExpiresAt <= now)
      yield failing('certificate', 'The certificate has ended.')
    else if (certificateExpiresAt !== null && certificateExpiresAt - now < CERTIFICATE_LEFT)
      yield warning('certificate', 'The certificate ends within 14 days.')
    const since = lastBackupAt ?? sources.firstEntryAt()
    if (since !== null && now - since > BACKUP_LEFT) yield warning('backup', 'No backup was made for 7 days.')
  }

  return {
    onFailure(reason) {
      if (isMachineFailure(reason)) failure = reason
    },
    onWrite() {
      failure = undefined
    },
    onCheck(which, state) {
      checks[which] = state
    },
    report() {
      const { version, schemaVersion, clock } = sources
      const known = {
        ...{ version, schemaVersion, certificateExpiresAt: sources.certificateExpiresAt(), now: clock.now() },
        ...clockDoubts(sources.held),
        newestEntryAt: sources.newestEntryAt(),
        freeBytes: freeSpaceAt(sources.folders[0]),
        lastBackupAt: sources.lastBackupAt(),
        messagesWaiting: sources.messagesWaiting(),
        failedSignIns: sources.failedSignIns(),
        ...checks,
      }
      const found = [...problems(known)]
      const isFailing = found.some((problem) => problem.isFailing)
      return { ...known, problems: found, status: isFailing ? 'failing' : found.length ? 'warning' : 'ok' }
    },
  }
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The clock of the machine, as long as the time is not known to be right. */
function clockDoubts(held: HeldClock | undefined): Pick<HealthReport, 'clock'> {
  if (!held) return {}
  const { shown, isFollowed, sureIn } = held.status()
  return sureIn ? { clock: { shown, isFollowed, sureAt: Math.floor(held.now() + sureIn) } } : {}
}

/** What is not done yet because the time is not known to be right. */
function* clockWarnings(held: HeldClock, now: Instant): Generator<Problem> {
  const { shown, isFollowed, sureIn } = held.status()
  if (!sureIn) return
  const until = `It does so until ${instantText(Math.floor(now + sureIn))}, or until \`trialbox clock accept\`.`
  if (!isFollowed)
    yield warning(
      'clockStep',
      `The clock of the machine jumped to ${instantText(shown)}. The server goes on with its own time, and sends and removes nothing because of the time. ${until}`,
    )
  else
    yield warning(
      'clockNew',
      `Nothing is known yet of the clock of the machine. The server sends and removes nothing because of the time. ${until}`,
    )
}
