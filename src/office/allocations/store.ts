import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { VisibleScope } from '#access/caller'
import { participantInScopes } from '#access/visibilityStore'
import type { Db } from '#db/open'
import { insert, rowById, rowWhere, upsert } from '#db/rows'
import { allocationCounts, allocations, packs, participants, unblindings } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type AllocationRow = typeof allocations.$inferSelect

/** An allocation with the names that readers need besides. */
export type ListedAllocation = AllocationRow & {
  participantId: string
  packName: string | null
  unblindedAt: Instant | null
}

export const allocationById = (db: Db, _id: Id): AllocationRow | undefined => rowById(db, allocations, _id)

/** The allocation of a participant by a randomisation; undefined if there is none. */
export const allocationOf = (db: Db, randomisation: Id, participant: Id): AllocationRow | undefined =>
  rowWhere(db, allocations, { participant, randomisation })

export const insertAllocation = (db: Db, row: AllocationRow): AllocationRow => insert(db, allocations, row)

/** The number of the next allocation, from 1. */
export const nextNumber = (db: Db, randomisation: Id): number =>
  db.$client
    .query<{ number: number }, [{ randomisation: Id }]>(
      'SELECT ifnull(max(number), 0) + 1 AS number FROM allocations WHERE randomisation = +$randomisation',
    )
    .get({ randomisation })!.number

/** The place of the next allocation in the list of a stratum, from 0. */
export const nextPosition = (db: Db, randomisation: Id, stratum: string): number =>
  db.$client
    .query<{ position: number }, [{ randomisation: Id; stratum: string }]>(
      `SELECT ifnull(max(position), -1) + 1 AS position FROM allocations
       WHERE randomisation = +$randomisation AND stratum = +$stratum`,
    )
    .get({ randomisation, stratum })!.position

/** How many participants with a level of a factor each arm has, by arm. */
export const countsAt = (db: Db, randomisation: Id, factor: number, level: string): Map<Id, number> =>
  new Map(
    db.$client
      .query<{ arm: Id; count: number }, [{ randomisation: Id; factor: number; level: string }]>(
        `SELECT arm, count FROM allocationCounts
         WHERE randomisation = +$randomisation AND factor = +$factor AND level = +$level`,
      )
      .all({ randomisation, factor, level })
      .map(({ arm, count }) => [arm, count]),
  )

type CountKey = { randomisation: Id; trial: Id; factor: number; level: string; arm: Id }

/** Counts one more participant with a level of a factor in an arm. */
export function countAllocation(db: Db, { randomisation, trial, factor, level, arm }: CountKey): void {
  const count = (countsAt(db, randomisation, factor, level).get(arm) ?? 0) + 1
  const row = { randomisation, factor, level, arm, trial, count }
  upsert(db, allocationCounts, row, 'randomisation', 'factor', 'level', 'arm')
}

/** How many participants each arm has in each stratum. */
export const countsByStratum = (db: Db, randomisation: Id): { stratum: string; arm: Id; count: number }[] =>
  db.$client
    .query<{ stratum: string; arm: Id; count: number }, [{ randomisation: Id }]>(
      `SELECT stratum, arm, count(*) AS count FROM allocations WHERE randomisation = +$randomisation
       GROUP BY stratum, arm ORDER BY stratum`,
    )
    .all({ randomisation })

/** How many participants each arm has with each level of each factor of a minimisation. */
export const countsByLevel = (db: Db, randomisation: Id): (typeof allocationCounts.$inferSelect)[] =>
  db
    .select()
    .from(allocationCounts)
    .where(eq(allocationCounts.randomisation, randomisation))
    .orderBy(asc(allocationCounts.factor), asc(allocationCounts.level))
    .all()

const selectAllocations = (db: Db, where: SQL | undefined, limit: number): ListedAllocation[] =>
  db
    .select({
      allocation: allocations,
      participantId: participants.id,
      packName: packs.name,
      unblindedAt: sql<Instant | null>`(SELECT max(u.createdAt) FROM ${unblindings} AS u WHERE u.allocation = ${allocations._id})`,
    })
    .from(allocations)
    .innerJoin(participants, eq(participants._id, allocations.participant))
    .leftJoin(packs, eq(packs._id, allocations.pack))
    .where(where)
    .orderBy(asc(allocations.number))
    .limit(limit)
    .all()
    .map(({ allocation, ...rest }) => ({ ...allocation, ...rest }))

type AllocationFilter = {
  randomisation: Id
  scope: VisibleScope
  after?: number | undefined
  participant?: Id | undefined
}

/** Allocations in their order, after that number, of the participants of a scope. */
export const allocationsAfter = (
  db: Db,
  { randomisation, scope, after = 0, participant }: AllocationFilter,
  limit: number,
) =>
  selectAllocations(
    db,
    and(
      eq(allocations.randomisation, randomisation),
      gt(allocations.number, after),
      participant === undefined ? undefined : eq(allocations.participant, participant),
      participantInScopes([scope], allocations.participant),
    ),
    limit,
  )

/** One allocation with the names that readers need besides. */
export const listedAllocation = (db: Db, _id: Id): ListedAllocation =>
  selectAllocations(db, eq(allocations._id, _id), 1)[0]!

export const insertUnblinding = (db: Db, row: typeof unblindings.$inferInsert) => insert(db, unblindings, row)
