/** Makes a backup: one archive of the database as it is at one moment, the uploads it names, and the secrets. */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { headLine } from '#audit/heads'
import { headsOf } from '#audit/store'
import { countRows, openUnchecked } from '#db/file'
import { type Migration, migrations } from '#db/migrations/list'
import { openSqlite, type Sqlite } from '#db/open'
import { checkSchema, schemaVersion } from '#db/schemaVersion'
import { type Instant, instantText, SECOND } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import type { DataDirectory } from '#server/process/dataDirectory'
import { isStoredName, uploadPath } from '#storage/names'
import { finishedUploads, isFinished } from '#storage/store'
import { replaceFile } from '#writers/file'
import { FORMAT, MANIFEST, type Manifest } from './manifest'
import { snapshotOf } from './snapshot'
import { packer, piecesOf } from './tar'

/** Milliseconds to wait for a lock. */
const WAIT = 10_000

export type Backup = {
  manifest: Manifest
  /** Bytes of the archive. */
  bytes: number
  /** SHA-256 of the archive, which the user should keep in another place. */
  sha256: string
}

/**
 * Writes the archive completely or not at all; a server may be running. The database comes first, as a copy of one state; then
 * come the uploads that are finished in that state. An upload never changes, so only those that were deleted since can be
 * missing. Exports are not part of a backup, as they can be created again.
 */
export function makeBackup(
  directory: DataDirectory,
  path: string,
  now: Instant,
  list: readonly Migration[] = migrations,
): Backup {
  const snapshot = join(dirname(path), `snapshot-${randomBytes(6).toString('hex')}.part`)
  const archive = new Bun.CryptoHasher('sha256')
  try {
    copyDatabase(directory.database, snapshot, list)
    return replaceFile(path, (output) => {
      const files: Manifest['files'] = []
      const write = (bytes: Uint8Array) => {
        archive.update(bytes)
        output.write(bytes)
      }
      const pack = packer(write, Math.floor(now / SECOND))
      /** Adds a file as it is now. Returns its SHA-256. */
      const add = (name: string, from: string): string => {
        const file = openSync(from, 'r')
        try {
          const { size } = fstatSync(file)
          const hash = new Bun.CryptoHasher('sha256')
          pack.add(name, size, hashed(piecesOf(file, size), hash))
          const sha256 = hash.digest('hex')
          files.push({ name, size, sha256 })
          return sha256
        } finally {
          closeSync(file)
        }
      }
      add('secrets', join(directory.root, 'secrets'))
      for (const name of certificates(directory.tls)) add(`tls/${name}`, join(directory.tls, name))
      add('trialbox.db', snapshot)
      const sqlite = openUnchecked(snapshot, WAIT)
      try {
        const amiss = addUploads(sqlite, directory, add)
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
        pack.add(MANIFEST, text.length, [text])
        pack.end()
        return { manifest, bytes: output.size(), sha256: archive.digest('hex') }
      } finally {
        sqlite.close()
      }
    })
  } finally {
    rmSync(snapshot, { force: true })
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

/** The certificate and key that the server made itself, so that clients which trust them still do after a restore. */
const certificates = (folder: string): string[] =>
  ['cert.pem', 'key.pem'].filter((name) => existsSync(folder) && readdirSync(folder).includes(name))

function* hashed(pieces: Iterable<Uint8Array>, hash: { update(bytes: Uint8Array): unknown }): Generator<Uint8Array> {
  for (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

/** Adds every finished upload. Returns the uploads that are missing on the disk or differ from what was uploaded. */
function addUploads(
  snapshot: Sqlite,
  directory: DataDirectory,
  add: (name: string, from: string) => string,
): Manifest['amiss'] {
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
      const found = add(name, from)
      if (expected !== null && found !== expected) amiss.push({ name, problem: 'is not what was uploaded' })
    }
  } finally {
    live.close()
  }
  return amiss
}

/** The path of an upload in the archive, the same as in the data directory. */
export const uploadName = (storedName: string): string => uploadPath('files', storedName).replaceAll('\\', '/')

/** The default name of an archive. */
export const backupName = (now: Instant): string =>
  `trialbox-${instantText(now).slice(0, 19).replace(/[-:]/g, '')}Z.tar`
