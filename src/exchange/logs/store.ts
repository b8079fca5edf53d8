import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  ne,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { type Access, type Places, scopeOf, visibleScopeOf } from '#access/caller'
import { placesInScope } from '#access/visibilityStore'
import { numberBefore } from '#audit/store'
import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { auditEntries, participantGroups, participantSites, teams } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { type Instant, MINUTE } from '#kernel/time'
import { deletedParticipantId, type LogRow } from './rules'

/** The filters of a request for entries, and the condition on what the viewer may see. */
export type LogFilter = {
  chain: string
  userType?: LogRow['userType'] | undefined
  type?: string | undefined
  visible?: SQL | undefined
  participant?: Id | undefined
  user?: Id | undefined
  /** Of submissions: whether they changed the answer to it is read from what the viewer is shown. */
  dataType?: Id | undefined
  from?: Instant | undefined
  before?: Instant | undefined
}

/** Whether the part of the log that a filter finds is not one of those that are counted and marked. */
export const isNarrow = ({ visible, participant, user, dataType, from, before }: LogFilter): boolean =>
  [visible, participant, user, dataType, from, before].some((each) => each !== undefined)

/** How far entries of a chain may be out of order: by so much a server may start with a clock that is behind. */
const DISORDER = 2 * MINUTE

/** The condition on the days. The numbers of the first and the last entry are looked up, so that the index of numbers finds them. */
function betweenMoments(db: Db, { chain, from, before }: LogFilter): SQL | undefined {
  const { number, createdAt } = auditEntries
  return and(
    from === undefined ? undefined : and(gt(number, numberBefore(db, chain, from - DISORDER)), gte(createdAt, from)),
    before === undefined
      ? undefined
      : and(lte(number, numberBefore(db, chain, before + DISORDER)), lt(createdAt, before)),
  )
}

/** The condition that an entry is not about a file of the trial master file that the viewer may not read; see `isFileHidden`. */
function visibleFilesCondition(access: Access): SQL | undefined {
  const scope = scopeOf(access, ['readFiles'])
  if (scope === 'all') return undefined
  const place = sql`${auditEntries.event} ->> '$.fileSite'`
  return or(isNull(place), inArray(place, [...scope.sites]))
}

/**
 * The condition on the entries that a viewer may see; undefined if they may see all. A viewer with the permission for
 * the log of the whole trial who may see only some participants sees the entries about those or about no participant. A
 * viewer with the permission for some sites or groups sees only the entries about the participants there
 * (docs/permissions.md, "Restricted to sites or groups").
 */
export function visibleTo(access: Access): SQL | undefined {
  const logs = scopeOf(access, ['readLogs'])
  const visible = placesInScope(visibleScopeOf(access), auditEntries.participant)
  if (logs === 'all')
    return visible && or(and(isNull(auditEntries.participant), visibleFilesCondition(access)), visible)
  return and(placesInScope(logs, auditEntries.participant), visible)
}

function conditionOf(db: Db, filter: LogFilter, bound: SQL) {
  const { chain, userType, type, visible, participant, user } = filter
  const isByIndex = participant !== undefined || user !== undefined
  // With a plus, SQLite does not read the index of this column: that of the participant or the account finds fewer entries.
  const fits = (column: SQLWrapper, value: string, isFewer: boolean) =>
    isFewer ? sql`+${column} = ${value}` : sql`${column} = ${value}`
  return and(
    eq(auditEntries.chain, chain),
    participant === undefined ? undefined : eq(auditEntries.participant, participant),
    user === undefined ? undefined : fits(auditEntries.user, user, participant !== undefined),
    userType === undefined ? undefined : fits(auditEntries.userType, userType, isByIndex),
    type === undefined ? undefined : fits(auditEntries.type, type, isByIndex),
    betweenMoments(db, filter),
    bound,
    visible,
  )
}

type Page = { limit: number; offset?: number | undefined }

type Values = Record<string, string | number>

/**
 * The condition on a part of the log that every viewer of the whole trial asks for, as plain SQL that is prepared once: to compose
 * such a query takes several times as long as to run it.
 */
function simpleCondition(
  { chain, userType, type }: LogFilter,
  bound: '<' | '>',
  number: number,
): { where: string; values: Values } {
  const conditions = [
    'chain = $chain',
    ...(userType === undefined ? [] : ['userType = $userType']),
    ...(type === undefined ? [] : ['type = $type']),
    `number ${bound} $number`,
  ]
  return {
    where: conditions.join(' AND '),
    values: { chain, number, ...(userType && { userType }), ...(type && { type }) },
  }
}

