/** A participant who is allocated by an open randomisation and gets its packs. */
import type { Id } from '#kernel/id'
import type { World } from '../../harness'

/** Seals a randomisation with packs in stock, and allocates the participant. Returns its `_id`. */
export async function allocateWithPacks({ owner }: Pick<World, 'owner'>, trial: Id, participant: Id): Promise<Id> {
  const packType = (await owner.post(`/trials/${trial}/pack-types`, { name: 'Capsules' }))._id
  const { sites } = await owner.get(`/trials/${trial}/participants/${participant}`)
  const [at] = sites
  for (const name of ['C-1', 'C-2', 'C-3'])
    await owner.post(`/trials/${trial}/packs`, { packType, name, ...(at ? { assignedToSite: at } : {}) })
  const arms = ['One', 'Two'].map((name) => ({ name, packType }))
  const randomisation = { name: 'With packs', method: 'simple', isBlinded: false, arms } as const
  const { _id } = await owner.post(`/trials/${trial}/randomisations`, randomisation)
  await owner.post(`/randomisations/${_id}/sealing`)
  await owner.post(`/randomisations/${_id}/allocations`, { participant })
  return _id
}

export async function dispenseTo(here: Pick<World, 'owner'> & { trial: Id }, participant: Id): Promise<void> {
  const randomisation = await allocateWithPacks(here, here.trial, participant)
  await here.owner.post(`/randomisations/${randomisation}/dispensations`, { participant })
}
