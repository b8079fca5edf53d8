/** Lets the server have the processor before the work that people wait for less. Not possible on every system, and never needed. */
import { readlinkSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const LOW = 10

/** Lowers the priority of this process, and lets it be the first to be stopped if the machine runs out of memory. */
export function lowerProcessPriority(): void {
  try {
    setPriority(LOW)
    writeFileSync('/proc/self/oom_score_adj', '900')
  } catch {}
}

/** Lowers the priority of this thread alone. Linux counts it among the processes, under a number of its own. */
export function lowerThreadPriority(): void {
  try {
    const [, , thread] = readlinkSync('/proc/thread-self').split('/')
    setPriority(Number(thread), LOW)
  } catch {}
}
