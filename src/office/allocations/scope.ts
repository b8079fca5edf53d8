import type { Places } from '#access/caller'
import { isVisibleTo, placesOf } from '#conduct/participants/memberships'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { type RandomisationScope, randomisation } from '#office/randomisation/scope'
import { allocationById, type ListedAllocation, listedAllocation } from './store'

export type AllocationScope = RandomisationScope & {
  allocation: ListedAllocation
  participant: { _id: string }
  places: Places
}

/** The allocation that `:allocationId` names; 404 unless its participant is visible to the caller. */
export const allocation: Scope<AllocationScope, 'randomisationId' | 'allocationId'> = (context) => {
  const inRandomisation = randomisation(context)
  const row = found(allocationById(context.db, context.params.allocationId), 'allocation')
  const places = placesOf(context.db, row.participant)
  if (row.randomisation !== inRandomisation.randomisation._id) throw refuse.missing('allocation')
  if (!isVisibleTo(inRandomisation.access, places)) throw refuse.missing('allocation')
  const allocation = listedAllocation(context.db, row._id)
  return { ...inRandomisation, allocation, participant: { _id: row.participant }, places }
}
