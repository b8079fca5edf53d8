import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEST_DIRECTORY } from '#server/config/testOptions'
import { isHeld } from '#server/process/lock'
import { isTestDirectory } from '#server/process/secretsFile'

const NAME = new RegExp(`^${TEST_DIRECTORY}[\\w-]{12}$`)

/** Younger directories that no server has locked yet are left alone: it may be about to. In milliseconds. */
const YOUNG_MS = 60_000

/**
 * Deletes the directories of test servers that were killed: only those of this user that a test server made and no process has
 * locked. Never rejects.
 * @param folder where to look
 */
export async function removeTestDirectories(folder = tmpdir(), now = Date.now()): Promise<void> {
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (isAbandoned(path, now)) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name))
  } catch {
    return []
  }
}

function isAbandoned(path: string, now: number): boolean {
  try {
    const stat = lstatSync(path)
    const isOurs = process.getuid === undefined || stat.uid === process.getuid()
    if (!stat.isDirectory() || !isOurs) return false
    if (now - stat.mtimeMs < YOUNG_MS && !existsSync(join(path, 'lock.json'))) return false
    return existsSync(join(path, 'secrets')) && isTestDirectory(path) && !isHeld(path, 0)
  } catch {
    return false // another server is deleting it
  }
}
