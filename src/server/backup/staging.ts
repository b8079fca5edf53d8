/** A restore fills a temporary folder first, which is put in the place of the data directory when it is complete. */

import { existsSync, lchownSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomBytes } from '#kernel/cryptography'
import { fault } from '#kernel/fault'
import { abandonedRestores, isOwnStaging, ownMark } from '#server/process/abandonedFiles'
import { syncDirectory } from '#server/process/durableFile'
import { isHeld } from '#server/process/lock'
import { changeOwner, type Owner } from '#server/process/owner'

/** The order in which files are moved into place. `secrets` comes last: the server refuses a directory without it. */
const PLACES = ['files', 'damaged', 'tls', 'trialbox.conf', 'trialbox.db', 'heads', 'secrets']

/** A file in the folder that says that files are being moved out of it, into the empty directory around it. */
const MOVING = 'moving'

/**
 * Calls `fill` with a temporary folder, and makes it the data directory. If `fill` throws, nothing is left behind. What killed
 * restores into this directory left is removed first.
 * @param report called with a line for each thing that was removed
 * @param owner who gets the directory and all files in it; this user if it is left out
 * @throws a fault if the directory exists and is not empty
 */
export function intoNewDirectory<T>(
  data: string,
  report: (line: string) => void,
  owner: Owner | undefined,
  fill: (folder: string) => T,
): T {
  clearAbandonedRestores(data, report)
  requireEmpty(data)
  const isThere = existsSync(data)
  const name = `restoring-${ownMark(randomBytes(6).toString('hex'))}`
  // Inside a directory that exists: it may be a mounted disk, and a folder beside it could not be renamed onto it.
  const staging = isThere ? join(data, name) : `${data}.${name}`
  try {
    mkdirSync(staging, { recursive: true, mode: 0o700 })
    const result = fill(staging)
    if (owner) changeOwner(owner, staging)
    if (owner && isThere) lchownSync(data, owner.user, owner.group)
    if (isThere) moveFrom(staging, data)
    else renameSync(staging, data)
    syncDirectory(isThere ? data : dirname(data))
    return result
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/**
 * Removes what killed restores into a directory, or beside it, left: they hold all data of a study.
 * @param report called with a line for each
 */
export function clearAbandonedRestores(data: string, report: (line: string) => void): void {
  for (const path of abandonedRestores(data)) clear(path, data, report)
}

function moveFrom(staging: string, data: string): void {
  writeFileSync(join(staging, MOVING), '')
  syncDirectory(staging)
  for (const place of PLACES) if (existsSync(join(staging, place))) renameSync(join(staging, place), join(data, place))
}

/**
 * Removes the folder of a killed restore, and what it had already moved into the directory, which was empty before. A restore that
 * had moved the secrets was complete.
 */
function clear(folder: string, data: string, report: (line: string) => void): void {
  if (existsSync(join(folder, MOVING)) && !existsSync(join(data, 'secrets')))
    for (const place of PLACES)
      if (!existsSync(join(folder, place))) rmSync(join(data, place), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
  report(`removed ${folder}, which an interrupted restore left`)
}

/** @throws a fault if a backup cannot be restored into this directory, as it is not empty */
export function requireEmpty(data: string): void {
  if (!existsSync(data)) return
  const entries = readdirSync(data).filter((entry) => entry !== 'lost+found' && !isOwnStaging(entry))
  if (entries.includes('lock') && isHeld(data))
    throw fault(`The data directory ${data} is in use by a running Trialbox: a backup is restored into an empty one.`)
  if (entries.length)
    throw fault(`${data} is not empty (it holds "${entries[0]}"): a backup is restored into a new or empty directory.`)
}
