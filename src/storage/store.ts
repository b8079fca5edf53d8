import type { Db, Sqlite } from '#db/open'
import { insert, rowById, rowWhere, updateWhere } from '#db/rows'
import { files, uploadTotals } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { ReceivedUpload } from './upload'

export type StoredFile = typeof files.$inferSelect

/**
 * The finished upload with that stored name, if it was uploaded for this thing; undefined if it is unknown, not finished,
 * or was uploaded for something else (docs/decisions.md, "Uploads").
 */
export function usableFile(
  db: Db,
  storedName: string,
  forType: StoredFile['forType'],
  forId: Id,
): StoredFile | undefined {
  const file = rowWhere(db, files, { storedName, kind: 'upload', forType, forId })
  return file?.finishedAt == null ? undefined : file
}

export const fileByName = (db: Db, storedName: string): StoredFile | undefined => rowWhere(db, files, { storedName })

/** Inserts the row of an upload or an export. */
export const insertFile = (db: Db, file: typeof files.$inferInsert): StoredFile => insert(db, files, file)

/** Marks an announced upload as complete and returns it; undefined if none with that name was announced and not complete. */
export function finishUpload(
  db: Db,
  storedName: string,
  { size, sha256 }: ReceivedUpload,
  finishedAt: Instant,
): StoredFile | undefined {
  const announced = { storedName, kind: 'upload', finishedAt: null } as const
  const isDone = updateWhere(db, files, announced, { size, sha256, finishedAt, expiresAt: null, heldUntil: null }) === 1
  return isDone ? fileByName(db, storedName) : undefined
}

/** The upload that was announced with these fields and waits for its bytes; undefined if there is none, or it has expired. */
export const waitingUpload = (
  db: Db,
  storedName: string,
  declared: Partial<StoredFile>,
  now: Instant,
): StoredFile | undefined => {
  const file = rowWhere(db, files, { ...declared, storedName, kind: 'upload', finishedAt: null })
  return file && file.size !== null && Math.max(file.expiresAt ?? 0, file.heldUntil ?? 0) > now ? file : undefined
}

/** Lets an announced upload keep its room. Nothing is changed if it is complete. */
export const holdUpload = (db: Db, storedName: string, heldUntil: Instant): void =>
  void updateWhere(db, files, { storedName, kind: 'upload', finishedAt: null }, { heldUntil })

/** Lets an announced upload wait longer for its bytes. */
export const prolongUpload = (db: Db, storedName: string, expiresAt: Instant): void =>
  void updateWhere(db, files, { storedName, kind: 'upload', finishedAt: null }, { expiresAt })

/** Marks an export that has a link already as complete; returns whether it still has. */
export const finishExport = (db: Db, storedName: string, size: number, finishedAt: Instant): boolean =>
  updateWhere(db, files, { storedName, kind: 'export', finishedAt: null }, { size, finishedAt }) === 1

/** Nothing was kept of deletions before schema version 3, and a backup is made before the upgrade. */
const hasKeptFiles = (sqlite: Sqlite): boolean =>
  sqlite.query(`SELECT 1 FROM sqlite_schema WHERE name = 'keptFiles'`).get() !== null

/** Whether a complete file with that stored name is in the table, or kept of something that was deleted. */
export const isFinished = (sqlite: Sqlite, storedName: string): boolean =>
  sqlite
    .query(
      `SELECT 1 FROM files WHERE storedName = $storedName AND finishedAt IS NOT NULL
       ${hasKeptFiles(sqlite) ? 'UNION ALL SELECT 1 FROM keptFiles WHERE storedName = $storedName AND sha256 IS NOT NULL' : ''}`,
    )
    .get({ storedName }) !== null

/** Every complete upload and locked dataset, and those of what was deleted and can be restored. Rows are read one by one, so that a long list needs little memory. */
export const finishedUploads = (sqlite: Sqlite): Iterable<{ storedName: string; sha256: string | null }> =>
  sqlite
    .query<{ storedName: string; sha256: string | null }, []>(
      `SELECT storedName, sha256 FROM files WHERE kind <> 'export' AND finishedAt IS NOT NULL
       ${hasKeptFiles(sqlite) ? 'UNION SELECT storedName, sha256 FROM keptFiles WHERE sha256 IS NOT NULL' : ''} ORDER BY storedName`,
    )
    .iterate()

/** Exports whose link had expired at this moment, announced uploads that had received no bytes for a long time, and uploads that were given up. */
export const filesExpiredBy = (db: Db, before: Instant, limit: number) =>
  db.$client
    .query<Pick<StoredFile, 'storedName' | 'kind' | 'size'>, [{ before: Instant; limit: number }]>(
      `SELECT storedName, kind, size FROM files
       WHERE expiresAt <= $before AND (kind = 'export' OR finishedAt IS NULL) AND coalesce(heldUntil, 0) <= $before
       LIMIT +$limit`,
    )
    .all({ before, limit })

