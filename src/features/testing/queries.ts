import { desc } from 'drizzle-orm'
import type { Db } from '../../db/open'
import { outbox } from '../../db/tables'

/** The newest messages, oldest first. */
export const newestMessages = (db: Db, limit: number) =>
  db.select().from(outbox).orderBy(desc(outbox._id)).limit(limit).all().reverse()
