import { withinScopes } from '#access/visibilityStore'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { type ParticipantSelection, placesOf } from './people'

/** The most participants whose ids are read. */
const MOST = 5_000

/** The SQL condition, from `AND` on, that a participant belongs to them, and its values. @param column the participant's `_id`, as SQL */
export const peopleCondition = (people: ParticipantSelection, column: string) =>
  withinScopes([people.scope, ...placesOf(people)], column)

/** The members of these places, at most `MOST` and one more, each perhaps several times. */
function membersOf(db: Db, table: string, kind: string, places: readonly Id[]): Id[] {
  const sql = `SELECT participant FROM ${table} WHERE "${kind}" IN (SELECT value FROM json_each($places)) LIMIT ${MOST + 1}`
  return (db.$client.query(sql).values({ places: JSON.stringify(places) }) as [Id][]).map(([_id]) => _id)
}

/** The `_id`s of the participants, sorted; undefined if they may be more than `MOST`. */
export function idsOf(db: Db, people: ParticipantSelection): Id[] | undefined {
  const scopes = [...placesOf(people), ...(people.scope === 'all' ? [] : [people.scope])]
  for (const { sites, groups } of scopes) {
    const found = [
      ...membersOf(db, 'participantSites', 'site', sites),
      ...membersOf(db, 'participantGroups', 'group', groups),
    ]
    if (found.length > MOST) continue
    if (scopes.length === 1) return [...new Set(found)].sort()
    const { sql, bound } = peopleCondition(people, 'person.value')
    return (
      db.$client
        .query(`SELECT DISTINCT person.value FROM json_each($people) person WHERE TRUE ${sql} ORDER BY person.value`)
        .values({ ...bound, people: JSON.stringify(found) }) as [Id][]
    ).map(([_id]) => _id)
  }
  return undefined
}

/** Those of these participants who are behind schedule, and neither archived nor withdrawn. */
export const participantsBehind = (db: Db, people: readonly Id[]): Id[] =>
  (
    db.$client
      .query(
        `SELECT p._id FROM json_each($people) person JOIN participants p ON p._id = person.value
         WHERE p.stagesBehindSchedule > 0 AND NOT p.isArchived AND NOT p.isWithdrawn ORDER BY p.createdAt, p._id`,
      )
      .values({ people: JSON.stringify(people) }) as [Id][]
  ).map(([_id]) => _id)
