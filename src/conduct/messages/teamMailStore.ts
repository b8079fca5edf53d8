import type { ParticipantRow } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { participants } from '#db/tables/index'
import type { Instant } from '#kernel/time'

/** At most `limit` participants about whose messages an e-mail to the team is due, the longest due first. */
export const participantsWithTeamMailDue = (db: Db, now: Instant, limit: number): ParticipantRow[] =>
  rowsFrom(
    db,
    participants,
    'WHERE teamMailDueAt IS NOT NULL AND teamMailDueAt <= $now ORDER BY teamMailDueAt LIMIT +$limit',
    { now, limit },
  )
