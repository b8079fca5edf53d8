import type { Db } from '#db/open'
import { insert, rowsFrom, rowWhere } from '#db/rows'
import { pollAnswers } from '#db/tables/index'
import { AFTER_IDS, type Id } from '#kernel/id'
import type { ContactMethod } from './rules'

export type PollAnswerRow = typeof pollAnswers.$inferSelect

export const insertPollAnswer = (db: Db, row: PollAnswerRow): PollAnswerRow => insert(db, pollAnswers, row)

/** The answers that a device sent to a poll under this id. */
export const pollAnswerOf = (db: Db, stage: Id, entry: string): PollAnswerRow | undefined =>
  rowWhere(db, pollAnswers, { stage, entry })

/** Whether this contact has answered the poll, and was verified then. */
export const hasAnswered = (db: Db, stage: Id, method: ContactMethod, address: string): boolean =>
  db.$client
    .query<{ one: 1 }, [{ stage: Id; address: string }]>(
      `SELECT 1 AS one FROM pollAnswers WHERE stage = $stage AND ${method} = $address AND ${method}VerifiedAt IS NOT NULL LIMIT 1`,
    )
    .get({ stage, address }) !== null

/** The answers to a poll, newest first. @param after the response after which the page begins; undefined for the first page */
export const pollAnswersOf = (db: Db, stage: Id, limit: number, after: Id = AFTER_IDS): PollAnswerRow[] =>
  rowsFrom(db, pollAnswers, 'WHERE stage = $stage AND response < $after ORDER BY response DESC LIMIT +$limit', {
    stage,
    limit,
    after,
  })

export const pollAnswerCount = (db: Db, stage: Id): number =>
  db.$client
    .query<{ n: number }, [{ stage: Id }]>('SELECT count(*) AS n FROM pollAnswers WHERE stage = $stage')
    .get({ stage })?.n ?? 0
