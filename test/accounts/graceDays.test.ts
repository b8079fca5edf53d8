/** For how many days what was deleted is kept, and who may keep it for fewer. */
import { expect, test } from 'bun:test'
import { everything } from '../everything'
import { world } from '../harness'
import { firstOf } from '../present'
import { keepDeleted } from '../purging'

test('the days are bounded, 30 unless a team chose others, and hold for what is deleted afterwards', async () => {
  const w = world()
  keepDeleted(w)
  const team = `/teams/${w.team}` as const
  expect(await w.owner.get(team)).toMatchObject({ deletionGraceDays: 30, lowerGraceDays: null })
  for (const deletionGraceDays of [-1, 3651, 1.5, '7', null])
    expect((await w.owner.call('PUT', team, { deletionGraceDays })).status).toBe(422)
  const trial = w.trial()
  const listed = `/trials/${trial}/deletions` as const
  const add = async (id: string) => {
    const { _id } = await w.owner.post(`/trials/${trial}/sites`, { name: id, id })
    await w.owner.delete(`/sites/${_id}`)
    return firstOf((await w.owner.get(listed)).deletions).restorableUntil
  }
  expect(await add('A1')).toBe('2026-04-01T12:00:00.000000Z')
  expect(await w.owner.put(team, { deletionGraceDays: 7 })).toMatchObject({
    deletionGraceDays: 7,
    lowerGraceDays: null,
  })
  expect(await add('B1')).toBe('2026-03-09T12:00:00.000000Z')
  const { deletions } = await w.owner.get(listed)
  expect(deletions.map(({ restorableUntil }) => restorableUntil.slice(0, 10))).toEqual(['2026-03-09', '2026-04-01'])
  await w.owner.put(team, { deletionGraceDays: 0 })
  const { _id } = await w.owner.post(`/trials/${trial}/sites`, { name: 'Third', id: 'C1' })
  expect(await w.owner.delete(`/sites/${_id}`)).toEqual({})
  expect((await w.owner.get(listed)).deletions).toHaveLength(2)
})

test('fewer days need a second admin while a trial is protected; more do not', async () => {
  const w = await everything()
  keepDeleted(w)
  const team = `/teams/${w.team}` as const
  const second = w.invite(['team.admin'])
  expect(await w.owner.put(team, { deletionGraceDays: 60 })).toMatchObject({ deletionGraceDays: 60 })
  for (let again = 0; again < 2; again++)
    expect(await w.owner.put(team, { deletionGraceDays: 0 })).toMatchObject({
      deletionGraceDays: 60,
      lowerGraceDays: 0,
    })
  expect(await second.put(team, { deletionGraceDays: 5 })).toMatchObject({ deletionGraceDays: 60, lowerGraceDays: 5 })
  expect(await w.owner.put(team, { deletionGraceDays: 5 })).toMatchObject({
    deletionGraceDays: 5,
    lowerGraceDays: null,
  })
})
