import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isEmpty, openUnchecked } from '#db/file'
import type { Sqlite } from '#db/open'
import { derivedKey } from '#kernel/cryptography'
import { fault } from '#kernel/fault'
import { type Key, mapKeys } from '#kernel/keyring'
import { SETTINGS_FILE } from '#server/config/settingsFile'
import { removeUnfinishedWrites } from './durableFile'
import { type Lock, lock } from './lock'
import { datedKeys, isTestDirectory, makeSecrets, markUsed, readSecrets } from './secretsFile'

/**
 * The directory that holds everything the server keeps (docs/running.md, "The data directory"). All paths are absolute.
 */
export type DataDirectory = Readonly<{
  root: string
  database: string
  files: string
  exports: string
  backups: string
  tls: string
  /** 32 bytes for one purpose, such as `storage`, from each version of the directory's secret, the current one first. One key reveals nothing about another. */
  keysFor(purpose: string): readonly [Key, ...Key[]]
}>

/** A data directory that this process has locked, and created if it did not exist. */
type LockedDirectory = Readonly<{
  directory: DataDirectory
  isNew: boolean
  lock: Lock
  /** Records that the database is made: from then on, no server starts without it. */
  markUsed(): void
}>

/**
 * What the folder `tls` may hold:
 * - `authority.pem`: the server's own authority with its key, and `authority.given` after it was handed out;
 * - `cert.pem` and `key.pem`: the certificate that the authority signed;
 * - `request-key.pem`: the key of a request to another authority; `installed.pem`: the key and certificate that came back.
 */
export const TLS_FILES = [
  ...(['authority.pem', 'authority.given', 'cert.pem', 'key.pem', 'request-key.pem', 'installed.pem'] as const),
]
export type TlsFile = (typeof TLS_FILES)[number]
const FOLDERS = ['files', 'exports', 'backups', 'tls'] as const
/** Files that only their owner may read. A server sets this for new files; those of an older version have other modes. */
const PRIVATE = ['secrets', 'trialbox.db', 'trialbox.db-wal', 'trialbox.db-shm', 'lock', 'lock.json', SETTINGS_FILE]

/** Names that may be in a directory that was not used yet: remains of an interrupted first start, and files of the system. */
const HARMLESS =
  /^(files|exports|backups|tls|logs|languages|trialbox\.conf|lock(\.json|-journal)?|secrets\.\d+\.tmp|lost\+found|\.DS_Store|\.gitkeep)$/

/**
 * Creates the directory on first use, checks it, and locks it for this process.
 * @param isTest whether a test server opens it: no other server opens the directory of one
 * @throws a fault if it is not a Trialbox directory, not writable, made by a newer version, or locked by another process
 */
export function openDataDirectory(root: string, isTest = false): LockedDirectory {
  makeFolder(root)
  checkDirectory(root)
  checkWritable(root)
  const directoryLock = lock(root)
  try {
    restrict(root, 0o700)
    for (const folder of FOLDERS) makeFolder(join(root, folder))
    removeUnfinishedWrites(root, ['secrets', 'heads'])
    removeUnfinishedWrites(join(root, 'tls'), TLS_FILES)
    const isNew = !existsSync(join(root, 'secrets'))
    if (isNew) makeSecrets(root, { isUnused: true, ...(isTest && { test: true }) })
    for (const name of PRIVATE) if (existsSync(join(root, name))) restrict(join(root, name), 0o600)
    if (!isTest && isTestDirectory(root))
      throw fault(
        `${root} is the directory of a test server (serve --test), which protects passwords only weakly: choose another with --data.`,
      )
    requireDatabase(root)
    return { directory: readDataDirectory(root), isNew, lock: directoryLock, markUsed: () => markUsed(root) }
  } catch (error) {
    directoryLock.release()
    throw error
  }
}

/**
 * Reads a directory that exists, without locking it: for commands that may run beside the server.
 * @throws a fault if there is none, it is not a Trialbox directory, or a newer version made it
 */
export function readDataDirectory(root: string): DataDirectory {
  if (!existsSync(root)) throw fault(`There is no data directory ${root}: name it with --data.`)
  checkDirectory(root)
  const keys = datedKeys(root)
  return Object.freeze({
    root,
    database: join(root, 'trialbox.db'),
    files: join(root, 'files'),
    exports: join(root, 'exports'),
    backups: join(root, 'backups'),
    tls: join(root, 'tls'),
    keysFor: (purpose: string) => mapKeys(keys, (secret) => derivedKey(secret, purpose)),
  })
}

/** @throws a fault if the directory was used and its database is gone: a server would begin with an empty one */
export function requireDatabase(root: string): void {
  const database = join(root, 'trialbox.db')
  if (readSecrets(root).isUnused || (statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  throw fault(
    `${root} has secrets but no database: ${database} was there and is gone or empty. Bring it back, or restore a backup into a new directory.`,
  )
}

/** @throws a fault if no server has made a database in the directory yet, or it is gone: a command would make an empty one */
export function requireUsed(root: string): void {
  requireDatabase(root)
  if (readSecrets(root).isUnused && !hasTables(join(root, 'trialbox.db')))
    throw fault(`There are no data in ${root} yet. Start the server there once: trialbox serve --data ${root}`)
}

/** A file that cannot be read counts as one with tables: the command says what is wrong with it. */
function hasTables(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.size) return false
  let sqlite: Sqlite | undefined
  try {
    sqlite = openUnchecked(path, 5000)
    return !isEmpty(sqlite)
  } catch {
    return true
  } finally {
    sqlite?.close()
  }
}

/** Refuses a directory that holds other files, or a database without its secrets: nothing is written into it. */
export function checkDirectory(root: string): void {
  if (!statSync(root).isDirectory()) throw fault(`${root} is a file, not a directory: choose another with --data.`)
  checkReadable(root)
  const entries = readdirSync(root)
  if (entries.includes('secrets')) return
  if (entries.some((entry) => entry.startsWith('restoring-')))
    throw fault(
      `A restore into ${root} is running or was interrupted: run \`trialbox restore\` again, which removes what is left of it.`,
    )
  if (entries.includes('trialbox.db'))
    throw fault(`${root} has a database but no secrets file beside it: bring \`secrets\` back from a backup.`)
  const foreign = entries.find((entry) => !HARMLESS.test(entry))
  if (foreign !== undefined)
    throw fault(
      `${root} is not empty and no data directory of Trialbox (it holds "${foreign}"): choose another with --data.`,
    )
}

function checkReadable(root: string): void {
  try {
    accessSync(root, constants.R_OK | constants.X_OK)
  } catch {
    throw fault(
      `The data directory ${root} cannot be read by this user: run the command as the user of the server, or choose another with --data.`,
    )
  }
}

function checkWritable(root: string): void {
  try {
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    throw fault(
      `The data directory ${root} cannot be written by this user: change its owner, or choose another with --data.`,
    )
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return // a file of that name, which `checkOurs` reports
    throw fault(`The directory ${path} cannot be made (${code}): choose another with --data.`)
  }
}

/** Removes the read permission of other users of the machine. A file system without modes has none to remove. */
function restrict(path: string, mode: number): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o777) === mode) return
  try {
    chmodSync(path, mode)
  } catch {
    throw fault(
      `${path} can be read by other users, and this user may not change that: run chmod ${mode.toString(8)} on it.`,
    )
  }
}
