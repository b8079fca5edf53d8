import type { Db } from '#db/open'
import { deleteWhere, insert, rowById, rowsWhere, rowWhere, updateById } from '#db/rows'
import {
  groups,
  packTypes,
  randomisationArms,
  randomisationDispensing,
  randomisationLists,
  randomisations,
} from '#db/tables/index'
import type { Id } from '#kernel/id'
import { type Reason, reason } from '#kernel/refusals/reason'
import type { PlanLine } from './plan'

export type RandomisationRow = typeof randomisations.$inferSelect
/** An arm, with what it dispenses at a time. */
export type ArmRow = StoredArm & { dispensing: PlanLine[] }
type StoredArm = typeof randomisationArms.$inferSelect
export type ListRow = typeof randomisationLists.$inferSelect

export const randomisationById = (db: Db, _id: Id): RandomisationRow | undefined => rowById(db, randomisations, _id)

/** The randomisations of a trial, oldest first. */
export const randomisationsOf = (db: Db, trial: Id): RandomisationRow[] =>
  rowsWhere(db, randomisations, { trial }, '_id')

/** The arms of a randomisation in their order. */
export function armsOf(db: Db, randomisation: Id): ArmRow[] {
  const lines = Map.groupBy(rowsWhere(db, randomisationDispensing, { randomisation }, 'index'), ({ arm }) => arm)
  return rowsWhere(db, randomisationArms, { randomisation }, 'index').map((arm) => ({
    ...arm,
    dispensing: (lines.get(arm._id) ?? []).map(({ doseLevel, packType, quantity }) => ({
      doseLevel,
      packType,
      quantity,
    })),
  }))
}

export const insertRandomisation = (db: Db, row: typeof randomisations.$inferInsert): RandomisationRow =>
  insert(db, randomisations, row)

export const updateRandomisation = (db: Db, _id: Id, change: Partial<RandomisationRow>): RandomisationRow =>
  updateById(db, randomisations, _id, change)

/** Deletes a draft. */
export function deleteRandomisation(db: Db, _id: Id): void {
  deleteWhere(db, randomisations, { _id })
}

type NewArm = Pick<ArmRow, '_id' | 'name' | 'ratio' | 'group' | 'packType' | 'dispensing'>

/**
 * Replaces the arms of a draft. Those of a blinded randomisation are concealed from now on.
 * @param id makes the `_id`s of the lines of their plans
 */
export function replaceArms(
  db: Db,
  { _id, trial, isBlinded }: RandomisationRow,
  arms: readonly NewArm[],
  id: () => Id,
): void {
  deleteWhere(db, randomisationArms, { randomisation: _id })
  for (const [index, { dispensing, ...arm }] of arms.entries()) {
    insert(db, randomisationArms, { ...arm, trial, randomisation: _id, index, isConcealed: isBlinded })
    for (const [at, line] of dispensing.entries())
      insert(db, randomisationDispensing, { ...line, _id: id(), trial, randomisation: _id, arm: arm._id, index: at })
  }
}

/** The list of a stratum; undefined if there is none. */
export const listAt = (db: Db, randomisation: Id, stratum: string): ListRow | undefined =>
  rowWhere(db, randomisationLists, { randomisation, stratum })

export const insertList = (db: Db, list: ListRow): ListRow => insert(db, randomisationLists, list)

/** All lists of a randomisation, sorted by stratum. */
export const listsOf = (db: Db, randomisation: Id): ListRow[] =>
  rowsWhere(db, randomisationLists, { randomisation }, 'stratum')

/** The arm of another randomisation that has this group; undefined if there is none. */
export function otherArmWith(db: Db, group: Id, randomisation: Id): StoredArm | undefined {
  const arm = rowWhere(db, randomisationArms, { group })
  return arm && arm.randomisation !== randomisation ? arm : undefined
}

/** Whether the trial has this pack type. */
export const packTypeExists = (db: Db, trial: Id, _id: Id): boolean =>
  rowWhere(db, packTypes, { _id, trial }) !== undefined

