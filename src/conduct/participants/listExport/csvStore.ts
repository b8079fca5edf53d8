import { facetsOf } from '#conduct/participants/listStore'
import { listStatement, memberships, type Search } from '#conduct/participants/searchStore'
import type { Db } from '#db/open'

const columnsWith = (withArms?: boolean) => `p.*,
  (SELECT json_group_array(json_array(s._id, s.id)) FROM participantSites AS m JOIN sites AS s ON s._id = m.site
    WHERE m.participant = p._id) AS sitesHeld,
  (SELECT json_group_array(json_array(g._id, g.name)) FROM ${memberships(withArms)} AS m JOIN groups AS g ON g._id = m."group"
    WHERE m.participant = p._id) AS groupsHeld`

/** A participant as stored, with sites and groups as JSON: a list of `[_id, name]`. */
export type ListedRow = Record<string, string | number | null>

/** The list in its order, read one by one. */
export function listedRows(db: Db, search: Search): Iterable<ListedRow> {
  const { sql, values } = listStatement(search, facetsOf(db, search), columnsWith(search.find.withArms))
  return db.$client.query<ListedRow, [Record<string, string>]>(sql).iterate(values)
}
