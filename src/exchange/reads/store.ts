import type { Places } from '#access/caller'
import { within } from '#access/visibleStore'
import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { reads } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type ReadRow = typeof reads.$inferSelect

/** Which rows are asked for. `scopes`: only those about participants who are in all of them. */
export type ReadFilter = {
  trial: Id
  user?: Id | undefined
  operation?: string | undefined
  /** `since`: when the participant was registered. Whom a filter found before cannot be they. */
  participant?: { _id: Id; since: Instant } | undefined
  from?: Instant | undefined
  before?: Instant | undefined
  scopes: readonly Places[]
}

type Values = Record<string, string | number>

/** The numbers of the rows in which reads of these moments are: blocks say from when until when they are. */
function numbersIn({ $client }: Db, { trial, from, before }: ReadFilter): { first: number; last: number } {
  const blocks = `(SELECT trial, firstRow, rowCount, startedAt, endedAt FROM readBlocks
    UNION ALL SELECT trial, firstRow, rowCount, startedAt, endedAt FROM readHeads)`
  const one = (what: string, at: Instant) =>
    $client
      .query<{ n: number | null }, [{ trial: Id; at: Instant }]>(`SELECT ${what} AND trial = $trial`)
      .get({ trial, at })?.n
  const first = from === undefined ? 1 : one(`min(firstRow) AS n FROM ${blocks} WHERE endedAt >= $at`, from)
  const last =
    before === undefined
      ? undefined
      : (one(`max(firstRow + rowCount - 1) AS n FROM ${blocks} WHERE startedAt < $at`, before) ?? 0)
  return { first: first ?? Number.MAX_SAFE_INTEGER, last: last ?? Number.MAX_SAFE_INTEGER }
}

/** The condition that a row is about a participant who is in all scopes. */
const inScopes = (scopes: readonly Places[]): { sql: string; bound: Record<string, string> } => {
  if (!scopes.length) return { sql: '', bound: {} }
  const { sql, bound } = within(scopes, 'value')
  return {
    sql: `AND EXISTS (SELECT 1 FROM (SELECT reads.participant AS value UNION ALL SELECT value FROM json_each(reads.participants))
      WHERE value IS NOT NULL ${sql})`,
    bound,
  }
}

/** Rows of the trail, newest first. */
export function readsOf(db: Db, filter: ReadFilter, { limit, offset }: { limit: number; offset: number }): ReadRow[] {
  const { trial, user, operation, participant, from, before, scopes } = filter
  const scoped = inScopes(scopes)
  const where = [
    'trial = $trial AND number BETWEEN $first AND $last',
    ...(from === undefined ? [] : ['createdAt >= $from']),
    ...(before === undefined ? [] : ['createdAt < $before']),
    ...(user === undefined ? [] : ['user = $user']),
    ...(operation === undefined ? [] : ['operation = $operation']),
  ].join(' AND ')
  const values: Values = {
    ...{ trial, ...numbersIn(db, filter), ...scoped.bound, most: offset + limit, limit, offset },
    ...(from === undefined ? {} : { from }),
    ...(before === undefined ? {} : { before }),
    ...(user === undefined ? {} : { user }),
    ...(operation === undefined ? {} : { operation }),
    ...(participant === undefined ? {} : { participant: participant._id, since: participant.since }),
  }
  if (!participant)
    return rowsFrom(
      db,
      reads,
      `WHERE ${where} ${scoped.sql} ORDER BY number DESC LIMIT +$limit OFFSET +$offset`,
      values,
    )
  // Two searches, each by an index of its own: the rows of one participant, and those of several, of which few are looked at.
  const newest = (condition: string) =>
    `SELECT _id FROM (SELECT _id FROM reads WHERE ${where} AND ${condition} ${scoped.sql} ORDER BY number DESC LIMIT +$most)`
  const several = `participant IS NULL AND (instr(participants, $participant) > 0 OR isFilter = 1 AND createdAt >= $since)`
  return rowsFrom(
    db,
    reads,
    `WHERE _id IN (${newest('participant = $participant')} UNION ALL ${newest(several)})
     ORDER BY number DESC LIMIT +$limit OFFSET +$offset`,
    values,
  )
}

/** Of these participants, those who are in all scopes. */
export function idsWithin({ $client }: Db, ids: readonly Id[], scopes: readonly Places[]): ReadonlySet<Id> {
  if (!scopes.length) return new Set(ids)
  const { sql, bound } = within(scopes, 'value')
  const rows = $client
    .query<{ value: Id }, [Record<string, string>]>(`SELECT value FROM json_each($ids) WHERE TRUE ${sql}`)
    .all({ ids: JSON.stringify(ids), ...bound })
  return new Set(rows.map(({ value }) => value))
}
