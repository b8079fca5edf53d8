import type { Db } from '#db/open'
import { insert, rowWhere } from '#db/rows'
import { stageTokens } from '#db/tables/index'
import { sha256 } from '#kernel/id'

type StageTokenRow = typeof stageTokens.$inferSelect

/** Saves a token; only its hash is stored. */
export const insertStageToken = (db: Db, token: string, row: Omit<StageTokenRow, 'hash'>) =>
  insert(db, stageTokens, { ...row, hash: sha256(token) })

/** The row of a token, also of one that has ended; undefined if there is none. */
export const stageTokenOf = (db: Db, token: string): StageTokenRow | undefined =>
  rowWhere(db, stageTokens, { hash: sha256(token) })
