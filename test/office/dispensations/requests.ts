/** A participant who is allocated by an open randomisation and gets its packs. */
import type { Id } from '#kernel/id'
import type { World } from '../../harness'

/** Seals a randomisation with packs in stock, and allocates the participant. Returns its `_id`. */
export async function allocateWithPacks({ owner }: Pick<World, 'owner'>, trial: Id, participant: Id): Promise<Id> {
  const packType = (await owner.do('createPackType', trial, { name: 'Capsules' }))._id
  const { sites } = await owner.do('readParticipant', trial, participant)
  const [at] = sites
  for (const name of ['C-1', 'C-2', 'C-3'])
    await owner.do('createPacks', trial, { packType, name, ...(at ? { assignedToSite: at } : {}) })
  const arms = ['One', 'Two'].map((name) => ({ name, packType }))
  const randomisation = { name: 'With packs', method: 'simple', isBlinded: false, arms } as const
  const { _id } = await owner.do('createRandomisation', trial, randomisation)
  await owner.do('sealRandomisation', _id)
  await owner.do('allocateParticipant', _id, { participant })
  return _id
}

export async function dispenseTo(here: Pick<World, 'owner'> & { trial: Id }, participant: Id): Promise<void> {
  const randomisation = await allocateWithPacks(here, here.trial, participant)
  await here.owner.do('dispensePacks', randomisation, { participant })
}
