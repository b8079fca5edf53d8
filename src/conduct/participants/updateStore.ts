import type { Db } from '#db/open'
import { updateById } from '#db/rows'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { sortId } from './rules'
import type { ParticipantRow } from './store'

/** Changes the fields that are given; the sorted form follows the ID. */
export const changeParticipant = (db: Db, _id: Id, change: Partial<typeof participants.$inferInsert>): ParticipantRow =>
  updateById(db, participants, _id, change.id === undefined ? change : { ...change, idSort: sortId(change.id) })
