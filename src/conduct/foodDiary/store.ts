import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { foodDiaryEntries } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type EntryRow = typeof foodDiaryEntries.$inferSelect

/** Days from the first to the last, both included. */
export type Days = { from: string; to: string }

/** The entries of a participant on these days, by day and time. @param skip how many to leave out at the beginning */
export const entriesOf = (db: Db, participant: Id, { from, to }: Days, limit: number, skip: number): EntryRow[] =>
  rowsFrom(
    db,
    foodDiaryEntries,
    `WHERE participant = $participant AND date BETWEEN $from AND $to
     ORDER BY date, loggedAt, _id LIMIT +$limit OFFSET +$skip`,
    { participant, from, to, limit, skip },
  )

/** All entries of a participant. */
export const diaryOf = (db: Db, participant: Id): EntryRow[] =>
  rowsFrom(db, foodDiaryEntries, 'WHERE participant = $participant ORDER BY _id', { participant })
