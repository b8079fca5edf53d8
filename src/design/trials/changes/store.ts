import type { Db } from '#db/open'
import type { Id } from '#kernel/id'

/** The number of casebooks with unsigned responses, without archived participants, which are not in the locked dataset either. */
export const unsignedCasebooks = (db: Db, trial: Id): number =>
  db.$client
    .query<{ count: number }, [{ trial: Id }]>(
      'SELECT count(*) AS count FROM participants WHERE trial = $trial AND isArchived = 0 AND signedCount < responseCount',
    )
    .get({ trial })!.count
