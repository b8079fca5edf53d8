import { and, asc, desc, eq, gt, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { type Access, type Places, reachOf, sightOf } from '#access/caller'
import { visible } from '#access/visibleStore'
import type { Db } from '#db/open'
import { auditEntries, participantGroups, participantSites, participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { keptId, type LogRow } from './rules'

/** Which entries are asked for, and which of them exist for the viewer. */
export type Asking = { trial: Id; userType: LogRow['userType']; type?: string; seen?: SQL }

/**
 * The condition that an entry exists for this viewer; undefined where all do. Who reads the log of the whole trial but is
 * restricted to some participants sees what is about those or about nobody; who reads the log of some sites or groups
 * sees only what is about their participants (docs/permissions.md, "Restricted to sites or groups").
 */
export function seenBy(access: Access): SQL | undefined {
  const logs = reachOf(access, ['readLogs'])
  const sight = visible(sightOf(access), auditEntries.participant)
  if (logs === 'all') return sight && or(isNull(auditEntries.participant), sight)
  return and(visible(logs, auditEntries.participant), sight)
}

const asked = ({ trial, userType, type, seen }: Asking, bound?: SQL) =>
  and(
    eq(auditEntries.chain, trial),
    eq(auditEntries.userType, userType),
    type === undefined ? undefined : eq(auditEntries.type, type),
    bound,
    seen,
  )

/** Entries older than that number, newest first. */
export const entriesBefore = (db: Db, asking: Asking, before: number, limit: number, offset = 0): LogRow[] =>
  db
    .select()
    .from(auditEntries)
    .where(asked(asking, lt(auditEntries.number, before)))
    .orderBy(desc(auditEntries.number))
    .limit(limit)
    .offset(offset)
    .all()

/** Entries younger than that number, oldest first. */
export const entriesAfter = (db: Db, asking: Asking, after: number, limit: number, offset = 0): LogRow[] =>
  db
    .select()
    .from(auditEntries)
    .where(asked(asking, gt(auditEntries.number, after)))
    .orderBy(asc(auditEntries.number))
    .limit(limit)
    .offset(offset)
    .all()

/** The number of the entry that stands so many after that one, among those asked for; read from the index alone. */
export const numberAfter = (db: Db, asking: Asking, after: number, steps: number): number | undefined =>
  db
    .select({ number: auditEntries.number })
    .from(auditEntries)
    .where(asked(asking, gt(auditEntries.number, after)))
    .orderBy(asc(auditEntries.number))
    .limit(1)
    .offset(steps - 1)
    .get()?.number

/** How many entries come after that number; read from the index alone. */
export const countAfter = (db: Db, asking: Asking, after: number): number =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(auditEntries)
    .where(asked(asking, gt(auditEntries.number, after)))
    .get()!.count

/** The human-readable IDs of participants: as they are now, and of deleted ones as their deletion noted them. */
export function participantIds(db: Db, ids: Id[]): Map<Id, string> {
  const living = db
    .select({ _id: participants._id, id: participants.id })
    .from(participants)
    .where(inArray(participants._id, ids))
    .all()
  const known = new Map(living.map(({ _id, id }) => [_id, id]))
  for (const _id of ids) {
    if (known.has(_id)) continue
    const deletions = db
      .select({ event: auditEntries.event })
      .from(auditEntries)
      .where(and(eq(auditEntries.participant, _id), sql`${auditEntries.type} LIKE 'delete%'`))
      .orderBy(desc(auditEntries.number))
      .all()
    const id = deletions.map(({ event }) => keptId(event)).find((each) => each !== undefined)
    if (id !== undefined) known.set(_id, id)
  }
  return known
}

/** Where participants belong. */
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
