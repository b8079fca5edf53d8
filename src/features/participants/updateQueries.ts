import type { Db } from '../../db/open'
import { updateById } from '../../db/rows'
import { participants } from '../../db/tables'
import type { Id } from '../../kernel/id'
import type { ParticipantRow } from './queries'
import { sortId } from './rules'

/** Changes the fields that are given; the sorted form follows the ID. */
export const changeParticipant = (db: Db, _id: Id, change: Partial<typeof participants.$inferInsert>): ParticipantRow =>
  updateById(db, participants, _id, change.id === undefined ? change : { ...change, idSort: sortId(change.id) })
