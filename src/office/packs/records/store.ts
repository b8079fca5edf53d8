/** What the accountability log reads: counts of a place through their indexes, and the packs that are or were there. */

import { inArray } from 'drizzle-orm'
import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { packEvents, participants, users } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { PackState } from '#office/packs/events/rules'
import type { PackEventRow } from '#office/packs/events/store'
import { eventImportCondition, importCondition } from '#office/packs/store'

type Values = Record<string, string>

/** A place and the types to look at; a site of null is the trial level, which the types tell from that of other trials. */
export type Place = { site: Id | null; types: readonly Id[] }

const TYPES = '(SELECT value FROM json_each($types))'
const at = (column: string, site: Id | null) => `${column} ${site === null ? 'IS NULL' : '= +$site'}`
const valuesOf = ({ site, types }: Place): Values => ({
  types: JSON.stringify(types),
  ...(site === null ? {} : { site }),
})

/** How many packs of each type the place has in each state. */
export const statesAt = (db: Db, place: Place) =>
  db.$client
    .query<{ packType: Id; state: PackState; count: number }, [Values]>(
      `SELECT packType, state, count(*) AS count FROM packs INDEXED BY packsBySite
       WHERE ${at('assignedToSite', place.site)} AND packType IN ${TYPES}${importCondition(db)} GROUP BY packType, state`,
    )
    .all(valuesOf(place))

/** How many packs of each type were received there, and came there. */
export const arrivalsAt = (db: Db, place: Place) =>
  db.$client
    .query<{ packType: Id; type: 'received' | 'moved'; count: number }, [Values]>(
      `SELECT packType, type, count(*) AS count FROM packEvents INDEXED BY packEventsBySite
       WHERE ${at('site', place.site)} AND packType IN ${TYPES} AND type IN ('received', 'moved')${eventImportCondition(db)} GROUP BY packType, type`,
    )
    .all(valuesOf(place))

/** How many units of each type came back there from participants. */
export const unitsReturnedTo = (db: Db, place: Place) =>
  db.$client
    .query<{ packType: Id; units: number | null }, [Values]>(
      `SELECT packType, sum(units) AS units FROM packEvents INDEXED BY packEventsBySite
       WHERE ${at('site', place.site)} AND packType IN ${TYPES} AND type = 'returned' GROUP BY packType`,
    )
    .all(valuesOf(place))

/** How many packs of each type were moved away from there. */
export const departuresFrom = (db: Db, place: Place) =>
  db.$client
    .query<{ packType: Id; count: number }, [Values]>(
      `SELECT packType, count(*) AS count FROM packEvents INDEXED BY packEventsByOrigin
       WHERE type = 'moved' AND ${at('fromSite', place.site)} AND packType IN ${TYPES} GROUP BY packType`,
    )
    .all(valuesOf(place))

/** Packs that are or were at the place, after one of them, oldest first. */
export function packsEverAt(db: Db, { site, types }: Place, limit: number, after: Id = ''): Id[] {
  if (!types.length) return []
  const values: Values = { after, ...(site === null ? {} : { site }) }
  const hidden = eventImportCondition(db)
  // Each range of the index is in the order of packs; UNION leaves out a pack that came twice.
  const ranges = types.flatMap((type, n) => {
    values[`t${n}`] = type
    return ['received', 'moved'].map(
      (event) =>
        `SELECT pack FROM packEvents INDEXED BY packEventsBySite
         WHERE ${at('site', site)} AND packType = +$t${n} AND type = '${event}' AND pack > +$after${hidden}`,
    )
  })
  return db.$client
    .query<{ pack: Id }, [Record<string, string | number>]>(`${ranges.join(' UNION ')} ORDER BY pack LIMIT +$limit + 0`)
    .all({ ...values, limit })
    .map(({ pack }) => pack)
}

/** The events of these packs, by pack, in the order in which they were recorded. */
export function eventsByPack(db: Db, ids: readonly Id[]): Map<Id, PackEventRow[]> {
  const rows = rowsFrom(db, packEvents, 'WHERE pack IN (SELECT value FROM json_each($ids)) ORDER BY pack, _id', {
    ids: JSON.stringify(ids),
  })
  return Map.groupBy(rows, ({ pack }) => pack)
}

/** The participant IDs of these participants. */
export const participantIdsOf = (db: Db, ids: readonly Id[]): Map<Id, string> =>
  new Map(
    db
      .select({ _id: participants._id, id: participants.id })
      .from(participants)
      .where(inArray(participants._id, [...ids]))
      .all()
      .map(({ _id, id }) => [_id, id]),
  )

/** The names of these accounts. */
export const userNamesOf = (db: Db, ids: readonly Id[]): Map<Id, string> =>
  new Map(
    db
      .select({ _id: users._id, name: users.name })
      .from(users)
      .where(inArray(users._id, [...ids]))
      .all()
      .map(({ _id, name }) => [_id, name]),
  )

/** An arm of a sealed randomisation, with one of the types of packs that it gives; null for none. */
export type ArmOfType = { arm: Id; name: string; randomisation: Id; packType: Id | null }

/** The arms of the sealed randomisations of a trial, a row for each type of their packs. @param concealed whether concealed arms count, too */
export const armsWithTypes = (db: Db, trial: Id, concealed: boolean): ArmOfType[] =>
  db.$client
    .query<ArmOfType, [{ trial: Id; concealed: number }]>(
      `SELECT arm._id AS arm, arm.name, arm.randomisation, arm.packType FROM randomisationArms AS arm
         JOIN randomisations AS r ON r._id = arm.randomisation
         WHERE arm.trial = +$trial AND r.status <> 'draft' AND ($concealed OR NOT arm.isConcealed)
       UNION ALL SELECT arm._id, arm.name, arm.randomisation, line.packType FROM randomisationDispensing AS line
         JOIN randomisationArms AS arm ON arm._id = line.arm JOIN randomisations AS r ON r._id = arm.randomisation
         WHERE line.trial = +$trial AND r.status <> 'draft' AND ($concealed OR NOT arm.isConcealed)`,
    )
    .all({ trial, concealed: Number(concealed) })

/** The arms of these participants, in the order in which they got them. */
export const armsOfParticipants = (db: Db, ids: readonly Id[]): Record<'participant' | 'arm' | 'randomisation', Id>[] =>
  db.$client
    .query<Record<'participant' | 'arm' | 'randomisation', Id>, [{ ids: string }]>(
      `SELECT participant, arm, randomisation FROM allocations
       WHERE participant IN (SELECT value FROM json_each($ids)) ORDER BY _id`,
    )
    .all({ ids: JSON.stringify(ids) })
