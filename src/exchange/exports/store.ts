/** Reads responses for an export in pages by key: faster than one by one, and never more than a page in memory. */
import { getTableColumns } from 'drizzle-orm'
import type { Places } from '#access/caller'
import { withinScopes } from '#access/visibilityStore'
import type { ResponseRow } from '#conduct/responses/store'
import type { Dataset } from '#conduct/wearables/providers/records'
import type { Db } from '#db/open'
import { isBeingDeleted } from '#db/pendingDeletions'
import { decodeRow, rowsWhere } from '#db/rows'
import { layouts, responses } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Filters } from './task'

/** The participant of a response. Places are `_id`s separated by commas; null if there are none. */
type Owner = { participantId: string | null; sites: string | null; groups: string | null }

/** A response with its participant. */
export type ExportRow = ResponseRow & Owner

/** The same with these columns of the response only: a row costs as much as it has columns. */
export type NarrowRow<Name extends keyof ResponseRow> = Pick<ResponseRow, Name | '_id'> & Owner

/** The most responses in a page. */
export const PAGE = 200

/** The SQL of the columns `sites` and `groups` of a participant: `_id`s separated by commas; null if there are none. */
export const PLACES = (
  participant: string,
) => `(SELECT group_concat(site) FROM participantSites WHERE participant = ${participant}) AS sites,
  (SELECT group_concat("group") FROM participantGroups WHERE participant = ${participant}) AS groups`

/** What an export reads from, and which participants it includes. */
export type Source = {
  db: Db
  /** Participants must be in each of them. */
  scopes: readonly Places[]
  /** Set if the export is read in steps: what was submitted and changed later is not in it. */
  moment?: Moment | undefined
  /** Set if participants must have these flags: then the export is read in steps. */
  flags?: Filters['flags']
}

/** Whether the export includes responses without a participant: if it includes those of all participants. */
export const includesUnowned = ({ scopes, flags }: Pick<Source, 'scopes' | 'flags'>): boolean =>
  !scopes.length && !flags

/** The largest numbers of the submissions and of the other changes of responses at one moment. */
export type Moment = { submission: number; event: number }

/** The table in which a connection keeps the participants of an export that it reads in steps. */
export const KEPT = 'temp.exported'

/** Keeps the participants as they are now: not archived, in all of the scopes, with these flags. `dropParticipants` removes them. */
export function keepParticipants(
  db: Db,
  trial: Id,
  scopes: readonly Places[],
  flags: Source['flags'] = { mask: 0, bits: 0 },
): void {
  const { sql, bound } = withinScopes(scopes, 'p._id')
  dropParticipants(db)
  db.$client.run(`CREATE TABLE ${KEPT}
    (participant TEXT PRIMARY KEY, participantId TEXT NOT NULL, sites TEXT, groups TEXT) STRICT, WITHOUT ROWID`)
  db.$client
    .query<unknown, [Record<string, string | number>]>(
      `INSERT INTO ${KEPT} SELECT p._id, p.id, ${PLACES('p._id')} FROM participants p
       WHERE +p.trial = $trial AND p.isArchived = 0 AND (p.facets & $mask) = $bits ${sql} ORDER BY p._id`,
    )
    .run({ trial, ...flags, ...bound })
}

export const dropParticipants = ({ $client }: Db) => $client.run(`DROP TABLE IF EXISTS ${KEPT}`)

/** A participant as it was kept; undefined if the export does not include it. */
export const keptParticipant = (db: Db, participant: Id) =>
  db.$client
    .query<Pick<ExportRow, 'participantId' | 'sites' | 'groups'>, [{ participant: Id }]>(
      `SELECT participantId, sites, groups FROM ${KEPT} WHERE participant = $participant`,
    )
    .get({ participant }) ?? undefined

export type KeptParticipant = { participant: Id; participantId: string; sites: string | null; groups: string | null }

/** Kept participants after one of them, in the order of their `_id`. */
export const keptAfter = (db: Db, after: Id, limit: number): KeptParticipant[] =>
  db.$client
    .query<KeptParticipant, [{ after: Id; limit: number }]>(
      `SELECT participant, participantId, sites, groups FROM ${KEPT} WHERE participant > $after ORDER BY participant LIMIT +$limit`,
    )
    .all({ after, limit })

/** How many of the kept participants were deleted since. */
export const countGone = (db: Db): number =>
  db.$client
    .query<{ count: number }, []>(
      `SELECT count(*) AS count FROM ${KEPT} k
       WHERE NOT EXISTS (SELECT 1 FROM participants p WHERE p._id = k.participant) OR ${isBeingDeleted('k.participant')}`,
    )
    .get()!.count

