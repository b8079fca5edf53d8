/** The arms of participants beside the packs that they got: only those that are not concealed from the reader. */

import { armsVisibleTo } from '#access/armConcealmentStore'
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { type ArmOfType, armsOfParticipants, armsWithTypes } from './store'

/** `armName`: null for who has no arm in a randomisation that gives packs of the type. */
export type LineArm = { armName: string | null; isOfArm: boolean }

const shownArms = (db: Db, trial: Id, access: Access): ArmOfType[] => armsWithTypes(db, trial, armsVisibleTo(access))

/** Whether the log has arms for this reader. */
export const hasArms = (db: Db, trial: Id, access: Access): boolean =>
  shownArms(db, trial, access).some(({ packType }) => packType !== null)

/**
 * Returns a function that finds the arm of one of these participants beside a pack of a type; it returns undefined for a type that no
 * sealed randomisation gives, or whose arms the reader may not see.
 */
export function armFinder(db: Db, trial: Id, access: Access, participants: readonly Id[]) {
  const shown = participants.length ? shownArms(db, trial, access) : []
  const names = new Map(shown.map(({ arm, name }) => [arm, name]))
  const armsByType = Map.groupBy(shown, ({ packType }) => packType)
  const allocated = Map.groupBy(names.size ? armsOfParticipants(db, participants) : [], (each) => each.participant)
  return (participant: Id, packType: Id): LineArm | undefined => {
    const arms = armsByType.get(packType)
    if (!arms) return undefined
    const own = (allocated.get(participant) ?? []).filter(({ randomisation }) =>
      arms.some((each) => each.randomisation === randomisation),
    )
    const isOfArm = own.some(({ arm }) => arms.some((each) => each.arm === arm))
    return { armName: own.length ? own.map(({ arm }) => names.get(arm)!).join(', ') : null, isOfArm }
  }
}