/** Whether another randomisation shows a pack type that this one conceals, or the other way round. */
export const isShownElsewhere = (
  db: Db,
  packType: Id,
  { _id, isBlinded }: Pick<RandomisationRow, '_id' | 'isBlinded'>,
): boolean =>
  randomisationsWithType(db, packType).some(
    (other) => other._id !== _id && (other.isConcealed ? !isBlinded : isBlinded && !other.isBlinded),
  )

/** The randomisations of whose arms one gives packs of the type, with whether that arm is concealed. */
const randomisationsWithType = (db: Db, packType: Id): Record<'_id' | 'isBlinded' | 'isConcealed', unknown>[] =>
  db.$client
    .query<{ _id: Id; isBlinded: number; isConcealed: number }, [{ packType: Id }]>(
      `SELECT r._id, r.isBlinded, arm.isConcealed FROM randomisationArms AS arm
         JOIN randomisations AS r ON r._id = arm.randomisation WHERE arm.packType = +$packType
       UNION SELECT r._id, r.isBlinded, arm.isConcealed FROM randomisationDispensing AS line
         JOIN randomisationArms AS arm ON arm._id = line.arm
         JOIN randomisations AS r ON r._id = arm.randomisation WHERE line.packType = +$packType`,
    )
    .all({ packType })

export const groupById = (db: Db, _id: Id) => rowById(db, groups, _id)

type GroupUse =
  | 'groupHasMembers'
  | 'groupLimitsStages'
  | 'groupHasPeople'
  | 'groupHasRoles'
  | 'groupInSettings'
  | 'groupIsFactor'
  | 'groupLimitsPacks'

/**
 * What shows who is in a group: members that the group has already, stages and settings for it, and permissions on it. A group
 * in such use cannot be concealed.
 */
export function usesOfGroup(db: Db, trial: Id, group: Id): Reason[] {
  const uses = db.$client
    .query<{ use: GroupUse }, [{ trial: Id; group: Id }]>(
      `SELECT 'groupHasMembers' AS use WHERE EXISTS (SELECT 1 FROM participantGroups WHERE "group" = +$group)
       UNION ALL SELECT 'groupLimitsStages' WHERE EXISTS
         (SELECT 1 FROM stages WHERE trial = +$trial AND instr(settings, $group))
       UNION ALL SELECT 'groupHasPeople' WHERE EXISTS
         (SELECT 1 FROM permissions WHERE trial = +$trial AND scope = +$group)
       UNION ALL SELECT 'groupHasRoles' WHERE EXISTS
         (SELECT 1 FROM roles WHERE trial = +$trial AND instr(permissions, $group))
       UNION ALL SELECT 'groupInSettings' WHERE EXISTS
         (SELECT 1 FROM trials WHERE _id = +$trial AND instr(settings, $group))
       UNION ALL SELECT 'groupIsFactor' WHERE EXISTS
         (SELECT 1 FROM randomisations WHERE trial = +$trial AND instr(factors, $group))
       UNION ALL SELECT 'groupLimitsPacks' WHERE EXISTS
         (SELECT 1 FROM packs WHERE trial = +$trial AND instr(availableToGroups, $group))`,
    )
    .all({ trial, group })
  return uses.map(({ use }) => reason(use))
}

/** Ends the concealment: the participants of an arm become members of its group. Returns how many participants. */
export function revealArms(db: Db, randomisation: Id): number {
  const { $client: sqlite } = db
  const { changes } = sqlite
    .query<unknown, [{ randomisation: Id }]>(
      `INSERT INTO participantGroups (participant, "group")
       SELECT given.participant, arm."group" FROM allocations AS given JOIN randomisationArms AS arm ON arm._id = given.arm
       WHERE given.randomisation = +$randomisation AND arm.isConcealed AND arm."group" IS NOT NULL
       ON CONFLICT DO NOTHING`,
    )
    .run({ randomisation })
  sqlite
    .query<unknown, [{ randomisation: Id }]>(
      'UPDATE randomisationArms SET isConcealed = 0 WHERE randomisation = +$randomisation AND isConcealed',
    )
    .run({ randomisation })
  return changes
}
