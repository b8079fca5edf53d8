import { and, eq, gt } from 'drizzle-orm'
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { stageTokens } from '#db/tables/index'
import { sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'

type StageTokenRow = typeof stageTokens.$inferSelect

/** Saves a token; only its hash is stored. */
export const insertStageToken = (db: Db, token: string, row: Omit<StageTokenRow, 'hash'>) =>
  insert(db, stageTokens, { ...row, hash: sha256(token) })

/** The row of a token; undefined if the token is unknown or has ended. */
export const stageTokenOf = (db: Db, token: string, now: Instant): StageTokenRow | undefined =>
  db
    .select()
    .from(stageTokens)
    .where(and(eq(stageTokens.hash, sha256(token)), gt(stageTokens.expiresAt, now)))
    .get()
