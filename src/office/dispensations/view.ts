/** What a reader sees of a dispensation: arm and pack types only if the arms are not concealed from them. */
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { allocationOf } from '#office/allocations/store'
import { armsOf, type RandomisationRow } from '#office/randomisation/store'
import { areArmsVisibleTo } from '#office/randomisation/view'
import type { GivenPack, ListedDispensation } from './store'

type DispensationReader = { db: Db; access: Access; randomisation: RandomisationRow }

/** A dispensation as a reader sees it. */
export type DispensationView = Omit<ListedDispensation, 'packs' | 'replaces' | 'replacedName'> & {
  replaces: Pick<GivenPack, '_id' | 'name'> | null
  packs: (Pick<GivenPack, '_id' | 'name'> & { packType?: Id })[]
  arm?: Id
  armName?: string
}

/** Returns a function that shows a dispensation of the randomisation as the reader sees it. */
export function dispensationViewer({ db, access, randomisation }: DispensationReader) {
  const isShown = areArmsVisibleTo(access, randomisation)
  const names = new Map(armsOf(db, randomisation._id).map(({ _id, name }) => [_id, name]))
  return ({ replacedName, packs, ...row }: ListedDispensation): DispensationView => {
    const replaces = row.replaces === null ? null : { _id: row.replaces, name: replacedName }
    if (!isShown) return { ...row, replaces, packs: packs.map(({ _id, name }) => ({ _id, name })) }
    const { arm } = allocationOf(db, randomisation._id, row.participant)!
    return { ...row, replaces, packs, arm, armName: names.get(arm)! }
  }
}