/** How many records of a dataset of wearables the kept participants have. It is read from an index. */
export const countHardware = (db: Db, dataset: Dataset): number =>
  db.$client
    .query<{ count: number }, [{ dataset: Dataset }]>(
      `SELECT count(*) AS count FROM ${KEPT} k CROSS JOIN hardwareRecords r ON r.participant = k.participant
       WHERE r.dataset = $dataset`,
    )
    .get({ dataset })!.count

/** The rows of a stage with `_id`s in an interval, and the values of its parameters. */
function rowsOfStage({ scopes, moment, flags }: Source, names: readonly string[]) {
  const fields = names.map((name) => `r."${name}"`).join(', ')
  const rows = (columns: string, participants: string, condition: string) =>
    `SELECT ${fields}, ${columns} FROM responses r LEFT JOIN ${participants}
     WHERE r.stage = +$stage AND r._id > $after ${condition} ORDER BY r._id LIMIT ${PAGE}`
  if (moment) {
    const unowned = includesUnowned({ scopes, flags }) ? 'OR r.participant IS NULL' : ''
    const condition = `AND (p.participant IS NOT NULL ${unowned})`
    return { sql: rows('p.participantId, p.sites, p.groups', `${KEPT} p ON p.participant = r.participant`, condition) }
  }
  const { sql, bound } = withinScopes(scopes, 'r.participant')
  const columns = `p.id AS participantId, ${PLACES('r.participant')}`
  const condition = `AND coalesce(p.isArchived, 0) = 0 ${sql}`
  return { sql: rows(columns, 'participants p ON p._id = r.participant', condition), bound }
}

/**
 * Returns a function that reads a page with these columns of the responses of a stage after an `_id`, in the order of their `_id`, as they are now;
 * fewer than `PAGE` are the last. Archived participants are left out; responses without a participant are included only if
 * there is no scope: then the reader may see everything.
 */
export function pageReader<Name extends keyof ResponseRow>(
  source: Source,
  stage: Id,
  names: readonly Name[],
): (after: Id) => NarrowRow<Name>[] {
  const { sql, bound } = rowsOfStage(source, [...new Set<string>(['_id', ...names])])
  const query = source.db.$client.query<NarrowRow<Name>, [Record<string, string>]>(sql)
  return (after) => {
    const rows = query.all({ stage, after, ...bound })
    for (const row of rows) decodeRow(responses, row)
    return rows
  }
}

/** All columns of a response. */
export const everyColumn = Object.keys(getTableColumns(responses)) as (keyof ResponseRow)[]

/** Whether there are more responses than that, of a stage or of a trial; not more of them are read. */
export const hasMoreThan = (db: Db, count: number, { trial, stage }: { trial: Id; stage: Id | null }): boolean =>
  db.$client
    .query<{ one: 1 }, [{ _id: Id; count: number }]>(
      `SELECT 1 AS one FROM stages s JOIN storedResponses r ON r.stage = s.key
       WHERE s.${stage === null ? 'trial' : '_id'} = +$_id LIMIT 1 OFFSET +$count`,
    )
    .get({ _id: stage ?? trial, count }) !== null

/** The number of participants who are not archived and are in all of the scopes. */
export function participantCount({ db, scopes, moment }: Source, trial: Id): number {
  const { sql, bound } = withinScopes(scopes, 'p._id')
  return db.$client
    .query<{ count: number }, [Record<string, string>]>(
      moment
        ? `SELECT count(*) AS count FROM ${KEPT}`
        : `SELECT count(*) AS count FROM participants p WHERE trial = $trial AND isArchived = 0 ${sql}`,
    )
    .get(moment ? {} : { trial, ...bound })!.count
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

/** The submissions after that number, in order. */
export const submittedAfter = (db: Db, number: number) =>
  db.$client
    .query<{ number: number; response: Id; stage: Id; isFirst: number }, [{ number: number }]>(
      'SELECT _id AS number, response, stage, fields IS NULL AS isFirst FROM submissions WHERE _id > $number ORDER BY _id',
    )
    .all({ number })

/** The other changes of responses after that number, in order; `stage` is null if the response was erased. */
export const changedAfter = (db: Db, number: number) =>
  db.$client
    .query<{ number: number; response: Id; stage: Id | null }, [{ number: number }]>(
      `SELECT e._id AS number, e.response,
         (SELECT s.stage FROM submissions s WHERE s.response = e.response ORDER BY s._id LIMIT 1) AS stage
       FROM responseEvents e WHERE e._id > $number ORDER BY e._id`,
    )
    .all({ number })
