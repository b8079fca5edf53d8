/** Makes a backup: one archive of the database as it is at one moment, the uploads it names, and the secrets. */

import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { headLine } from '#audit/heads'
import { headsOf } from '#audit/store'
import { countRows, openUnchecked } from '#db/file'
import { type Migration, migrations } from '#db/migrations/list'
import { openSqlite, type Sqlite } from '#db/open'
import { checkSchema, schemaVersion } from '#db/schemaVersion'
import { randomBytes } from '#kernel/cryptography'
import { fault } from '#kernel/fault'
import { type Instant, instantText, SECOND } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import { ownMark } from '#server/process/abandonedFiles'
import { type DataDirectory, TLS_FILES } from '#server/process/dataDirectory'
import { syncDirectory } from '#server/process/durableFile'
import { datedKeys } from '#server/process/secretsFile'
import { isStoredName, uploadPath } from '#storage/names'
import { finishedUploads, isFinished } from '#storage/store'
import { hashOfFile, writeNew } from '#writers/file'
import { hashOfEntry, readArchive, uploadName } from './archive'
import { encryptPieces } from './encryption'
import { FORMAT, MANIFEST, type Manifest } from './manifest'
import { snapshotOf } from './snapshot'
import { archiveEnd, packFile, piecesOf } from './tar'
import { inThisVersion } from './upgrade'

/** Milliseconds to wait for a lock. */
const WAIT = 10_000

export type Backup = {
  /** Where the archive is: a damaged one has another name than was asked for. */
  path: string
  manifest: Manifest
  /** Bytes of the archive. */
  bytes: number
  /** SHA-256 of the archive, which the user should keep in another place. */
  sha256: string
  /** Why `restore` would refuse the archive, a sentence each. */
  faults: string[]
}

type Options = {
  list?: readonly Migration[]
  /** The checks of the database that a restore makes. Returns what fails, a sentence each. */
  verify?: (sqlite: Sqlite) => string[]
  /** Public keys of age, for which the archive is encrypted; without any, it is not encrypted. */
  recipients?: readonly string[]
}

/** The name of an archive that a restore would refuse. It differs from that of a good one. */
const damagedName = (path: string): string => path.replace(/(\.tar)?(\.age)?$/, '.damaged.tar$2')

/**
 * Writes the archive completely or not at all; a server may be running. The database comes first, as a copy of one state; then
 * come the uploads that are finished in that state. An upload never changes, so only those that were deleted since can be
 * missing. Exports are not part of a backup, as they can be created again. The copy is checked and the archive read again, as a
 * restore does it; of an encrypted one, which this machine cannot decrypt, the bytes are compared. Nothing of an encrypted backup is
 * written in the clear outside the data directory.
 */
export async function makeBackup(
  directory: DataDirectory,
  path: string,
  now: Instant,
  options: Options = {},
): Promise<Backup> {
  const { list = migrations, verify = () => [], recipients = [] } = options
  const mark = ownMark(randomBytes(6).toString('hex'))
  const folder = recipients.length ? directory.backups : dirname(path)
  const snapshot = join(folder, `snapshot-${mark}.part`)
  const part = `${path}.${mark}.part`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const keys = keyVersions(directory)
    copyDatabase(directory.database, snapshot, list)
    const faults = problemsOf(snapshot, folder, verify, list)
    const archive = await writeArchive(part, archiveOf(directory, snapshot, now), recipients)
    if (keys.some((version) => !keyVersions(directory).includes(version)))
      throw fault('A key of the server was forgotten while the backup was made. Make it again.')
    try {
      if (!recipients.length) readArchive(part, hashOfEntry)
      else if (hashOfFile(part) !== archive.sha256) throw fault('The archive on the disk is not what was written.')
    } catch (error) {
      faults.push((error as Error).message)
    }
    const kept = faults.length ? damagedName(path) : path
    if (existsSync(kept)) throw fault(`${kept} is there already, and a backup is never written over.`)
    renameSync(part, kept)
    syncDirectory(dirname(path))
    return { ...archive, path: kept, faults }
  } finally {
    for (const each of [snapshot, `${snapshot}-journal`, part]) rmSync(each, { force: true })
  }
}

const keyVersions = ({ root }: DataDirectory): number[] => datedKeys(root).map(({ version }) => version)

/** What fails in the copy of the database. */
function problemsOf(
  snapshot: string,
  folder: string,
  verify: (sqlite: Sqlite) => string[],
  list: readonly Migration[],
): string[] {
  const sqlite = openUnchecked(snapshot, WAIT)
  try {
    return inThisVersion(sqlite, folder, verify, list)
  } catch (error) {
    return [(error as Error).message]
  } finally {
    sqlite.close()
  }
}

