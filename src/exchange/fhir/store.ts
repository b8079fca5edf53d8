/** The participants of a trial, page by page. */
import { and, eq, gt, lte } from 'drizzle-orm'
import type { VisibleScope } from '#access/caller'
import { participantInScopes } from '#access/visibilityStore'
import type { ParticipantRow } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'

/** The `_id` of the last of the next `limit` participants of a trial, whoever may see them; null if there are none. */
export const endOfChunk = (db: Db, trial: Id, after: Id, limit: number): { last: Id | null; count: number } =>
  db.$client
    .query<{ last: Id | null; count: number }, [{ trial: Id; after: Id; limit: number }]>(
      `SELECT max(_id) AS last, count(*) AS count FROM (
         SELECT _id FROM participants WHERE trial = +$trial AND _id > $after ORDER BY _id LIMIT +$limit)`,
    )
    .get({ trial, after, limit })!

/** The participants of a trial after one `_id` and up to another who are in all these scopes, by `_id`. */
export function participantsBetween(
  db: Db,
  trial: Id,
  [after, last]: readonly [Id, Id],
  scopes: readonly VisibleScope[],
): ParticipantRow[] {
  const within = [gt(participants._id, after), lte(participants._id, last), participantInScopes(scopes)]
  return db
    .select()
    .from(participants)
    .where(and(eq(participants.trial, trial), ...within))
    .orderBy(participants._id)
    .all()
}
