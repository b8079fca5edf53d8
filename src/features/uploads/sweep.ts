/** What nobody can use any more: uploads that never came, exports whose link has ended, what a crash left. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { House } from '../../house'
import { DAY, type Instant } from '../../kernel/time'
import { sweep } from '../../storage/put'
import { deleteEnded, endedFiles, fileByName } from './queries'

/** How long an announced upload is awaited: its link lives an hour, and what began in its last minute may take long. */
export const AWAITED = DAY

const BATCH = 200

/** Deletes what has ended by `now`, a bounded part at a time. Answers whether more may be left. For the scheduler. */
export async function sweepFiles(house: House, now: Instant): Promise<boolean> {
  const { db, storage } = house
  const ended = endedFiles(db, now, BATCH)
  // The file first: a row that is left is found again, a file without its row is not.
  for (const { storedName, kind } of ended) if (kind === 'export') await storage.remove(storedName)
  if (ended.length) {
    await house.commit((): unknown => ended.forEach(({ storedName }) => void deleteEnded(db, storedName)))
    return ended.length === BATCH
  }
  // By the machine's clock, as the disk dates its files, should the service's own have been moved ahead.
  const before = Math.min(now, Date.now() * 1000) - AWAITED
  await sweep(storage.files, before)
  await sweepExports(house, before)
  return false
}

/** Exports that no row knows: answers whose sending was cut off, and files half written when the process ended. */
async function sweepExports({ db, storage }: House, before: Instant): Promise<void> {
  for (const name of await readdir(storage.exports)) {
    const path = join(storage.exports, name)
    const file = await stat(path).catch(() => undefined)
    if (file?.isFile() && file.mtimeMs * 1000 < before && !fileByName(db, name)) await rm(path, { force: true })
  }
}
