/** Where tests write: everything temporary of a run stands in one folder, that of the programs they start as well. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'trialbox-tests-'
const ROOMY = 2 ** 32

/** Memory where there is plenty: a test waits for the disk at each of its commits, and it is not the disk that it tests. */
function roomiest(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize >= ROOMY) return '/dev/shm'
  } catch {}
  return tmpdir()
}

const place = process.env.TESTS_TMPDIR ?? roomiest()
// Workers of the runner load this once a file: the second time TMPDIR is already ours.
process.env.TESTS_TMPDIR = place
const root = join(place, `${PREFIX}${process.pid}`)
process.env.TMPDIR = root

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (reason) {
    return (reason as NodeJS.ErrnoException).code === 'EPERM'
  }
}

// A run that was killed could not remove what it wrote: the next one does.
for (const name of readdirSync(place)) {
  if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length)))) {
    try {
      rmSync(join(place, name), { recursive: true, force: true })
    } catch {} // it is somebody else's
  }
}

export const makeTemporary = () => mkdirSync(root, { recursive: true })
export const removeTemporary = () => rmSync(root, { recursive: true, force: true })
makeTemporary()

/** An empty folder, which is gone when the run ends at the latest. */
export function temporaryFolder(): string {
  makeTemporary()
  return mkdtempSync(join(root, 'test-'))
}
