/** Restores a backup: into a temporary folder first, where every byte is checked, and only then into the data directory. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { headsIn, verifyHeads } from '#audit/heads'
import { checkpointAndClose, countRows, openUnchecked } from '#db/file'
import { type Migration, migrations } from '#db/migrations/list'
import { migrate, openSqlite, type Sqlite } from '#db/open'
import { schemaVersion } from '#db/schemaVersion'
import { fault } from '#kernel/fault'
import { type Instant, instantText } from '#kernel/time'
import { configure } from '#server/config/settings'
import { readDataDirectory } from '#server/process/dataDirectory'
import { keepHeads } from '#server/process/heads'
import type { Owner } from '#server/process/owner'
import { markCopy } from '#server/process/secretsFile'
import { readArchive } from './archive'
import type { Manifest } from './manifest'
import { endRestoredAccess, type RestoredAccess } from './restoredAccess'
import { intoNewDirectory } from './staging'
import type { Entry } from './tar'
import { inThisVersion } from './upgrade'

/** Milliseconds to wait for a lock. */
const WAIT = 10_000

export type RestoreOptions = {
  list?: readonly Migration[]
  /** Called with a line for each thing that a killed restore left and that was removed. */
  report?: (line: string) => void
  /** Whether API keys work again without a confirmation. */
  areKeysKept?: boolean
  /** Who gets the directory. */
  owner?: Owner | undefined
}

/**
 * Restores an archive into a directory that does not exist or is empty. Nothing is moved into place before the archive is read,
 * every file has its recorded SHA-256, and the database passes `verify`; if anything fails, nothing is left behind.
 * @param verify throws a fault that names the first error; it is given a database of the newest version, which is a
 *   copy if the archive's database is older: the server upgrades that one when it opens it
 */
export const restoreBackup = (
  archive: string,
  data: string,
  now: Instant,
  verify: (sqlite: Sqlite) => void,
  { list = migrations, report = () => {}, areKeysKept = false, owner }: RestoreOptions = {},
): { manifest: Manifest; restoredAccess: RestoredAccess } =>
  intoNewDirectory(data, report, owner, (folder) => {
    const manifest = readArchive(archive, (entry) => writeEntry(entry, join(folder, entry.name)))
    checkDatabase(folder, manifest, verify, list)
    const event = { madeBy: manifest.version, madeAt: manifest.createdAt }
    return { manifest, restoredAccess: completeRestore(folder, now, { event, areKeysKept, list }) }
  })

/** Writes a file and flushes it to the disk. Returns its SHA-256. */
export function writeEntry(entry: Entry, path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const hash = new Bun.CryptoHasher('sha256')
  const file = openSync(path, 'wx', 0o600)
  try {
    for (const piece of entry.pieces) {
      hash.update(piece)
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at)
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

/** Checks that the database is the one that was backed up, is sound and can be run by this program. */
function checkDatabase(
  folder: string,
  manifest: Manifest,
  verify: (sqlite: Sqlite) => void,
  list: readonly Migration[],
): void {
  const { database } = readDataDirectory(folder)
  if (!existsSync(database)) throw fault('The backup is damaged: trialbox.db is missing.')
  const sqlite = openUnchecked(database, WAIT)
  try {
    const schema = schemaVersion(sqlite)
    if (schema > list.length)
      throw fault(
        `The backup was made by Trialbox ${manifest.version} with schema version ${schema}; this program knows up to ${list.length}. Use that version of Trialbox, or a later one.`,
      )
    inThisVersion(sqlite, folder, verify, list)
    verifyHeads(sqlite, headsIn(manifest.heads.join('\n')))
    const counts = countRows(sqlite)
    const wrong = Object.keys({ ...counts, ...manifest.counts }).find(
      (table) => counts[table] !== manifest.counts[table],
    )
    if (wrong) throw fault(`The backup is damaged: the number of rows in ${wrong} is not that in its manifest.`)
  } finally {
    sqlite.close()
  }
}

/**
 * Makes a restored folder a copy that can be served: its database has this version, its sessions are ended, and it sends nothing until
 * it goes live (docs/backup.md, "A copy sends nothing"). The service's log says so, and the ends of the trail are kept beside it.
 */
export function completeRestore(
  folder: string,
  now: Instant,
  {
    event,
    areKeysKept,
    list,
  }: { event: Record<string, unknown> & { madeAt?: string }; areKeysKept: boolean; list: readonly Migration[] },
): RestoredAccess {
  const { database } = readDataDirectory(folder)
  const sqlite = openSqlite(database)
  try {
    migrate(sqlite, list)
    const restoredAccess = endRestoredAccess(sqlite, now, { areKeysKept, event })
    keepHeads(sqlite, join(folder, 'heads'))
    const { madeAt = null } = event
    markCopy(folder, { address: addressIn(folder), madeAt, restoredAt: instantText(now) })
    return restoredAccess
  } finally {
    checkpointAndClose(sqlite)
  }
}

/** The address of the server that was backed up, if its settings name one. */
function addressIn(folder: string): string | null {
  try {
    return configure({ data: folder }, {}).publicUrl ?? null
  } catch {
    return null // settings of another version
  }
}
