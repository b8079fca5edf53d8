/** What a reader sees of a randomisation (docs/randomisation.md, "Concealment"). */

import { armsVisibleTo } from '#access/armConcealmentStore'
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import { doseLevelsOf } from './plan'
import { armsOf, type RandomisationRow } from './store'

/** Whether the reader sees which arm a participant has. */
export const areArmsVisibleTo = (access: Access, { isBlinded, unblindedAt }: RandomisationRow): boolean =>
  armsVisibleTo(access) || !isBlinded || unblindedAt !== null

/** Whether the reader sees the list and what it is made from: before the end, it would tell the next arm. */
export const isListVisibleTo = (access: Access, { unblindedAt }: RandomisationRow): boolean =>
  armsVisibleTo(access) || unblindedAt !== null

/** A randomisation as the reader sees it. */
export function viewOf(db: Db, access: Access, row: RandomisationRow) {
  const { factors, blockSizes, listLength, preferredPercent, seed, list, nonce, ...open } = row
  const arms = armsOf(db, row._id)
  return {
    ...open,
    doseLevels: doseLevelsOf(arms),
    requiresConsent: row.requiresConsent ?? [],
    ...(areArmsVisibleTo(access, row) ? { arms } : {}),
    ...(isListVisibleTo(access, row) ? { factors, blockSizes, listLength, preferredPercent, seed, list } : {}),
  }
}
