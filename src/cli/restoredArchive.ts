import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { randomBytes } from '#kernel/cryptography'
import { fault } from '#kernel/fault'
import { systemClock } from '#kernel/time'
import type { Manifest } from '#server/backup/manifest'
import { ownMark } from '#server/process/abandonedFiles'
import { freeSpaceAt } from '#server/process/freeSpace'
import { withPlainArchive } from './plainArchive'

/**
 * Restores an archive into a folder beside the data directory, calls a function with it, and deletes it. What a kill leaves of it is
 * removed as what a killed restore leaves.
 * @param data the data directory, which need not exist and is not touched
 * @throws a fault if the archive cannot be restored
 */
export async function withRestoredArchive<T>(
  archive: string,
  { identity, data }: { identity: string | undefined; data: string },
  use: (restored: string, manifest: Manifest) => T | Promise<T>,
): Promise<T> {
  if (!existsSync(archive)) throw fault(`There is no file ${archive}.`)
  if (!existsSync(dirname(data))) throw fault(`There is no folder ${dirname(data)}, beside which to restore.`)
  const needed = statSync(archive).size * (identity === undefined ? 1 : 2)
  if (freeSpaceAt(dirname(data)) < needed)
    throw fault(
      `${dirname(data)} has too little free space: restoring the archive needs ${Math.ceil(needed / 2 ** 20)} MB.`,
    )
  const [{ restoreBackup }, { problemsIn }] = await Promise.all([import('#server/backup/restore'), import('./checks')])
  const mark = ownMark(randomBytes(6).toString('hex'))
  const folder = join(dirname(data), `${basename(data)}.drill.restoring-${mark}`)
  const restored = join(folder, 'data')
  try {
    mkdirSync(folder, { mode: 0o700 })
    return await withPlainArchive(archive, identity, restored, (plain) => {
      const { manifest } = restoreBackup(plain, restored, systemClock.now(), (sqlite) => {
        const [problem] = problemsIn(sqlite)
        if (problem) throw fault(`The backup cannot be restored, ${problem}.`)
      })
      return use(restored, manifest)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
