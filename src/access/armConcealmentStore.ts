/**
 * What a blinded randomisation conceals: the groups and pack types of its arms (docs/randomisation.md, "Concealment"). Until the
 * unblinding, a reader without trial.readRandomisation gets the same answers as if they did not exist. Memberships in such a group
 * are rows of `allocations` only, so that no list, filter, timeline or export can show them.
 */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Access } from './caller'

/** Whether the person may see arms. The key on a site or group alone does not count: lists and arms are of the whole trial. */
export const armsVisibleTo = ({ trial }: Access): boolean => trial.has('readRandomisation')

const concealedArm = (where: string) =>
  `EXISTS (SELECT 1 FROM randomisationArms AS hidden WHERE ${where} AND hidden.isConcealed)`

/** By noun, the SQL condition that an arm conceals it. A pack type is given at the allocation, or dispensed later. */
const CONCEALED = {
  group: (_id: string) => concealedArm(`hidden."group" = ${_id}`),
  packType: (_id: string) =>
    `(${concealedArm(`hidden.packType = ${_id}`)} OR EXISTS (SELECT 1 FROM randomisationDispensing AS line
      JOIN randomisationArms AS hidden ON hidden._id = line.arm WHERE line.packType = ${_id} AND hidden.isConcealed))`,
} as const

/** The SQL condition that a group or pack type is concealed. @param _id an SQL expression */
export const concealedCondition = (noun: keyof typeof CONCEALED, _id: string): string => CONCEALED[noun](_id)

/** Whether a group or pack type is concealed from readers who do not see arms. */
export const isConcealed = (db: Db, noun: keyof typeof CONCEALED, _id: Id): boolean =>
  db.$client
    .query<{ hidden: number }, [{ _id: Id }]>(`SELECT ${concealedCondition(noun, '+$_id')} AS hidden`)
    .get({ _id })!.hidden === 1

/** The SQL of the memberships in concealed groups: rows of `participant` and `group`. Only for readers who see arms. */
export const CONCEALED_MEMBERSHIPS = `SELECT given.participant AS participant, arm."group" AS "group"
  FROM allocations AS given JOIN randomisationArms AS arm ON arm._id = given.arm
  WHERE arm.isConcealed AND arm."group" IS NOT NULL`

/** The concealed groups of these participants. Only for readers who see arms. */
export const concealedGroupsOf = (db: Db, participants: readonly Id[]): { participant: Id; group: Id }[] =>
  db.$client
    .query<{ participant: Id; group: Id }, [{ ids: string }]>(
      `${CONCEALED_MEMBERSHIPS} AND given.participant IN (SELECT value FROM json_each($ids))`,
    )
    .all({ ids: JSON.stringify(participants) })

/** Whether an allocation to a concealed arm gave this pack, or a dispensation of one. */
export const isBlindedPack = (db: Db, pack: Id): boolean =>
  db.$client
    .query<{ given: number }, [{ pack: Id }]>(
      `SELECT EXISTS (SELECT 1 FROM allocations AS a JOIN randomisationArms AS arm ON arm._id = a.arm
         WHERE a.pack = +$pack AND arm.isConcealed)
       OR EXISTS (SELECT 1 FROM dispensedPacks AS given JOIN dispensations AS d ON d._id = given.dispensation
         JOIN randomisations AS r ON r._id = d.randomisation
         WHERE given.pack = +$pack AND r.isBlinded AND r.unblindedAt IS NULL) AS given`,
    )
    .get({ pack })!.given === 1

/** Whether a trial conceals an arm. */
export const concealsArms = ({ $client }: Db, trial: Id): boolean =>
  $client
    .query<unknown, [{ trial: Id }]>('SELECT 1 FROM randomisationArms WHERE trial = +$trial AND isConcealed LIMIT 1')
    .get({ trial }) !== null

/** The `_id`s of the concealed arms of a trial, of their groups and of their pack types. */
export function concealedIds(db: Db, trial: Id): ReadonlySet<Id> {
  const rows = db.$client
    .query<Record<'_id' | 'group' | 'packType', Id | null>, [{ trial: Id }]>(
      `SELECT _id, "group", packType FROM randomisationArms WHERE trial = +$trial AND isConcealed
       UNION SELECT hidden._id, NULL, line.packType FROM randomisationDispensing AS line
         JOIN randomisationArms AS hidden ON hidden._id = line.arm WHERE line.trial = +$trial AND hidden.isConcealed`,
    )
    .all({ trial })
  return new Set(rows.flatMap((row) => Object.values(row)).filter((_id) => _id !== null))
}

/** The `_id`s that are concealed from this person. */
export const concealedFrom = (db: Db, trial: Id, access: Access): ReadonlySet<Id> =>
  armsVisibleTo(access) ? NO_IDS : concealedIds(db, trial)

const NO_IDS: ReadonlySet<Id> = new Set()
