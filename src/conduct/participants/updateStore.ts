import type { Db } from '#db/open'
import { updateById } from '#db/rows'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { sortId } from './rules'
import type { ParticipantRow } from './store'

/** Updates the given fields, and `idSort` with the ID. Returns the row after the update. */
export const changeParticipant = (db: Db, _id: Id, change: Partial<typeof participants.$inferInsert>): ParticipantRow =>
  updateById(db, participants, _id, change.id === undefined ? change : { ...change, idSort: sortId(change.id) })
