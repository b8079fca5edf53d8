/** What a reader sees of an allocation: its arm only if the arms are not concealed from them. */
import type { Access } from '#access/caller'
import type { ArmRow, RandomisationRow } from '#office/randomisation/store'
import { armsShownTo } from '#office/randomisation/view'
import type { ListedAllocation } from './store'

export const packOf = ({ pack, packName }: ListedAllocation) => (pack === null ? null : { _id: pack, name: packName })

/** An allocation as the reader sees it. @param arms of the randomisation */
export function allocationView(
  access: Access,
  randomisation: RandomisationRow,
  arms: readonly ArmRow[],
  row: ListedAllocation,
) {
  const { arm: armId, stratum, position: _, ...open } = row
  const shown = { ...open, pack: packOf(row) }
  if (!armsShownTo(access, randomisation)) return shown
  const arm = arms.find(({ _id }) => _id === armId)!
  const { name: armName, group, packType } = arm
  return { ...shown, arm: armId, armName, group, packType, stratum: JSON.parse(stratum) as string[] }
}
