/** What a reader sees of an allocation: its arm only if the arms are not concealed from them, and no answer that is hidden from them. */
import { type Access, noPlaces } from '#access/caller'
import { placesOf } from '#conduct/participants/memberships'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { hiddenFrom, isSensitive } from '#design/hiddenFields/hiddenFields'
import type { SharedTrial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { armsOf, type RandomisationRow } from '#office/randomisation/store'
import { areArmsVisibleTo } from '#office/randomisation/view'
import type { ListedAllocation } from './store'

export const packOf = ({ pack, packName }: ListedAllocation) => (pack === null ? null : { _id: pack, name: packName })

type AllocationReader = {
  db: Db
  trial: Pick<SharedTrial, '_id' | 'revision'>
  access: Access
  randomisation: RandomisationRow
}

/**
 * Whether the level of a factor is an answer that is hidden from the reader: the stratum of a participant would reveal it.
 * @param participant undefined for all participants of the trial
 */
export function isLevelHidden(
  { db, trial, access, randomisation }: AllocationReader,
  factor: number,
  participant?: Id,
): boolean {
  const { dataType } = randomisation.factors[factor] ?? {}
  const config = configuration(db, trial)
  if (dataType === undefined || !isSensitive(config, dataType)) return false
  const places = participant === undefined || !access.places.size ? noPlaces : placesOf(db, participant)
  return hiddenFrom(config, access, places)(dataType)
}

/** Returns a function that shows an allocation of the randomisation as the reader sees it. */
export function allocationViewer(reader: AllocationReader) {
  const { db, access, randomisation } = reader
  const isShown = areArmsVisibleTo(access, randomisation)
  const arms = new Map(armsOf(db, randomisation._id).map((arm) => [arm._id, arm]))
  return (row: ListedAllocation) => {
    const { arm: armId, stratum: levels, position: _, ...open } = row
    const shown = { ...open, pack: packOf(row) }
    if (!isShown) return shown
    const { name: armName, group, packType } = arms.get(armId)!
    const stratum = (JSON.parse(levels) as string[]).map((level, factor) =>
      isLevelHidden(reader, factor, row.participant) ? null : level,
    )
    return { ...shown, arm: armId, armName, group, packType, stratum }
  }
}
