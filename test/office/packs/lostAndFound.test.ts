/** What becomes of packs that were lost and found. */
import { expect, test } from 'bun:test'
import { packs } from '#db/tables/index'
import { stateAfter } from '#office/packs/events/rules'
import { packStudy } from './pack.study'

test('a pack that was found is what it was when it was lost; stock waits in quarantine', () => {
  const states = packs.state.enumValues
  const lostAs = states.filter((state) => stateAfter('lost', state))
  expect(lostAs.map((state) => [state, stateAfter('found', 'lost', state)])).toEqual([
    ['inStock', 'quarantined'],
    ['quarantined', 'quarantined'],
    ['dispensed', 'dispensed'],
    ['returned', 'returned'],
    ['damaged', 'damaged'],
  ])
})

test('a pack that a participant had never becomes stock again by a loss: nobody else gets it', async () => {
  const s = await packStudy()
  const { owner, anna, carl, north, drug, record, trial } = s
  const ways = [
    ['dispensed', undefined],
    ['returned', { type: 'returned', units: 3 }],
    ['damaged', { type: 'damaged', reason: 'Wet' }],
  ] as const
  await owner.do('addSiteMember', north, carl)
  for (const [state, way] of ways) {
    const { _id: id } = await s.one({ name: 'K-1', assignedToSite: north })
    await s.assign(anna, id)
    if (way) await record(id, way)
    for (const type of ['lost', 'found']) expect((await record(id, { type, reason: 'Stocktaking' })).status).toBe(200)
    expect((await owner.do('readPack', id)).state).toBe(state)
    expect((await record(id, { type: 'released', reason: 'Looks fine' })).status).toBe(400)
  }
  expect((await owner.do('listParticipantPacks', trial, carl, { availableOnly: true })).packs).toEqual([])
  const arms = ['A', 'B'].map((name) => ({ name: `Arm ${name} of packs`, packType: drug }))
  const body = { name: 'Open one', method: 'simple' as const, isBlinded: false, arms }
  const { _id } = await owner.do('createRandomisation', trial, body)
  await owner.do('sealRandomisation', _id)
  const { status, body: refusal } = await owner.call('POST', `/randomisations/${_id}/allocations`, {
    participant: carl,
  })
  expect([status, refusal.message]).toEqual([400, 'No pack for this participant is left at “North Hospital”.'])
  expect(await owner.do('listParticipantPacks', trial, anna)).toMatchObject({ packs: [{}, {}, {}] })
})
