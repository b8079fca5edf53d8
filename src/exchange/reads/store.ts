import type { Places } from '#access/caller'
import { withinScopes } from '#access/visibilityStore'
import { packedHas } from '#audit/packedIds'
import { mentionsOf } from '#audit/readMentionStore'
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
  const { sql, bound } = withinScopes(scopes, 'value')
  return {
    sql: `AND EXISTS (SELECT 1 FROM (SELECT reads.participant AS value UNION ALL
        SELECT lower(hex(substr(reads.participants, at, 12))) FROM (WITH RECURSIVE place(at) AS
          (SELECT 1 UNION ALL SELECT at + 12 FROM place WHERE at + 12 < length(reads.participants)) SELECT at FROM place))
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
    ...{ trial, last: numbers.last, ...scoped.bound },
    ...(from === undefined ? {} : { from }),
    ...(before === undefined ? {} : { before }),
    ...(user === undefined ? {} : { user }),
    ...(operation === undefined ? {} : { operation }),
  }
  const chosen = { where: `${where} ${scoped.sql}`, values }
  if (!participant)
    return rowsFrom(
      db,
      reads,
      `WHERE ${chosen.where} AND number >= $first ORDER BY number DESC LIMIT +$limit OFFSET +$offset`,
      {
        ...{ ...values, first: numbers.first, limit, offset },
      },
    )
  const found = rowsAbout(db, chosen, { ...participant, trial, ...numbers, most: offset + limit })
  return rowsFrom(
    db,
    reads,
    'WHERE trial = $trial AND number IN (SELECT value FROM json_each($numbers)) ORDER BY number DESC',
    { trial, numbers: JSON.stringify(found.slice(offset, offset + limit)) },
  )
}

/** Which rows are asked for: a condition, and the values of its parameters. */
type RowCondition = { where: string; values: Values }
type ParticipantReadQuery = Participant & { trial: Id; first: number; last: number; most: number }

/** The numbers of the newest rows about a participant, newest first: those about nobody else, those of all of a filter, and those that name several. */
function rowsAbout(db: Db, { where, values }: RowCondition, query: ParticipantReadQuery): number[] {
  const { _id, trial, since, first, most } = query
  const newest = (condition: string, from: string) =>
    `SELECT number FROM (SELECT number FROM reads WHERE ${where} AND number >= ${from} AND ${condition}
       ORDER BY number DESC LIMIT +$most)`
  const alone = db.$client
    .query<{ number: number }, [Values]>(
      `${newest('participant = $participant', '$first')} UNION ALL
       ${newest('isFilter = 1 AND createdAt >= $since', '$sinceFirst')}`,
    )
    .all({
      ...{ ...values, participant: _id, since, first, most },
      // Whom a filter found before they were registered cannot be they.
      sinceFirst: Math.max(first, numbersIn(db, { trial, from: since }).first),
    })
    .map(({ number }) => number)
  return [...alone, ...rowsNaming(db, { where, values }, query)].sort((a, b) => b - a).slice(0, most)
}

/** So many rows that may name a participant are read at once. */
const ROWS = 200

/** The numbers of the newest rows that name a participant with others: those of the open block, of which all are looked at, and of full ones. */
function rowsNaming(
  db: Db,
  { where, values }: RowCondition,
  { _id, trial, first, last, most }: ParticipantReadQuery,
): number[] {
  const naming = (condition: string, more: Values) =>
    db.$client
      .query<Pick<ReadRow, 'number' | 'participants'>, [Values]>(
        `SELECT number, participants FROM reads WHERE ${where} AND number >= $first AND ${condition} ORDER BY number DESC`,
      )
      .all({ ...values, first, ...more })
      .filter(({ participants }) => packedHas(participants, _id))
      .map(({ number }) => number)
  const found = naming('participant IS NULL AND instr(participants, unhex($participant)) > 0', {
    participant: _id,
    first: Math.max(first, readHeadOf(db, trial)?.firstRow ?? 1),
  })
  for (const numbers of mentionsOf(db, { trial, participant: _id, first, last })) {
    if (found.length >= most) break
    for (let at = 0; at < numbers.length && found.length < most; at += ROWS)
      found.push(
        ...naming('number IN (SELECT value FROM json_each($numbers))', {
          numbers: JSON.stringify(numbers.slice(at, at + ROWS)),
        }),
      )
  }
  return found
}

/** Of these participants, those who are in all scopes. */
export function idsWithin({ $client }: Db, ids: readonly Id[], scopes: readonly Places[]): ReadonlySet<Id> {
  if (!scopes.length) return new Set(ids)
  const { sql, bound } = withinScopes(scopes, 'value')
  const rows = $client
    .query<{ value: Id }, [Record<string, string>]>(`SELECT value FROM json_each($ids) WHERE TRUE ${sql}`)
    .all({ ids: JSON.stringify(ids), ...bound })
  return new Set(rows.map(({ value }) => value))
}
