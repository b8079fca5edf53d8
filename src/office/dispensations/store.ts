import { and, asc, eq, gt, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { VisibleScope } from '#access/caller'
import { participantInScopes } from '#access/visibilityStore'
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { dispensations, dispensedPacks, packs, participants } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type DispensationRow = typeof dispensations.$inferSelect

/** A pack of a dispensation. */
export type GivenPack = { _id: Id; name: string | null; packType: Id }

/** A dispensation with the names that readers need besides, and its packs by name. */
export type ListedDispensation = DispensationRow & {
  participantId: string
  replacedName: string | null
  packs: GivenPack[]
}

/** Inserts a dispensation with its packs. */
export function insertDispensation(db: Db, row: DispensationRow, given: readonly { _id: Id }[]): void {
  insert(db, dispensations, row)
  for (const { _id: pack } of given) insert(db, dispensedPacks, { dispensation: row._id, pack, trial: row.trial })
}

/** The number of the next dispensation, from 1. */
export const nextNumber = (db: Db, randomisation: Id): number =>
  db.$client
    .query<{ number: number }, [{ randomisation: Id }]>(
      'SELECT ifnull(max(number), 0) + 1 AS number FROM dispensations WHERE randomisation = +$randomisation',
    )
    .get({ randomisation })!.number

/** The dose level of the participant's last dispensation that replaced no pack; undefined before the first. */
export const lastDoseLevel = (db: Db, randomisation: Id, participant: Id): string | null | undefined =>
  db.$client
    .query<{ doseLevel: string | null }, [{ randomisation: Id; participant: Id }]>(
      `SELECT doseLevel FROM dispensations
       WHERE participant = +$participant AND randomisation = +$randomisation AND replaces IS NULL
       ORDER BY number DESC LIMIT 1`,
    )
    .get({ randomisation, participant })?.doseLevel

/** At which dose level the randomisation gave the pack to the participant, null for none; undefined if it did not give it. */
export const doseLevelOfPack = (
  db: Db,
  { randomisation, participant, pack }: Record<'randomisation' | 'participant' | 'pack', Id>,
): string | null | undefined =>
  db.$client
    .query<{ doseLevel: string | null }, [Record<'randomisation' | 'participant' | 'pack', Id>]>(
      `SELECT NULL AS doseLevel FROM allocations
         WHERE participant = +$participant AND randomisation = +$randomisation AND pack = +$pack
       UNION ALL SELECT d.doseLevel FROM dispensedPacks AS given JOIN dispensations AS d ON d._id = given.dispensation
         WHERE given.pack = +$pack AND d.participant = +$participant AND d.randomisation = +$randomisation
       LIMIT 1`,
    )
    .get({ randomisation, participant, pack })?.doseLevel

/** The number of the dispensation that replaced the pack; undefined if none did. */
export const replacementNumber = (db: Db, randomisation: Id, pack: Id): number | undefined =>
  db.$client
    .query<{ number: number }, [{ randomisation: Id; pack: Id }]>(
      'SELECT number FROM dispensations WHERE replaces = +$pack AND randomisation = +$randomisation LIMIT 1',
    )
    .get({ randomisation, pack })?.number

/** How often packs of these types became stock of a place; null for trial level. Later it is more, if others did. */
export const arrivalsOf = (db: Db, { site, types }: { site: Id | null; types: readonly Id[] }): number =>
  db.$client
    .query<{ count: number }, [Record<string, string>]>(
      `SELECT count(*) AS count FROM packEvents AS e INDEXED BY packEventsBySite
       WHERE e.site ${site === null ? 'IS NULL' : '= +$site'} AND e.packType IN (SELECT value FROM json_each($types))
         AND e.type IN ('received', 'moved', 'released')`,
    )
    .get({ types: JSON.stringify(types), ...(site === null ? {} : { site }) })!.count

/** The packs of these dispensations, by dispensation, by name. */
function packsOf(db: Db, ids: readonly Id[]): Map<Id, GivenPack[]> {
  const rows = db.$client
    .query<GivenPack & { dispensation: Id }, [{ ids: string }]>(
      `SELECT given.dispensation, p._id, p.name, p.packType
       FROM dispensedPacks AS given JOIN packs AS p ON p._id = given.pack
       WHERE given.dispensation IN (SELECT value FROM json_each($ids))
       ORDER BY coalesce(p.name, ''), p._id`,
    )
    .all({ ids: JSON.stringify(ids) })
  return Map.groupBy(rows, ({ dispensation }) => dispensation)
}

function selectDispensations(db: Db, where: SQL | undefined, limit: number): ListedDispensation[] {
  const replaced = alias(packs, 'replaced')
  const rows = db
    .select({ dispensation: dispensations, participantId: participants.id, replacedName: replaced.name })
    .from(dispensations)
    .innerJoin(participants, eq(participants._id, dispensations.participant))
    .leftJoin(replaced, eq(replaced._id, dispensations.replaces))
    .where(where)
    .orderBy(asc(dispensations.number))
    .limit(limit)
    .all()
  const given = packsOf(
    db,
    rows.map(({ dispensation }) => dispensation._id),
  )
  return rows.map(({ dispensation, ...rest }) => ({
    ...dispensation,
    ...rest,
    packs: given.get(dispensation._id) ?? [],
  }))
}

type DispensationFilter = {
  randomisation: Id
  scope: VisibleScope
  after?: number | undefined
  participant?: Id | undefined
}

/** Dispensations in their order, after that number, of the participants of a scope. */
export const dispensationsAfter = (
  db: Db,
  { randomisation, scope, after = 0, participant }: DispensationFilter,
  limit: number,
) =>
  selectDispensations(
    db,
    and(
      eq(dispensations.randomisation, randomisation),
      gt(dispensations.number, after),
      participant === undefined ? undefined : eq(dispensations.participant, participant),
      participantInScopes([scope], dispensations.participant),
    ),
    limit,
  )

/** One dispensation with the names that readers need besides. */
export const listedDispensation = (db: Db, _id: Id): ListedDispensation =>
  selectDispensations(db, eq(dispensations._id, _id), 1)[0]!
