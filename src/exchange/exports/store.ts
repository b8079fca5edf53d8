/** Reads responses for an export in pages by key: faster than one by one, and never more than a page in memory. */
import type { Places } from '#access/caller'
import type { ResponseRow } from '#conduct/responses/store'
import type { Db } from '#db/open'
import { decodeRow, rowsWhere } from '#db/rows'
import { layouts, responses } from '#db/tables/index'
import type { Id } from '#kernel/id'

/** A response with its participant. Places are `_id`s separated by commas; null if there are none. */
export type ExportRow = ResponseRow & { participantId: string | null; sites: string | null; groups: string | null }

const PAGE = 200

/** The condition that a participant (&) is in a scope (@); its sites and groups are bound as JSON. */
const WITHIN = `(EXISTS (SELECT 1 FROM participantSites x WHERE x.participant = &
    AND x.site IN (SELECT value FROM json_each($sites@)))
  OR EXISTS (SELECT 1 FROM participantGroups x WHERE x.participant = &
    AND x."group" IN (SELECT value FROM json_each($groups@))))`

/** The condition that a participant is in all of the scopes, and the values of its parameters. */
function within(scopes: readonly Places[], participant: string) {
  const sql = scopes.map((_, at) => `AND ${WITHIN.replaceAll('&', participant).replaceAll('@', `${at}`)}`)
  const bound = scopes.flatMap(({ sites, groups }, at) => [
    [`sites${at}`, JSON.stringify(sites)],
    [`groups${at}`, JSON.stringify(groups)],
  ])
  return { sql: sql.join(' '), bound: Object.fromEntries(bound) as Record<string, string> }
}

/**
 * Pages of the responses of a stage, in the order of their `_id`. Archived participants are left out; responses without a
 * participant are included only if there is no scope: then the reader may see everything.
 * @param scopes of which the participant must be in each
 */
export function* responsePages(db: Db, stage: Id, scopes: readonly Places[]): Generator<ExportRow[]> {
  const { sql, bound } = within(scopes, 'r.participant')
  const query = db.$client.query<ExportRow, [Record<string, string>]>(
    `SELECT r.*, p.id AS participantId,
      (SELECT group_concat(site) FROM participantSites WHERE participant = r.participant) AS sites,
      (SELECT group_concat("group") FROM participantGroups WHERE participant = r.participant) AS groups
     FROM responses r LEFT JOIN participants p ON p._id = r.participant
     WHERE r.stage = $stage AND r._id > $after AND coalesce(p.isArchived, 0) = 0 ${sql}
     ORDER BY r._id LIMIT ${PAGE}`,
  )
  let after = ''
  for (;;) {
    const rows = query.all({ stage, after, ...bound })
    for (const row of rows) decodeRow(responses, row)
    if (rows.length) yield rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!._id
  }
}

/** The number of participants who are not archived and are in all of the scopes. */
export function participantCount(db: Db, trial: Id, scopes: readonly Places[]): number {
  const { sql, bound } = within(scopes, 'p._id')
  return db.$client
    .query<{ count: number }, [Record<string, string>]>(
      `SELECT count(*) AS count FROM participants p WHERE trial = $trial AND isArchived = 0 ${sql}`,
    )
    .get({ trial, ...bound })!.count
}

/** The `id` of each site and the name of each group of a trial, by `_id`. */
export function placeNames(db: Db, trial: Id): Map<Id, string> {
  const rows = db.$client
    .query<{ _id: Id; name: string }, [{ trial: Id }]>(
      'SELECT _id, id AS name FROM sites WHERE trial = $trial UNION ALL SELECT _id, name FROM groups WHERE trial = $trial',
    )
    .all({ trial })
  return new Map(rows.map(({ _id, name }) => [_id, name]))
}

/** All data types that responses of the stage may hold answers to, including those it no longer asks. */
export const answeredDataTypes = (db: Db, stage: Id): Id[] => [
  ...new Set(rowsWhere(db, layouts, { stage }, '_id').flatMap(({ dataTypes }) => dataTypes)),
]
