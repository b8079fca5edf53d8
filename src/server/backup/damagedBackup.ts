/** Restores what is left of a damaged backup, and lists what is not. */
import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createDerived } from '#db/derivedSchema'
import { checkpointAndClose, integrityProblem, openUnchecked } from '#db/file'
import { type Migration, migrations } from '#db/migrations/list'
import { openSqlite, type Sqlite } from '#db/open'
import { type SalvagedTable, salvageInto } from '#db/salvage'
import { repairSchema } from '#db/schemaRepair'
import { fault } from '#kernel/fault'
import type { Instant } from '#kernel/time'
import { readDataDirectory } from '#server/process/dataDirectory'
import { makeSecrets } from '#server/process/secretsFile'
import { uploadPath } from '#storage/names'
import { finishedUploads } from '#storage/store'
import { hashOfFile } from '#writers/file'
import { isExpected, textOf, uploadName } from './archive'
import { MANIFEST, type Manifest, readManifest } from './manifest'
import { completeRestore, type RestoreOptions, writeEntry } from './restore'
import type { RestoredAccess } from './restoredAccess'
import { intoNewDirectory } from './staging'
import { remainingEntries } from './tar'
import { inThisVersion } from './upgrade'

/** Milliseconds to wait for a lock. */
const WAIT = 10_000

export type DamagedRestore = {
  /** The manifest of the archive, if it could be read. */
  manifest: Manifest | undefined
  /** What could not be brought back as it was, a sentence each. */
  problems: string[]
  restoredAccess: RestoredAccess
}

/**
 * Restores the readable part of an archive into a new or empty directory. Files that are not what was backed up are put into the
 * folder `damaged` there. Rows on damaged pages of the database are left out.
 * @param verify returns what fails in the restored database, a sentence each
 * @throws a fault if no database can be read, and then nothing is left behind
 */
export const restoreDamaged = (
  archive: string,
  data: string,
  now: Instant,
  verify: (sqlite: Sqlite) => string[],
  { list = migrations, report = () => {}, areKeysKept = false, owner }: RestoreOptions = {},
): DamagedRestore =>
  intoNewDirectory(data, report, owner, (folder) => {
    const { manifest, hashes, problems } = unpack(archive, folder)
    if (!existsSync(join(folder, 'trialbox.db')))
      throw fault('No database is left in this archive, so nothing can be brought back.')
    problems.push(...compare(folder, manifest, hashes), ...completeSecrets(folder))
    problems.push(...repairDatabase(folder, manifest, list))
    problems.push(...compareUploads(folder, manifest))
    const { database } = readDataDirectory(folder)
    const sqlite = openUnchecked(database, WAIT)
    try {
      problems.push(...inThisVersion(sqlite, folder, verify, list))
    } finally {
      sqlite.close()
    }
    const made = manifest ? { madeBy: manifest.version, madeAt: manifest.createdAt } : {}
    const event = { ...made, damaged: true, problems: problems.length }
    return { manifest, problems, restoredAccess: completeRestore(folder, now, { event, areKeysKept, list }) }
  })

/** Writes every readable file of the archive into the folder. */
function unpack(archive: string, folder: string) {
  const problems: string[] = []
  const hashes = new Map<string, string>()
  let manifest: Manifest | undefined
  const file = openSync(archive, 'r')
  try {
    for (const entry of remainingEntries(file)) {
      const { name } = entry
      if (name === MANIFEST)
        try {
          manifest = readManifest(textOf(entry))
        } catch {
          // Reported below, as for an archive without a manifest.
        }
      else if (!isExpected(name) || hashes.has(name)) problems.push(`"${name}" does not belong into a backup; left out`)
      else {
        const path = join(folder, name)
        hashes.set(name, writeEntry(entry, path))
        if (statSync(path).size < entry.size) {
          problems.push(`${name} is cut short: ${statSync(path).size} of ${entry.size} bytes are there`)
          if (name === 'trialbox.db') lengthen(path, entry.size)
        }
      }
    }
  } finally {
    closeSync(file)
  }
  if (!manifest) problems.push('the manifest cannot be read: nothing can be compared with it')
  return { manifest, hashes, problems }
}

