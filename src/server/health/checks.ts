/** The checks of the data that a running server makes, in a process of their own (docs/running.md, "Checks while it runs"). */
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { CheckState } from '#http/healthModel'
import type { Clock } from '#kernel/time'
import type { CheckName } from './healthState'

export type Checker = {
  /** Runs a check to its end. Resolves with the name of the check that found a fault; undefined if none did. */
  check(which: CheckName): Promise<string | undefined>
  /** Ends the check that runs: as long as it reads the database, the write-ahead log cannot be emptied. */
  stop(): void
}

const isCompiled = /[\\/](?:\$bunfs|~BUN)[\\/]/.test(import.meta.path)
const program = isCompiled
  ? [process.execPath]
  : [process.execPath, fileURLToPath(new URL('../../start/main.ts', import.meta.url))]

/** Runs `trialbox verify` on a data directory, with a low priority. */
export function checkInProcess(directory: string): Checker {
  let child: Bun.Subprocess<'ignore', 'pipe', 'ignore'> | undefined
  return {
    async check(which) {
      const words = ['verify', '--data', directory, ...(which === 'quickCheck' ? ['--quick'] : [])]
      child = Bun.spawn([...program, ...words], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
      lower(child.pid)
      const out = await new Response(child.stdout).text()
      const code = await child.exited
      if (code === 0) return undefined
      return (
        /^(?:fault|stale) {2}(\S+(?: \S+)*)/m.exec(out)?.[1] ??
        `the check did not run (${child.signalCode ?? `code ${code}`})`
      )
    },
    stop: () => child?.kill('SIGKILL'), // it only reads
  }
}

/** Requests come first. A system that does not allow it runs the check as it is. */
function lower(pid: number): void {
  try {
    setPriority(pid, 10)
  } catch {
    // it may have ended already
  }
}

/** When the checks run, in milliseconds: the quick one at the start. `every` 0: `verify` never. */
export type Schedule = { first: number; every: number }

/** Runs the quick check now, and `verify` on the schedule. @param note called with each state; @param fault if a check cannot run */
export function openChecks(
  { check, stop, clock, first, every }: Schedule & Checker & { clock: Clock },
  note: (which: CheckName, state: CheckState) => void,
  fault: (reason: unknown, about: string) => void,
): { close(): void } {
  let isClosed = false
  let timer: Timer | undefined
  let at: CheckState['at'] = null

  async function run(which: CheckName): Promise<void> {
    note(which, { status: 'running', at: which === 'verify' ? at : null })
    try {
      const failed = await check(which)
      if (isClosed) return
      const ended = clock.now()
      if (which === 'verify') at = ended
      note(which, failed === undefined ? { status: 'ok', at: ended } : { status: 'failed', at: ended, failed })
    } catch (reason) {
      if (isClosed) return
      fault(reason, `check: ${which}`)
      note(which, { status: 'notYet', at: null })
    }
  }

  async function verify(): Promise<void> {
    await run('verify')
    if (!isClosed) wait(every)
  }
  function wait(milliseconds: number): void {
    timer = setTimeout(verify, milliseconds)
    timer.unref()
  }

  void run('quickCheck')
  if (every) wait(first)
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      stop()
    },
  }
}
