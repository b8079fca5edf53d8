import type { Db, Sqlite } from '#db/open'
import { insert, rowWhere, updateWhere } from '#db/rows'
import { files } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { ReceivedUpload } from './put'

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
  const isDone = updateWhere(db, files, announced, { size, sha256, finishedAt, expiresAt: null }) === 1
  return isDone ? fileByName(db, storedName) : undefined
}

/** Whether a complete file with that stored name is in the table. */
export const isFinished = (sqlite: Sqlite, storedName: string): boolean =>
  sqlite.query('SELECT 1 FROM files WHERE storedName = $storedName AND finishedAt IS NOT NULL').get({ storedName }) !==
  null

/** Every complete upload and locked dataset. Rows are read one by one, so that a long list needs little memory. */
export const finishedUploads = (sqlite: Sqlite): Iterable<{ storedName: string; sha256: string | null }> =>
  sqlite
    .query<{ storedName: string; sha256: string | null }, []>(
      `SELECT storedName, sha256 FROM files WHERE kind <> 'export' AND finishedAt IS NOT NULL ORDER BY storedName`,
    )
    .iterate()

/** Exports whose link had expired at this moment, and announced uploads that had not arrived by then. */
export const filesExpiredBy = (db: Db, before: Instant, limit: number) =>
  db.$client
    .query<Pick<StoredFile, 'storedName' | 'kind'>, [{ before: Instant; limit: number }]>(
      `SELECT storedName, kind FROM files
       WHERE expiresAt <= $before AND (kind = 'export' OR finishedAt IS NULL) LIMIT $limit`,
    )
    .all({ before, limit })

/** Deletes the row of such a file, unless it is an upload that has arrived meanwhile. */
export const deleteExpiredRow = (db: Db, storedName: string) =>
  db.$client
    .query<unknown, [{ storedName: string }]>(
      `DELETE FROM files WHERE storedName = $storedName AND (kind = 'export' OR finishedAt IS NULL)`,
    )
    .run({ storedName })
