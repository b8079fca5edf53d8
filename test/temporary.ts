/** Temporary files: all those of a run are in one folder, also those of the programs that tests start. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'trialbox-tests-'
const ENOUGH_BYTES = 2 ** 32

/** A folder in memory if there is enough: tests wait for the disk at each commit, and do not test the disk. */
function temporaryParent(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize >= ENOUGH_BYTES) return '/dev/shm'
  } catch {}
  return tmpdir()
}

const parent = process.env.TESTS_TMPDIR ?? temporaryParent()
// Workers of the test runner load this for each file: the second time TMPDIR is already set here.
process.env.TESTS_TMPDIR = parent
const root = join(parent, `${PREFIX}${process.pid}`)
process.env.TMPDIR = root

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (reason) {
    return (reason as NodeJS.ErrnoException).code === 'EPERM'
  }
}

// A run that was killed could not remove its folder: the next run does.
for (const name of readdirSync(parent)) {
  if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length)))) {
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {} // it belongs to another user
  }
}

export const makeTemporary = () => mkdirSync(root, { recursive: true })

/** A browser serves all files of a process, and so do kept connections: their files must stay while it runs. */
const isOfProcess = (name: string): boolean => /^(playwright|org\.chromium|kept-)/.test(name)

/** Removes what the tests of a file have left. */
export function removeTemporary(): void {
  const left = readdirSync(root)
  for (const name of left) if (!isOfProcess(name)) rmSync(join(root, name), { recursive: true, force: true })
  if (!left.some(isOfProcess)) rmSync(root, { recursive: true, force: true })
}
makeTemporary()

/** An empty folder, which is removed at the end of the run at the latest; `kept-`: not at the end of the file. */
export function temporaryFolder(prefix: 'test-' | 'kept-' = 'test-'): string {
  makeTemporary()
  return mkdtempSync(join(root, prefix))
}
