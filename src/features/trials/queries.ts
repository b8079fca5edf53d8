import { eq, sql } from 'drizzle-orm'
import { type Db, once } from '../../db/open'
import { trials } from '../../db/tables'
import type { Id } from '../../kernel/id'

export type Trial = typeof trials.$inferSelect

const byId = once((db) =>
  db
    .select()
    .from(trials)
    .where(eq(trials._id, sql.placeholder('id')))
    .prepare(),
)

/** A trial, whoever asks; undefined where there is none. */
export const trialById = (db: Db, id: Id): Trial | undefined => byId(db).get({ id })