/** Writes the archive to a file: as it is, or encrypted for recipients. */
async function writeArchive(
  path: string,
  content: Generator<Uint8Array, Manifest>,
  recipients: readonly string[],
): Promise<Pick<Backup, 'manifest' | 'bytes' | 'sha256'>> {
  const hash = new Bun.CryptoHasher('sha256')
  let manifest: Manifest | undefined
  function* pieces(): Generator<Uint8Array, void> {
    manifest = yield* content
  }
  const bytes = await writeNew(path, async (output) => {
    for await (const piece of recipients.length ? encryptPieces(pieces(), recipients) : pieces()) {
      hash.update(piece)
      output.write(piece)
    }
    return output.size()
  })
  if (!manifest) throw new Error('The archive ended before its manifest.')
  return { manifest, bytes, sha256: hash.digest('hex') }
}

/** The archive in chunks, which are overwritten when the next one is asked for. */
function* archiveOf(directory: DataDirectory, snapshot: string, now: Instant): Generator<Uint8Array, Manifest> {
  const files: Manifest['files'] = []
  const seconds = Math.floor(now / SECOND)
  /** Adds a file as it is now. Returns its SHA-256. */
  function* add(name: string, from: string): Generator<Uint8Array, string> {
    const file = openSync(from, 'r')
    try {
      const { size } = fstatSync(file)
      const hash = new Bun.CryptoHasher('sha256')
      yield* packFile(name, size, hashPieces(piecesOf(file, size), hash), seconds)
      const sha256 = hash.digest('hex')
      files.push({ name, size, sha256 })
      return sha256
    } finally {
      closeSync(file)
    }
  }
  yield* add('secrets', join(directory.root, 'secrets'))
  const settings = join(directory.root, 'trialbox.conf')
  if (existsSync(settings)) yield* add('trialbox.conf', settings)
  for (const name of certificates(directory.tls)) yield* add(`tls/${name}`, join(directory.tls, name))
  yield* add('trialbox.db', snapshot)
  const sqlite = openUnchecked(snapshot, WAIT)
  try {
    const amiss = yield* addUploads(sqlite, directory, add)
    const manifest: Manifest = {
      format: FORMAT,
      version: serviceVersion,
      createdAt: instantText(now),
      schema: schemaVersion(sqlite),
      counts: countRows(sqlite),
      heads: headsOf(sqlite).map(headLine),
      files,
      amiss,
    }
    const text = Buffer.from(JSON.stringify(manifest))
    yield* packFile(MANIFEST, text.length, [text], seconds)
    yield archiveEnd()
    return manifest
  } finally {
    sqlite.close()
  }
}

/** @throws a fault if a newer version wrote the database: this version does not know what belongs to it */
function copyDatabase(database: string, path: string, list: readonly Migration[]): void {
  const sqlite = openSqlite(database)
  try {
    checkSchema(sqlite, list)
    snapshotOf(sqlite, path)
  } finally {
    sqlite.close()
  }
}

/** The authority and the certificates, so that devices which trust them still do after a restore. */
const certificates = (folder: string): string[] =>
  existsSync(folder) ? TLS_FILES.filter((name) => readdirSync(folder).includes(name)) : []

function* hashPieces(
  pieces: Iterable<Uint8Array>,
  hash: { update(bytes: Uint8Array): unknown },
): Generator<Uint8Array> {
  for (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

/** Adds every finished upload. Returns the uploads that are missing on the disk or differ from what was uploaded. */
function* addUploads(
  snapshot: Sqlite,
  directory: DataDirectory,
  add: (name: string, from: string) => Generator<Uint8Array, string>,
): Generator<Uint8Array, Manifest['amiss']> {
  const amiss: Manifest['amiss'] = []
  const live = openUnchecked(directory.database, WAIT)
  try {
    for (const { storedName, sha256: expected } of finishedUploads(snapshot)) {
      if (!isStoredName(storedName)) continue
      const from = uploadPath(directory.files, storedName)
      const name = uploadName(storedName)
      if (!existsSync(from)) {
        // An upload that was deleted while the backup ran is not missing.
        if (isFinished(live, storedName)) amiss.push({ name, problem: 'is missing' })
        continue
      }
      const found = yield* add(name, from)
      if (expected !== null && found !== expected) amiss.push({ name, problem: 'is not what was uploaded' })
    }
  } finally {
    live.close()
  }
  return amiss
}

/** The default name of an archive. */
export const backupName = (now: Instant, isEncrypted = false): string =>
  `trialbox-${instantText(now).slice(0, 19).replace(/[-:]/g, '')}Z.tar${isEncrypted ? '.age' : ''}`
