import { rmSync } from 'node:fs'
import { isProof } from '../proof'
import { temporaryFolder } from '../temporary'

/** Runs with its own folder, which is removed afterwards. */
export function inFolder<T>(run: (folder: string) => T): T {
  const folder = temporaryFolder()
  try {
    return run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The same for what waits. */
export async function inFolderLater<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = temporaryFolder()
  try {
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs a Python program with the system's Python, which has Debian's python3-openpyxl, python3-pandas and python3-icalendar. */
export function python(program: string, ...args: string[]): { ok: boolean; out: string; error: string } {
  const done = Bun.spawnSync(['/usr/bin/python3', '-c', program, ...args])
  return { ok: done.exitCode === 0, out: done.stdout.toString(), error: done.stderr.toString() }
}

/** Whether a Python module is installed, in the proof. If one is missing, CI fails; elsewhere its tests are skipped. */
export function hasPython(module: string): boolean {
  if (!isProof) return false
  let found = false
  try {
    found = python(`import ${module}`).ok
  } catch {}
  if (!found && process.env.CI === 'true') throw new Error(`/usr/bin/python3 with ${module} is needed on CI.`)
  return found
}
