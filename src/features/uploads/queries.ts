import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../db/open'
import { files } from '../../db/tables'
import type { Id } from '../../kernel/id'

export type StoredFile = typeof files.$inferSelect

/** The uploaded file of that stored name, where it was uploaded for this object and is complete (decisions 14 "Files"). */
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