/** Deletes the row of such a file, unless it is an upload that has arrived meanwhile. */
export const deleteExpiredRow = (db: Db, storedName: string) =>
  db.$client
    .query<unknown, [{ storedName: string }]>(
      `DELETE FROM files WHERE storedName = $storedName AND (kind = 'export' OR finishedAt IS NULL)`,
    )
    .run({ storedName })

/** Marks an upload as used by something: it is not cleared any more. */
export const markUsed = (db: Db, storedName: string) =>
  updateWhere(db, files, { storedName, kind: 'upload', isUsed: false }, { isUsed: true })

/**
 * Gives an upload that nothing has named yet to one thing alone: nothing else can name it from now on, so that its bytes can be
 * deleted with that thing. Returns whether it was possible.
 */
export const claimUpload = (db: Db, storedName: string, forId: Id): boolean =>
  updateWhere(db, files, { storedName, kind: 'upload', isUsed: false }, { isUsed: true, forId }) === 1

/** Gives up an upload: it can no longer be used or downloaded, and `filesExpiredBy` finds it from this moment on. */
export const giveUpUpload = (db: Db, storedName: string, expiresAt: Instant): void =>
  void updateWhere(
    db,
    files,
    { storedName, kind: 'upload' },
    { finishedAt: null, size: null, expiresAt, heldUntil: null },
  )

/** Uploads that were complete at this moment and that nothing has named since. */
const unusedSince = (db: Db, before: Instant, limit: number) =>
  db.$client
    .query<Pick<StoredFile, 'storedName'>, [{ before: Instant; limit: number }]>(
      `SELECT storedName FROM files WHERE kind = 'upload' AND isUsed = 0 AND finishedAt <= $before
       ORDER BY finishedAt LIMIT +$limit`,
    )
    .all({ before, limit })

/** Gives up complete uploads that nothing has named. Returns how many. Call it inside a transaction. */
export function giveUpUnusedUploads(db: Db, before: Instant, limit: number): number {
  const unused = unusedSince(db, before, limit)
  for (const { storedName } of unused) giveUpUpload(db, storedName, before)
  return unused.length
}

const HELD = `kind = 'upload' AND finishedAt IS NULL AND heldUntil > $now`

/** The announced bytes that still keep room for a trial or a participant. */
function heldBytes({ $client }: Db, kind: 'trial' | 'participant', owner: Id, now: Instant): number {
  const where = kind === 'trial' ? 'trial = $owner' : `forType = 'participant' AND forId = $owner`
  return (
    $client
      .query<{ bytes: number }, [{ owner: Id; now: Instant }]>(
        `SELECT coalesce(sum(size), 0) AS bytes FROM files WHERE ${where} AND ${HELD}`,
      )
      .get({ owner, now })?.bytes ?? 0
  )
}

/** The bytes of uploads of a trial or a participant: those that are stored, and announced ones that still keep room. */
export const uploadedBytes = (db: Db, kind: 'trial' | 'participant', owner: Id, now: Instant): number =>
  (rowById(db, uploadTotals, owner)?.bytes ?? 0) + heldBytes(db, kind, owner, now)

/** The bytes of uploads for a thing: those that are stored, and announced ones that still keep room. */
export const bytesUploadedFor = (db: Db, of: Pick<StoredFile, 'forType' | 'forId'>, now: Instant): number =>
  db.$client
    .query<{ bytes: number }, [typeof of & { now: Instant }]>(
      `SELECT coalesce(sum(size), 0) AS bytes FROM files
       WHERE forType = +$forType AND forId = +$forId AND kind = 'upload' AND (finishedAt IS NOT NULL OR heldUntil > $now)`,
    )
    .get({ ...of, now })?.bytes ?? 0

/** How many uploads somebody has announced for a thing that still keep their room; `next` is when the first of them loses it. */
export const countOpenUploads = (
  { $client }: Db,
  of: Pick<StoredFile, 'forType' | 'forId' | 'announcedBy'>,
  now: Instant,
): { count: number; next: Instant | null } =>
  $client
    .query<{ count: number; next: Instant | null }, [typeof of & { now: Instant }]>(
      `SELECT count(*) AS count, min(heldUntil) AS next FROM files
       WHERE forType = $forType AND forId = $forId AND announcedBy = $announcedBy AND ${HELD}`,
    )
    .get({ ...of, now }) ?? { count: 0, next: null }
