import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'

/** The participant ID that the study gave; undefined if the participant was deleted. */
export const participantIdOf = (db: Db, participant: Id): string | undefined =>
  rowById(db, participants, participant)?.id
