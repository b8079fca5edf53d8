import type { Db } from '#db/open'
import { insert, rowWhere, updateWhere } from '#db/rows'
import { files } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Received } from './put'

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

/** Marks an announced upload as complete and returns it; undefined if no upload with that name was awaited. */
export function finishUpload(
  db: Db,
  storedName: string,
  { size, sha256 }: Received,
  finishedAt: Instant,
): StoredFile | undefined {
  const awaited = { storedName, kind: 'upload', finishedAt: null } as const
  const isDone = updateWhere(db, files, awaited, { size, sha256, finishedAt, expiresAt: null }) === 1
  return isDone ? fileByName(db, storedName) : undefined
}
