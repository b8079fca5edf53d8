import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../db/open'
import { files } from '../../db/tables'
import type { Id } from '../../kernel/id'

/** A finished upload, usable only where it was uploaded for (decisions 14, "Files"); undefined where it is none. */
export const usableFile = (db: Db, storedName: string, forType: string, forId: Id) =>
  db
    .select()
    .from(files)
    .where(
      and(
        eq(files.storedName, storedName),
        eq(files.forType, forType),
        eq(files.forId, forId),
        isNotNull(files.finishedAt),
      ),
    )
    .get()
