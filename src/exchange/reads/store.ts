import type { Places } from '#access/caller'
import { within } from '#access/visibleStore'
import { readHeadOf } from '#audit/readStore'
import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { reads } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type ReadRow = typeof reads.$inferSelect

type Participant = { _id: Id; since: Instant }

/** Which rows are asked for. `scopes`: only those about participants who are in all of them. */
export type ReadFilter = {
  trial: Id
  user?: Id | undefined
  operation?: string | undefined
  /** `since`: when the participant was registered. Whom a filter found before cannot be they. */
  participant?: Participant | undefined
  from?: Instant | undefined
  before?: Instant | undefined
  scopes: readonly Places[]
}

type Values = Record<string, string | number>

/** The numbers of the rows in which reads of these moments are: blocks say from when until when they are. */
function numbersIn(
  { $client }: Db,
  { trial, from, before }: Pick<ReadFilter, 'trial' | 'from' | 'before'>,
): { first: number; last: number } {
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
    'reads.trial = $trial AND reads.number <= $last',
    ...(from === undefined ? [] : ['reads.createdAt >= $from']),
    ...(before === undefined ? [] : ['reads.createdAt < $before']),
    // Rows about a participant are few: they are not looked for among those of the account.
    ...(user === undefined ? [] : [participant ? '+reads.user = $user' : 'reads.user = $user']),
    ...(operation === undefined ? [] : ['reads.operation = $operation']),
  ].join(' AND ')
  const numbers = numbersIn(db, filter)
  const values: Values = {
    ...{ trial, ...numbers, ...scoped.bound, limit, offset },
    ...(from === undefined ? {} : { from }),
    ...(before === undefined ? {} : { before }),
    ...(user === undefined ? {} : { user }),
    ...(operation === undefined ? {} : { operation }),
    ...(participant ? { ...aboutValues(db, trial, participant, numbers.first), most: offset + limit } : {}),
  }
  const found = participant
    ? `_id IN (${about(`${where} ${scoped.sql}`)})`
    : `${where} AND number >= $first ${scoped.sql}`
  return rowsFrom(db, reads, `WHERE ${found} ORDER BY number DESC LIMIT +$limit OFFSET +$offset`, values)
}

/** From which rows on a filter may have found a participant, and which rows are in no full block. `first`: that of the search. */
function aboutValues(db: Db, trial: Id, { _id, since }: Participant, first: number) {
  const { first: sinceFirst } = numbersIn(db, { trial, from: since })
  const openFirst = readHeadOf(db, trial)?.firstRow ?? 1
  return {
    ...{ participant: _id, since },
    sinceFirst: Math.max(first, sinceFirst),
    openFirst: Math.max(first, openFirst),
  }
}

/**
 * The `_id`s of rows about a participant, each part newest first by an index of its own: those about nobody else, those of all of a
 * filter, those that name several in full blocks, and in the open one, of which at most 1000 are looked at.
 */
function about(where: string): string {
  const newest = (condition: string, first = '$first') =>
    `SELECT _id FROM (SELECT _id FROM reads WHERE ${where} AND number >= ${first} AND ${condition}
       ORDER BY number DESC LIMIT +$most)`
  return [
    newest('participant = $participant'),
    newest('isFilter = 1 AND createdAt >= $since', '$sinceFirst'),
    `SELECT _id FROM (SELECT reads._id FROM readBlocks b
       CROSS JOIN readMentions m ON m.trial = b.trial AND m.block = b.number AND m.ending = substr(+$participant, -2)
       CROSS JOIN json_each(m.numbers, '$."' || +$participant || '"') n
       CROSS JOIN reads ON reads.trial = b.trial AND reads.number = n.value
     WHERE b.trial = +$trial AND b.firstRow <= +$last AND b.firstRow + b.rowCount > +$first AND ${where}
       AND reads.number >= $first ORDER BY b.number DESC, reads.number DESC LIMIT +$most)`,
    newest('participant IS NULL AND instr(participants, $participant) > 0', '$openFirst'),
  ].join(' UNION ALL ')
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