/** Fills a database that was cut off with zeros: SQLite reads the pages before them only if the file has its whole length. */
function lengthen(path: string, size: number): void {
  const file = openSync(path, 'r+')
  ftruncateSync(file, size)
  closeSync(file)
}

/** Compares the files with the manifest; those that differ are put aside, except the database, which is repaired. */
function compare(folder: string, manifest: Manifest | undefined, hashes: ReadonlyMap<string, string>): string[] {
  return (manifest?.files ?? []).flatMap(({ name, sha256 }) => {
    const found = hashes.get(name)
    if (found === sha256) return []
    if (found === undefined) return [`${name} is missing`]
    if (name === 'trialbox.db') return ['trialbox.db is not what was kept']
    if (name !== 'secrets') putAside(folder, name)
    return [`${name} is not what was kept${name === 'secrets' ? '' : '; it is in the folder damaged'}`]
  })
}

function putAside(folder: string, name: string): void {
  const to = join(folder, 'damaged', basename(name))
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  renameSync(join(folder, name), to)
}

/** Makes new secrets if those of the archive are lost: without them the server does not start. */
function completeSecrets(folder: string): string[] {
  const path = join(folder, 'secrets')
  if (existsSync(path))
    try {
      readDataDirectory(folder)
      return []
    } catch {
      rmSync(path)
    }
  makeSecrets(folder)
  return [
    'the secrets are lost and new ones were made: links that were sent out have ended, and two-step sign-in must be set up again',
  ]
}

/** Rebuilds a damaged database from the rows that can be read. */
function repairDatabase(folder: string, manifest: Manifest | undefined, list: readonly Migration[]): string[] {
  const path = join(folder, 'trialbox.db')
  const damage = damageOf(path)
  if (damage === undefined) return []
  const fresh = join(folder, 'rebuilt.db')
  repairSchema(path, manifest?.schema ?? list.length, list)
  const tables = rebuild(path, fresh, list)
  if (!tables.some(({ rows }) => rows))
    throw fault('No row of the database can be read, so nothing can be brought back.')
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  renameSync(fresh, path)
  const lost = tables.flatMap(({ table, rows, isWhole }) => {
    const before = manifest?.counts[table]
    if (before === undefined ? isWhole : rows === before) return []
    return [`${table}: ${rows} ${before === undefined ? '' : `of ${before} `}rows could be read`]
  })
  return [`the database file is damaged (${damage}) and was rebuilt from its readable rows`, ...lost]
}

/** Copies the readable rows of a damaged database into a new one. */
function rebuild(path: string, fresh: string, list: readonly Migration[]): SalvagedTable[] {
  const damaged = openUnchecked(path, WAIT)
  const sqlite = openSqlite(fresh)
  try {
    const tables = salvageInto(damaged, sqlite, list)
    createDerived(sqlite)
    return tables
  } finally {
    damaged.close()
    checkpointAndClose(sqlite)
  }
}

/** What is damaged in the file; undefined if nothing is. */
function damageOf(path: string): string | undefined {
  const sqlite = openUnchecked(path, WAIT)
  try {
    return integrityProblem(sqlite)?.split('\n')[0]
  } catch (error) {
    return (error as Error).message
  } finally {
    sqlite.close()
  }
}

/** Compares uploads with the database where there is no manifest, and finds those that are missing. */
function compareUploads(folder: string, manifest: Manifest | undefined): string[] {
  if (manifest) return []
  const sqlite = openUnchecked(join(folder, 'trialbox.db'), WAIT)
  try {
    return [...finishedUploads(sqlite)].flatMap(({ storedName, sha256 }) => {
      const path = uploadPath(join(folder, 'files'), storedName)
      const name = uploadName(storedName)
      if (!existsSync(path)) return [`${name} is missing`]
      if (sha256 === null || hashOfFile(path) === sha256) return []
      putAside(folder, name)
      return [`${name} is not what was uploaded; it is in the folder damaged`]
    })
  } finally {
    sqlite.close()
  }
}
