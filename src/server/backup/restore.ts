/** Restores a backup: into a temporary folder first, where every byte is checked, and only then into the data directory. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { appendEntry } from '#audit/append'
import { headsIn, verifyHeads } from '#audit/heads'
import { checkpointAndClose, countRows } from '#db/file'
import { type Migration, migrations } from '#db/migrations/list'
import { drizzleOf, openSqlite, type Sqlite } from '#db/open'
import { schemaVersion } from '#db/schemaVersion'
import { fault } from '#kernel/fault'
import type { Instant } from '#kernel/time'
import { readDataDirectory } from '#server/process/dataDirectory'
import { syncDirectory } from '#server/process/durableFile'
import { isHeld } from '#server/process/lock'
import { isStoredName } from '#storage/names'
import { uploadName } from './make'
import { MANIFEST, type Manifest, readManifest } from './manifest'
import { type Entry, entriesOf } from './tar'
import { inThisVersion } from './upgrade'

/** The maximum size of a manifest, in bytes: enough for more than half a million uploads. */
const LARGEST_MANIFEST = 256 << 20

/** The order in which files are moved into place. `secrets` comes last: the server refuses a directory without it. */
const PLACES = ['files', 'tls', 'trialbox.db', 'secrets']

/**
 * Restores an archive into a directory that does not exist or is empty. Nothing is moved into place before the archive is read,
 * every file has its recorded SHA-256, and the database passes `verify`; if anything fails, nothing is left behind.
 * @param verify throws a fault that names the first error; it is given a database of the newest version, which is a
 *   copy if the archive's database is older: the server upgrades that one when it opens it
 */
export function restoreBackup(
  archive: string,
  data: string,
  now: Instant,
  verify: (sqlite: Sqlite) => void,
  list: readonly Migration[] = migrations,
): Manifest {
  checkEmpty(data)
  const isThere = existsSync(data)
  const name = `restoring-${randomBytes(6).toString('hex')}`
  // Inside a directory that exists: it may be a mounted disk, and a folder beside it could not be renamed onto it.
  const staging = isThere ? join(data, name) : `${data}.${name}`
  try {
    mkdirSync(staging, { recursive: true, mode: 0o700 })
    const manifest = unpack(archive, staging)
    checkDatabase(staging, manifest, now, verify, list)
    if (!isThere) renameSync(staging, data)
    else
      for (const place of PLACES)
        if (existsSync(join(staging, place))) renameSync(join(staging, place), join(data, place))
    syncDirectory(isThere ? data : dirname(data))
    return manifest
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function checkEmpty(data: string): void {
  if (!existsSync(data)) return
  const entries = readdirSync(data).filter((entry) => entry !== 'lost+found')
  if (entries.includes('lock') && isHeld(data))
    throw fault(`The data directory ${data} is in use by a running Trialbox: a backup is restored into an empty one.`)
  if (entries.length)
    throw fault(`${data} is not empty (it holds "${entries[0]}"): a backup is restored into a new or empty directory.`)
}

/** Writes the files of the archive into the folder and checks them against the manifest. Returns the manifest. */
function unpack(archive: string, folder: string): Manifest {
  const found = new Map<string, { size: number; sha256: string }>()
  let manifest: Manifest | undefined
  const file = openSync(archive, 'r')
  try {
    for (const entry of entriesOf(file)) {
      if (manifest) throw fault('The backup is damaged: something follows its end.')
      if (entry.name === MANIFEST) manifest = readManifest(textOf(entry))
      else if (!isExpected(entry.name) || found.has(entry.name))
        throw fault(`This is no backup of Trialbox: it holds "${entry.name}".`)
      else found.set(entry.name, { size: entry.size, sha256: writeEntry(entry, join(folder, entry.name)) })
    }
  } finally {
    closeSync(file)
  }
  if (!manifest) throw fault('The backup is cut short: its manifest is missing.')
  for (const { name, size, sha256 } of manifest.files) {
    const file = found.get(name)
    if (!file) throw fault(`The backup is damaged: ${name} is missing.`)
    if (file.size !== size || file.sha256 !== sha256)
      throw fault(`The backup is damaged: ${name} is not what was kept.`)
    found.delete(name)
  }
  for (const name of found.keys()) throw fault(`The backup is damaged: ${name} is not in its manifest.`)
  return manifest
}

/** Whether a backup may contain a file of this name. No other path is ever written. */
function isExpected(name: string): boolean {
  if (['secrets', 'trialbox.db', 'tls/cert.pem', 'tls/key.pem'].includes(name)) return true
  const stored = name.split('/').at(-1)
  return isStoredName(stored) && name === uploadName(stored)
}

/** Writes a file and flushes it to the disk. Returns its SHA-256. */
function writeEntry(entry: Entry, path: string): string {
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

function textOf({ size, pieces }: Entry): string {
  if (size > LARGEST_MANIFEST) throw fault('The backup is damaged: its manifest is too long.')
  const bytes = Buffer.concat([...pieces].map((piece) => Buffer.from(piece)))
  if (bytes.length < size) throw fault('The backup is cut short.')
  return bytes.toString()
}

/**
 * Checks that the database is the one that was backed up, is sound and can be run by this program; then writes the restore
 * into its log.
 */
function checkDatabase(
  folder: string,
  manifest: Manifest,
  now: Instant,
  verify: (sqlite: Sqlite) => void,
  list: readonly Migration[],
): void {
  const { database } = readDataDirectory(folder)
  if (!existsSync(database)) throw fault('The backup is damaged: trialbox.db is missing.')
  const sqlite = openSqlite(database)
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
    if (schema !== list.length) return // The table of the audit trail may have an older form than the entry.
    const event = { madeBy: manifest.version, madeAt: manifest.createdAt }
    appendEntry(drizzleOf(sqlite), {
      chain: 'service',
      createdAt: now,
      type: 'restoreBackup',
      userType: 'system',
      event,
    })
  } finally {
    checkpointAndClose(sqlite)
  }
}
