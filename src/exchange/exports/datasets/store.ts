/** Reads responses by participant, for tables with a row for each participant. */
import type { ResponseRow } from '#conduct/responses/store'
import type { Db } from '#db/open'
import { decodeRow } from '#db/rows'
import { responses } from '#db/tables/index'
import { KEPT, type KeptParticipant, type NarrowRow } from '#exchange/exports/store'
import type { Id } from '#kernel/id'

/** Returns a function that reads these columns of all responses of a participant, as they are now. */
export function responsesOfKept<Name extends keyof ResponseRow>(
  db: Db,
  names: readonly Name[],
): (owner: KeptParticipant) => NarrowRow<Name>[] {
  const fields = [...new Set<string>(['_id', ...names])].map((name) => `r."${name}"`).join(', ')
  const query = db.$client.query<NarrowRow<Name>, [Omit<KeptParticipant, 'participant'> & { participant: Id }]>(
    `SELECT ${fields}, $participantId AS participantId, $sites AS sites, $groups AS groups FROM responses r
     WHERE r.participant = +$participant ORDER BY r._id`,
  )
  return (owner) => {
    const rows = query.all({ ...owner })
    for (const row of rows) decodeRow(responses, row)
    return rows
  }
}

/** Which occurrences of stages the kept participants have responses to. It is read from an index: hence CROSS JOIN. */
export const occurrencesOfKept = (db: Db): { stage: Id; n: number }[] =>
  db.$client
    .query<{ stage: Id; n: number }, []>(
      `SELECT s._id AS stage, found.n FROM (
         SELECT DISTINCT r.stage AS stage, r.stageRecurrence AS n FROM ${KEPT} k
         CROSS JOIN participants p ON p._id = k.participant CROSS JOIN storedResponses r ON r.participant = p.key) found
       JOIN stages s ON s.key = found.stage ORDER BY found.stage, found.n`,
    )
    .all()
