import { expect, test } from 'bun:test'
import { world } from '../../harness'

test('an admin creates, renames and deletes a group', async () => {
  const { owner, trial } = world()
  const id = trial()
  const group = await owner.do('createGroup', id, { name: 'Arm A', colour: '#ff0000' })
  expect(group).toEqual({
    _id: expect.any(String),
    createdAt: '2026-03-02T12:00:00.000000Z',
    trial: id,
    name: 'Arm A',
    colour: '#ff0000',
  })
  expect(await owner.do('updateGroup', group._id, { ...group, name: 'Arm B' })).toMatchObject({
    name: 'Arm B',
    colour: '#ff0000',
  })
  expect((await owner.do('listGroups', id)).groups).toHaveLength(1)
  expect(await owner.do('deleteGroup', group._id)).toEqual({})
  expect(await owner.do('listGroups', id)).toEqual({ groups: [] })
})

test('a person restricted to one group sees only that group', async () => {
  const { owner, trial, staff } = world()
  const id = trial()
  const a = await owner.do('createGroup', id, { name: 'Arm A' })
  const b = await owner.do('createGroup', id, { name: 'Arm B' })
  const nurse = staff(id, ['group.read'], a._id)
  expect((await nurse.do('listGroups', id)).groups.map((group) => group._id)).toEqual([a._id])
  expect((await nurse.call('PUT', `/groups/${b._id}`, { name: 'Mine' })).status).toBe(404)
  expect((await nurse.call('PUT', `/groups/${a._id}`, { name: 'Mine' })).status).toBe(403)
})

test.each([
  [{ name: 'A' }, { name: ['Must be at least 2 characters.'] }],
  [{ name: 'x'.repeat(101) }, { name: ['Must be at most 100 characters.'] }],
  [{}, { name: ['Missing data for required field.'] }],
  [{ name: 'Arm', size: 3 }, { size: ['Unknown field.'] }],
  [{ name: 7 }, { name: ['Must be text.'] }],
])('refuses the group %j', async (body, problems) => {
  const { owner, trial } = world()
  const { status, body: answer } = await owner.call('POST', `/trials/${trial()}/groups`, body)
  expect(status).toBe(422)
  expect(answer.validations.json).toEqual(problems)
})
