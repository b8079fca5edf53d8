import { and, eq, isNotNull, isNull, lte, or } from 'drizzle-orm'
import type { Db } from '../../db/open'
import { files } from '../../db/tables'
import type { Id } from '../../kernel/id'
import type { Instant } from '../../kernel/time'
import type { Received } from '../../storage/put'

export type FileRow = typeof files.$inferSelect

export type StoredFile = typeof files.$inferSelect

/**
 * The finished upload of that stored name, if it was uploaded for this very thing; undefined where it is unknown,
 * unfinished or something else's (decisions 14, "Files").
 */
export const usableFile = (db: Db, storedName: string, forType: string, forId: Id): StoredFile | undefined =>
  db
    .select()
    .from(files)
    .where(
      and(
        eq(files.storedName, storedName),
        eq(files.kind, 'upload'),
        eq(files.forType, forType),
        eq(files.forId, forId),
        isNotNull(files.finishedAt),
      ),
    )
    .get()

export const fileByName = (db: Db, storedName: string): FileRow | undefined =>
  db.select().from(files).where(eq(files.storedName, storedName)).get()

/** What an upload or an export is written down as. */
export const insertFile = (db: Db, file: typeof files.$inferInsert) => db.insert(files).values(file).run()

/** Marks an announced upload as complete; answers whether it was still awaited. */
export const finishUpload = (db: Db, storedName: string, { size, sha256 }: Received, finishedAt: Instant): boolean =>
  db
    .update(files)
    .set({ size, sha256, finishedAt, expiresAt: null })
    .where(and(eq(files.storedName, storedName), eq(files.kind, 'upload'), isNull(files.finishedAt)))
    .returning({ storedName: files.storedName })
    .all().length > 0

/** Exports, and uploads that never came, whose time is over. */
export const endedFiles = (db: Db, now: Instant, limit: number) =>
  db
    .select({ storedName: files.storedName, kind: files.kind })
    .from(files)
    .where(and(lte(files.expiresAt, now), or(eq(files.kind, 'export'), isNull(files.finishedAt))))
    .limit(limit)
    .all()

/** Deletes the row of a file that has ended; one that was finished meanwhile stays. */
export const deleteEnded = (db: Db, storedName: string) =>
  db
    .delete(files)
    .where(and(eq(files.storedName, storedName), or(eq(files.kind, 'export'), isNull(files.finishedAt))))
    .run()
