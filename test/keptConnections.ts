/**
 * Connections that worlds use one after the other. To open a database costs more than what most tests do with it: SQLite reads the
 * schema, creates some hundred temporary triggers, and prepares each statement anew. A connection that a world leaves as it was
 * gets the file of the next world under it, and keeps all that. It is closed if anything is not as it was.
 */
import * as bunSqlite from 'bun:sqlite'
import { mock } from 'bun:test'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './temporary'

const { Database } = bunSqlite
type Sqlite = InstanceType<typeof Database>

const FILE = 'trialbox.db'
/** Where the file says how often it was changed, and as of which change other numbers of it are valid. */
const CHANGES = [24, 92]
const MOST_IDLE = 4

/** A connection, and how it is when it has just been opened. */
type Kept = { directory: string; sqlite?: Sqlite; inode?: number; state?: string }

const idle: Kept[] = []
/** The connection of the world that is being opened. */
let opening: Kept | undefined
let isReleasing = false
let changes = 2 ** 30

const one = (sqlite: Sqlite, sql: string) => JSON.stringify(sqlite.query(sql).get())

/** The schemas of the file and of temporary tables, and whether changes are noted that no audit entry has. */
const stateOf = (sqlite: Sqlite) =>
  one(sqlite, 'PRAGMA main.schema_version') +
  one(sqlite, 'PRAGMA temp.schema_version') +
  one(sqlite, 'SELECT count(*) AS databases FROM pragma_database_list') +
  one(sqlite, 'SELECT EXISTS (SELECT 1 FROM temp.changedRows) AS isChanged')

/** The connection as one world sees it: closed when that world ends, and without what other worlds have set. */
function handleOf(kept: Kept, sqlite: Sqlite): Sqlite {
  const isWatching = kept.sqlite !== undefined
  kept.sqlite = sqlite
  const own = new Map<PropertyKey, unknown>()
  let isClosed = false
  const methods: Pick<Sqlite, 'close' | 'run'> = {
    close(...how: Parameters<Sqlite['close']>) {
      if (isClosed) return
      isClosed = true
      if (!isReleasing || !release(kept)) sqlite.close(...how)
      delete kept.state
    },
    run(...given: Parameters<Sqlite['run']>) {
      // The triggers of the world before are the same.
      if (isWatching && !kept.state && /temp\.changedRows|^CREATE TEMP TABLE changedRows/.test(given[0]))
        return { changes: 0, lastInsertRowid: 0 }
      return sqlite.run(...given)
    },
  }
  return new Proxy(sqlite, {
    get(target, name) {
      if (isClosed && name !== 'close') throw new RangeError('Cannot use a closed database')
      if (own.has(name)) return own.get(name)
      const value = Reflect.get(Object.hasOwn(methods, name) ? methods : target, name, target)
      if (typeof value !== 'function') return value
      const bound = value.bind(target)
      own.set(name, bound)
      return bound
    },
    set(_, name, value) {
      own.set(name, value)
      return true
    },
    deleteProperty(_, name) {
      own.delete(name)
      return true
    },
  })
}

/** Leaves the connection to the next world, if it is as it was. */
function release(kept: Kept): boolean {
  const { directory, sqlite, inode, state } = kept
  if (!sqlite || !state || sqlite.inTransaction || idle.length >= MOST_IDLE) return false
  const path = join(directory, FILE)
  try {
    sqlite.run('PRAGMA busy_timeout = 0')
    // No other connection may be open. This one then reads the file anew if it was changed.
    const isFree =
      stateOf(sqlite) === state &&
      statSync(path).ino === inode &&
      one(sqlite, 'PRAGMA journal_mode = DELETE') === '{"journal_mode":"delete"}'
    if (!isFree) return false
  } catch {
    return false
  }
  idle.push({ directory, sqlite })
  return true
}

/** Puts a file in the place of that of an idle connection. */
function replaceFile(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  const change = Buffer.alloc(4)
  change.writeUInt32BE(changes++)
  writeSync(file, bytes, 0, bytes.length, 0)
  for (const at of CHANGES) writeSync(file, change, 0, change.length, at)
  ftruncateSync(file, bytes.length)
  closeSync(file)
}

mock.module('bun:sqlite', () => {
  const OpenDatabase = new Proxy(Database, {
    construct(target, given: ConstructorParameters<typeof Database>, newTarget) {
      const open = (): Sqlite => Reflect.construct(target, given, newTarget)
      if (!opening || given[0] !== join(opening.directory, FILE)) return open()
      return handleOf(opening, opening.sqlite ?? open())
    },
  })
  return { ...bunSqlite, Database: OpenDatabase, default: OpenDatabase }
})

/**
 * Opens a service with a kept connection, or with a new one, in a directory with these files.
 * @param files by their paths in the directory
 * @param open must open the database of the directory before it returns, and no other one there
 */
export function openKept<T>(files: ReadonlyMap<string, Uint8Array>, open: (directory: string) => T): T {
  const kept: Kept = idle.pop() ?? { directory: temporaryFolder('kept-') }
  const { directory, sqlite } = kept
  for (const [name, bytes] of files) {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    if (name === FILE && sqlite) replaceFile(path, bytes)
    else writeFileSync(path, bytes)
  }
  opening = kept
  try {
    const opened = open(directory)
    kept.inode = statSync(join(directory, FILE)).ino
    kept.state = stateOf(kept.sqlite!)
    return opened
  } finally {
    opening = undefined
  }
}

/** Closes a service, keeps its connection if that is as it was, and removes its files. */
export function closeKept(service: { close(): void }, directory: string): void {
  isReleasing = true
  try {
    service.close()
  } finally {
    isReleasing = false
  }
  const remove = (path: string) => rmSync(path, { recursive: true, force: true })
  if (idle.some((kept) => kept.directory === directory)) {
    for (const name of readdirSync(directory)) if (name !== FILE) remove(join(directory, name))
  } else remove(directory)
}
