/** Checks that stored files exist, with the size and the content that was uploaded (docs/decisions.md, "Uploads"). */
import { existsSync, statSync } from 'node:fs'
import type { Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import { isStoredName, uploadPath } from '#storage/names'
import { hashOfFile } from '#writers/file'
import { finishEntries, finishedFiles } from './verifyStore'

/** The hash of each finished upload in the audit trail, by stored name. */
function recordedHashes(sqlite: Sqlite): Map<string, string> {
  const hashes = new Map<string, string>()
  for (const { event } of finishEntries(sqlite)) {
    const { storedName, digest } = JSON.parse(event) as { storedName: string; digest: string }
    hashes.set(storedName, digest)
  }
  return hashes
}

/**
 * Reads every finished upload and locked dataset from the disk. Returns a summary.
 * @param folder of the files
 * @throws a fault that names the first file that differs
 */
export function verifyFiles(sqlite: Sqlite, folder: string): string {
  const recorded = recordedHashes(sqlite)
  let count = 0
  for (const { storedName, size, sha256, locked } of finishedFiles(sqlite)) {
    const path = isStoredName(storedName) ? uploadPath(folder, storedName) : ''
    if (!existsSync(path)) throw fault(`file ${storedName} is missing`)
    const bytes = statSync(path).size
    if (bytes !== size) throw fault(`file ${storedName} has ${bytes} bytes, not ${size}`)
    const hash = hashOfFile(path)
    const expected = [sha256, locked, recorded.get(storedName)].filter((each) => each != null)
    if (expected.some((each) => each !== hash)) throw fault(`file ${storedName} is not what was stored`)
    count++
  }
  return `${count} files are what was stored`
}
