/** Goes back to the database from before an upgrade, for the program of the version before (docs/running.md, "Go back"). */
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { appendEntry } from '#audit/append'
import { entriesAfter, headsOf } from '#audit/store'
import { checkpointAndClose, countRows, openUnchecked } from '#db/file'
import { type Migration, migrations } from '#db/migrations/list'
import { drizzleOf, openSqlite, type Sqlite } from '#db/open'
import { checkSchema, schemaVersion } from '#db/schemaVersion'
import { fault } from '#kernel/fault'
import { type Instant, instantText } from '#kernel/time'
import type { DataDirectory } from '#server/process/dataDirectory'
import { syncDirectory, syncFile } from '#server/process/durableFile'
import { freeSpaceAt } from '#server/process/freeSpace'
import { keepHeads } from '#server/process/heads'
import { lock } from '#server/process/lock'
import { copyOf, isRotated } from '#server/process/secretsFile'
import { snapshotOf } from './snapshot'
import { clearUnfinished, inThisVersion, unfinishedName } from './upgrade'

/** Milliseconds to wait for a lock. */
const WAIT = 10_000

/** What people look for first. */
const COUNTED = ['trials', 'participants', 'storedSubmissions', 'signatures', 'consents', 'users'] as const

/** What was written after the upgrade, and is not in the database from before it. */
export type Loss = {
  /** The schema versions of the two databases. */
  from: number
  to: number
  /** Entries of the audit trail, and when the first of them was written; null if there is none. */
  entries: number
  since: Instant | null
  /** How many rows more there are, by table: fewer if rows were deleted. */
  rows: Record<string, number>
}

function lossOf(current: Sqlite, before: Sqlite): Loss {
  const kept = new Map(headsOf(before).map(({ chain, entries }) => [chain, entries]))
  const ends = headsOf(current).filter(({ chain, entries }) => entries > (kept.get(chain) ?? 0))
  const times = ends.flatMap(({ chain }) => entriesAfter(current, chain, kept.get(chain) ?? 0)[0]?.createdAt ?? [])
  const [now, then] = [countRows(current), countRows(before)]
  const rows = COUNTED.flatMap((table) => {
    const more = (now[table] ?? 0) - (then[table] ?? 0)
    return more ? [[table, more] as const] : []
  })
  return {
    from: schemaVersion(current),
    to: schemaVersion(before),
    entries: ends.reduce((sum, { chain, entries }) => sum + entries - (kept.get(chain) ?? 0), 0),
    since: times.length ? Math.min(...times) : null,
    rows: Object.fromEntries(rows),
  }
}

type Options = {
  list?: readonly Migration[]
  /** Returns what fails in a database of the newest version, a sentence each. */
  verify: (sqlite: Sqlite) => string[]
  /** Receives what would be lost. Returns whether to go back; if not, nothing is changed. */
  confirm: (loss: Loss) => boolean
}

/**
 * Puts the copy from before the upgrade in the place of the database, which is kept as `after-<version>.db`. A kill at any moment leaves
 * a directory that one of the two programs can serve.
 * @returns where the database is kept; undefined if it was not confirmed
 * @throws a fault if a server runs, there is no copy, or the copy does not verify
 */
export function rollBack(directory: DataDirectory, now: Instant, options: Options): string | undefined {
  const { list = migrations, verify, confirm } = options
  const { root, database, backups } = directory
  const held = lock(root)
  try {
    if (copyOf(root))
      throw fault(
        'This directory is a restored copy, which a program before this version refuses: restore the backup with that program.',
      )
    if (isRotated(root))
      throw fault(
        'The keys of this directory were rotated, and the database from before the upgrade needs the first one: restore a backup from before with that program.',
      )
    for (const folder of [root, backups]) clearUnfinished(folder)
    const copy = join(backups, `before-${list.length}.db`)
    const kept = join(backups, `after-${list.length}.db`)
    const next = join(root, unfinishedName())
    const loss = examineLoss(database, copy, backups, list, verify)
    if (!confirm(loss)) return undefined
    if (freeSpaceAt(root) < 2 * Bun.file(database).size + Bun.file(copy).size)
      throw fault(`There is too little free space in ${root} to keep both databases. Nothing was changed.`)
    try {
      copyFileSync(copy, next)
      logRollback(next, loss, now, kept)
      swapDatabases(directory, { next, copy, kept })
    } finally {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${next}${suffix}`, { force: true })
    }
    return kept
  } finally {
    held.release()
  }
}

/** What is lost. @throws a fault if the two databases are not what they should be */
function examineLoss(
  database: string,
  copy: string,
  backups: string,
  list: readonly Migration[],
  verify: (sqlite: Sqlite) => string[],
): Loss {
  const current = openSqlite(database)
  try {
    checkSchema(current, list)
    const version = schemaVersion(current)
    if (version !== list.length)
      throw fault(
        `The database has schema version ${version}, not ${list.length}: start it with the program that wrote it.`,
      )
    if (!existsSync(copy))
      throw fault(
        `There is no ${copy}: no upgrade to schema version ${list.length} was made here. Restore a backup with the old program.`,
      )
    const before = openUnchecked(copy, WAIT)
    try {
      checkSchema(before, list)
      if (schemaVersion(before) >= list.length) throw fault(`${copy} is not from before the upgrade.`)
      const [problem] = inThisVersion(before, backups, verify, list)
      if (problem) throw fault(`${copy} cannot be used, ${problem}. Restore a backup with the old program.`)
      return lossOf(current, before)
    } finally {
      before.close()
    }
  } finally {
    checkpointAndClose(current)
  }
}

/** Enters the rollback in the service's log of the database from before the upgrade. */
function logRollback(path: string, { from, to, entries, since, rows }: Loss, now: Instant, kept: string): void {
  const sqlite = openSqlite(path)
  try {
    const lost = { entries, since: since === null ? null : instantText(since), rows }
    appendEntry(
      drizzleOf(sqlite),
      {
        ...{ chain: 'service', createdAt: now, type: 'rollBack', userType: 'system' },
        event: { from, to, lost, kept },
      },
      null,
    )
  } finally {
    checkpointAndClose(sqlite)
  }
  syncFile(path)
}

/** The heads of the copy hold for both databases: between the two renames, either program finds what it expects. */
function swapDatabases(
  { root, database }: DataDirectory,
  { next, copy, kept }: Record<'next' | 'copy' | 'kept', string>,
): void {
  const current = openSqlite(database)
  try {
    snapshotOf(current, `${kept}.part`)
  } finally {
    checkpointAndClose(current)
  }
  renameSync(`${kept}.part`, kept)
  const heads = join(root, 'heads')
  keepHeadsOf(copy, heads)
  for (const suffix of ['-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true })
  renameSync(next, database)
  syncDirectory(root)
  keepHeadsOf(database, heads)
}

function keepHeadsOf(path: string, heads: string): void {
  const sqlite = openUnchecked(path, WAIT)
  try {
    keepHeads(sqlite, heads)
  } finally {
    sqlite.close()
  }
}
