/** Responses read for an export: by key in pages, which is faster than one by one and holds no more than a page. */
import type { Places } from '#access/caller'
import type { ResponseRow } from '#conduct/responses/store'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'

/** A response with whose it is. Places are `_id`s with commas between; null where there are none. */
export type ExportRow = ResponseRow & { participantId: string | null; sites: string | null; groups: string | null }

const PAGE = 200

/** What restricts the rows to participants of these places; the two lists are bound as JSON. */
const WITHIN = `(EXISTS (SELECT 1 FROM participantSites x WHERE x.participant = r.participant
    AND x.site IN (SELECT value FROM json_each(?)))
  OR EXISTS (SELECT 1 FROM participantGroups x WHERE x.participant = r.participant
    AND x."group" IN (SELECT value FROM json_each(?))))`

/**
 * Pages of the responses of a stage, in the order of their `_id`. Archived participants are left out; responses without a
 * participant are there only where nobody is out of reach.
 * @param reaches a participant must be within each of them
 */
export function* responsePages(db: Db, stage: Id, reaches: readonly Places[]): Generator<ExportRow[]> {
  const query = db.$client.query<ExportRow, (string | number)[]>(
    `SELECT r.*, p.id AS participantId,
      (SELECT group_concat(site) FROM participantSites WHERE participant = r.participant) AS sites,
      (SELECT group_concat("group") FROM participantGroups WHERE participant = r.participant) AS groups
     FROM responses r LEFT JOIN participants p ON p._id = r.participant
     WHERE r.stage = ? AND r._id > ? AND coalesce(p.isArchived, 0) = 0 ${reaches.map(() => `AND ${WITHIN}`).join(' ')}
     ORDER BY r._id LIMIT ${PAGE}`,
  )
  const bound = reaches.flatMap(({ sites, groups }) => [JSON.stringify(sites), JSON.stringify(groups)])
  let after = ''
  for (;;) {
    const rows = query.all(stage, after, ...bound)
    if (rows.length) yield rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!._id
  }
}

/** How many participants there are who are not archived, within each of the reaches. */
export const participantCount = (db: Db, trial: Id, reaches: readonly Places[]): number =>
  db.$client
    .query<{ count: number }, string[]>(
      `SELECT count(*) AS count FROM participants p WHERE trial = ? AND isArchived = 0
       ${reaches.map(() => `AND ${WITHIN.replaceAll('r.participant', 'p._id')}`).join(' ')}`,
    )
    .get(trial, ...reaches.flatMap(({ sites, groups }) => [JSON.stringify(sites), JSON.stringify(groups)]))!.count

/** What the sites (by their `id`) and groups (by name) of a trial are called, by `_id`. */
export function placeNames(db: Db, trial: Id): Map<Id, string> {
  const rows = db.$client
    .query<{ _id: Id; name: string }, [Id, Id]>(
      'SELECT _id, id AS name FROM sites WHERE trial = ? UNION ALL SELECT _id, name FROM groups WHERE trial = ?',
    )
    .all(trial, trial)
  return new Map(rows.map(({ _id, name }) => [_id, name]))
}

/** Every data type that a response of the stage may hold an answer to, also one that is no longer asked. */
export const heldBy = (db: Db, stage: Id): Id[] => [
  ...new Set(
    db.$client
      .query<{ dataTypes: string }, [Id]>('SELECT dataTypes FROM layouts WHERE stage = ? ORDER BY _id')
      .all(stage)
      .flatMap(({ dataTypes }) => JSON.parse(dataTypes) as Id[]),
  ),
]
