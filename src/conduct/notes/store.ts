import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { notes } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type NoteRow = typeof notes.$inferSelect

/** Notes about a participant, newest first. @param skip how many to leave out at the beginning */
export const notesOf = (db: Db, participant: Id, limit: number, skip: number): NoteRow[] =>
  rowsFrom(db, notes, 'WHERE participant = $participant ORDER BY _id DESC LIMIT +$limit OFFSET +$skip', {
    participant,
    limit,
    skip,
  })
