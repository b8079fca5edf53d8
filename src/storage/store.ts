import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '#db/open'
import { files } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Received } from './put'

export type StoredFile = typeof files.$inferSelect

/**
 * The finished upload of that stored name, if it was uploaded for this very thing; undefined where it is unknown,
 * unfinished or something else's (docs/decisions.md, "Uploads").
 */
export const usableFile = (db: Db, storedName: string, forType: string, forId: Id): StoredFile | undefined =>
  db.$client
    .query<StoredFile, [string, string, Id]>(
      `SELECT * FROM files
       WHERE storedName = ? AND kind = 'upload' AND forType = ? AND forId = ? AND finishedAt IS NOT NULL`,
    )
    .get(storedName, forType, forId) ?? undefined

export const fileByName = (db: Db, storedName: string): StoredFile | undefined =>
  db.select().from(files).where(eq(files.storedName, storedName)).get()

/** What an upload or an export is written down as. */
export const insertFile = (db: Db, file: typeof files.$inferInsert) => db.insert(files).values(file).run()

/** Marks an announced upload as complete and answers it; undefined where it was no longer awaited. */
export const finishUpload = (db: Db, storedName: string, { size, sha256 }: Received, finishedAt: Instant) =>
  db
    .update(files)
    .set({ size, sha256, finishedAt, expiresAt: null })
    .where(and(eq(files.storedName, storedName), eq(files.kind, 'upload'), isNull(files.finishedAt)))
    .returning()
    .get() as StoredFile | undefined
