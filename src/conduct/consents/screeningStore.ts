import type { Db } from '#db/open'
import type { Id } from '#kernel/id'

/** The responses of a participant to the form that followed their consent. */
export const screeningOf = (db: Db, participant: Id, stage: Id): Id[] =>
  db.$client
    .query<{ _id: Id }, [{ participant: Id; stage: Id }]>(
      'SELECT _id FROM responses WHERE participant = +$participant AND stage = +$stage ORDER BY stageRecurrence LIMIT 1000',
    )
    .all({ participant, stage })
    .map(({ _id }) => _id)
