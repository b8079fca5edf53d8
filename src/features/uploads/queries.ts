import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../db/open'
import { files } from '../../db/tables'
import type { Id } from '../../kernel/id'

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
