import type { Db } from '#db/open'
import { insert, rowsFrom, rowWhere } from '#db/rows'
import { pollAnswers } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type PollAnswerRow = typeof pollAnswers.$inferSelect

export const insertPollAnswer = (db: Db, row: PollAnswerRow): PollAnswerRow => insert(db, pollAnswers, row)

/** The answers that a device sent to a poll under this id. */
export const pollAnswerOf = (db: Db, stage: Id, entry: string): PollAnswerRow | undefined =>
  rowWhere(db, pollAnswers, { stage, entry })

/** The answers to a poll, newest first. */
export const pollAnswersOf = (db: Db, stage: Id, limit: number, offset: number): PollAnswerRow[] =>
  rowsFrom(db, pollAnswers, 'WHERE stage = $stage ORDER BY response DESC LIMIT +$limit OFFSET +$offset', {
    stage,
    limit,
    offset,
  })

export const pollAnswerCount = (db: Db, stage: Id): number =>
  db.$client
    .query<{ n: number }, [{ stage: Id }]>('SELECT count(*) AS n FROM pollAnswers WHERE stage = $stage')
    .get({ stage })?.n ?? 0