/** Entries of a part of the log, in order. */
function entriesIn(
  db: Db,
  filter: LogFilter,
  way: 'before' | 'after',
  number: number,
  { limit, offset = 0 }: Page,
): LogRow[] {
  const { number: column } = auditEntries
  if (isNarrow(filter)) {
    const bound = way === 'before' ? lt(column, number) : gt(column, number)
    const order = way === 'before' ? desc(column) : asc(column)
    return db
      .select()
      .from(auditEntries)
      .where(conditionOf(db, filter, bound))
      .orderBy(order)
      .limit(limit)
      .offset(offset)
      .all()
  }
  const [bound, order] = way === 'before' ? (['<', 'DESC'] as const) : (['>', 'ASC'] as const)
  const { where, values } = simpleCondition(filter, bound, number)
  const rest = `WHERE ${where} ORDER BY number ${order} LIMIT +$limit OFFSET +$offset`
  return rowsFrom(db, auditEntries, rest, { ...values, limit, offset })
}

/** Entries older than that number, newest first. */
export const entriesBefore = (db: Db, filter: LogFilter, before: number, limit: number, offset?: number): LogRow[] =>
  entriesIn(db, filter, 'before', before, { limit, offset })

/** Entries newer than that number, oldest first. */
export const entriesAfter = (db: Db, filter: LogFilter, after: number, limit: number, offset?: number): LogRow[] =>
  entriesIn(db, filter, 'after', after, { limit, offset })

/** The number of the entry that is `steps` entries after the given one; read from the index alone. For viewers who see all entries. */
export function numberAfter(db: Db, filter: LogFilter, after: number, steps: number): number | undefined {
  const { where, values } = simpleCondition(filter, '>', after)
  const sql = `SELECT number FROM auditEntries WHERE ${where} ORDER BY number LIMIT 1 OFFSET +$offset`
  return db.$client.query<{ number: number }, [Values]>(sql).get({ ...values, offset: steps - 1 })?.number
}

/** The newest entries that are in no trial's audit trail, newest first. */
export const newestServiceEntries = (
  db: Db,
  { chain, type, limit }: { chain: string | undefined; type: string | undefined; limit: number },
): LogRow[] =>
  db
    .select()
    .from(auditEntries)
    .where(
      and(
        chain === undefined
          ? or(
              eq(auditEntries.chain, 'service'),
              inArray(auditEntries.chain, db.select({ _id: teams._id }).from(teams)),
            )
          : eq(auditEntries.chain, chain),
        // What rows changed to without an act tells an operator nothing, unless asked for.
        type === undefined ? ne(auditEntries.type, 'changeRows') : eq(auditEntries.type, type),
      ),
    )
    .orderBy(desc(auditEntries._id))
    .limit(limit)
    .all()

/** How many entries come after that number; read from the index alone. For viewers who see all entries. */
export function countAfter(db: Db, filter: LogFilter, after: number): number {
  const { where, values } = simpleCondition(filter, '>', after)
  return db.$client.query<{ n: number }, [Values]>(`SELECT count(*) AS n FROM auditEntries WHERE ${where}`).get(values)!
    .n
}

/** The human-readable IDs of participants: the current ones, and for deleted participants those in the entry of the deletion. */
export function participantIds(db: Db, ids: Id[]): Map<Id, string> {
  const living = db.$client
    .query<{ _id: Id; id: string }, [{ ids: string }]>(
      'SELECT _id, id FROM participants WHERE _id IN (SELECT value FROM json_each($ids))',
    )
    .all({ ids: JSON.stringify(ids) })
  const known = new Map(living.map(({ _id, id }) => [_id, id]))
  for (const _id of ids) {
    if (known.has(_id)) continue
    const deletions = db
      .select({ event: auditEntries.event })
      .from(auditEntries)
      .where(and(eq(auditEntries.participant, _id), sql`${auditEntries.type} LIKE 'delete%'`))
      .orderBy(desc(auditEntries.number))
      .all()
    const id = deletions.map(({ event }) => deletedParticipantId(event)).find((each) => each !== undefined)
    if (id !== undefined) known.set(_id, id)
  }
  return known
}

/** The sites and groups of participants. */
export function placesOf(db: Db, ids: Id[]): Map<Id, Places> {
  const places = new Map(ids.map((id) => [id, { sites: [] as Id[], groups: [] as Id[] }]))
  for (const row of db.select().from(participantSites).where(inArray(participantSites.participant, ids)).all()) {
    places.get(row.participant)!.sites.push(row.site)
  }
  for (const row of db.select().from(participantGroups).where(inArray(participantGroups.participant, ids)).all()) {
    places.get(row.participant)!.groups.push(row.group)
  }
  return places
}
