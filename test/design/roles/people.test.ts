import { expect, test } from 'bun:test'
import { disableUser } from '#accounts/teams/operatorActions'
import { userRoles } from '#db/tables/index'
import { parseInstant } from '#kernel/time'
import { type World, world } from '../../harness'

const ids = (answer: { users: { _id: string }[] }) => answer.users.map(({ _id }) => _id).sort()

test('lists who holds permissions, has roles, or manages the team’s trials', async () => {
  const { owner, trial, staff, invite, neighbours, db } = world()
  const id = trial()
  const elsewhere = trial()
  const nurse = staff(id, ['trial.write'])
  const holder = invite([])
  const manager = invite(['trials.manage'])
  invite(['trials.create'])
  staff(elsewhere, ['trial.read'])
  neighbours()
  const role = await owner.do('createRole', id, { name: 'Reader', permissions: { [id]: ['trial.read'] } })
  db.insert(userRoles).values({ user: holder._id, role: role._id }).run()
  const people = await owner.do('listPeople', id)
  expect(ids(people)).toEqual([owner._id, nurse._id, holder._id, manager._id].sort())
  const by = (user: string) => people.users.find(({ _id }) => _id === user)
  expect(by(nurse._id)).toEqual({
    _id: nurse._id,
    name: 'Person 3',
    email: nurse.email,
    isDisabled: false,
    lastSeenAt: null,
    permissions: { [id]: ['trial.write'] },
    roles: [],
    teamPermissions: [],
  })
  expect(by(holder._id)).toMatchObject({ permissions: {}, roles: [{ _id: role._id, name: 'Reader' }] })
  expect(by(manager._id)).toMatchObject({ teamPermissions: ['trials.manage'] })
  expect(ids(await nurse.do('listPeople', id))).toEqual(ids(people))
})

test('needs trial.readUsers', async () => {
  const { trial, staff, neighbours, nobody } = world()
  const id = trial()
  expect((await staff(id, ['trial.readUsers']).call('GET', `/trials/${id}/users`)).status).toBe(200)
  expect((await staff(id, ['trial.support']).call('GET', `/trials/${id}/users`)).status).toBe(403)
  expect((await neighbours().owner.call('GET', `/trials/${id}/users`)).status).toBe(404)
  expect((await nobody.call('GET', `/trials/${id}/users`)).status).toBe(401)
})

test('a PUT replaces permissions, and an empty list removes the person', async () => {
  const here = world()
  const { owner, trial, invite, db } = here
  const id = trial()
  const group = await owner.do('createGroup', id, { name: 'Arm A' })
  const nurse = invite([])
  const path = `/trials/${id}/users/${nurse._id}/permissions` as const
  const set = (permissions: Record<string, string[]>) => owner.do('setPermissions', id, nurse._id, { permissions })
  expect((await nurse.call('GET', `/trials/${id}/groups`)).status).toBe(404)
  expect((await set({ [id]: ['trial.read', 'trial.read'] })).permissions).toEqual({ [id]: ['trial.read'] })
  expect((await nurse.call('GET', `/trials/${id}/groups`)).status).toBe(200)
  expect((await nurse.do('readOwnUser')).permissions).toEqual({ [id]: ['trial.read'] })
  const held = { [group._id]: ['group.write', 'trial.exportData'] }
  expect((await set({ ...held, [id]: [] })).permissions).toEqual(held)
  expect((await nurse.call('GET', `/trials/${id}/users`)).status).toBe(403)
  const refused = await owner.call('PUT', path, { permissions: { [id]: ['trial.none'] } })
  expect([refused.status, Object.keys(refused.body.validations.json)]).toEqual([422, ['permissions']])
  expect((await owner.do('listPeople', id)).users).toMatchObject([{}, { permissions: held }])
  await owner.do('deleteGroup', group._id)
  expect((await nurse.do('readOwnUser')).permissions).toEqual({})
  await set({ [id]: ['trial.read'] })
  expect((await set({})).permissions).toEqual({})
  expect(ids(await owner.do('listPeople', id))).toEqual([owner._id])
  const logged = db.$client.query(`SELECT chain, event FROM auditEntries WHERE type = 'updatePermissions'`).all()
  expect(logged).toHaveLength(4)
  expect(JSON.parse((logged[1] as { event: string }).event)).toMatchObject({
    user: nurse._id,
    before: { [id]: ['trial.read'] },
    after: held,
  })
})

test('only admins give permissions, and only to members of the team and people of the trial', async () => {
  const { owner, trial, staff, neighbours } = world()
  const id = trial()
  const permissions = { [id]: ['trial.read'] }
  const { owner: other } = neighbours()
  const on = (user: string) => `/trials/${id}/users/${user}/permissions`
  expect((await owner.call('PUT', on(other._id), { permissions })).status).toBe(404)
  expect((await owner.call('PUT', on('nonsense'), { permissions })).status).toBe(404)
  expect((await other.call('PUT', on(other._id), { permissions })).status).toBe(404)
  const writer = staff(id, ['trial.write'])
  expect((await writer.call('PUT', on(writer._id), { permissions: { [id]: ['trial.admin'] } })).status).toBe(403)
  const admin = staff(id, ['trial.admin'])
  expect((await admin.call('PUT', on(writer._id), { permissions })).status).toBe(200)
})

type Place = { here: World; id: string; admin: ReturnType<World['invite']>; role: string }

/** Each way in which the last admin could leave a trial, done by that admin. */
const leavings: [string, 'direct' | 'role', (place: Place) => Promise<number>][] = [
  [
    'gives up the permission',
    'direct',
    ({ id, admin }) => put(admin, `/trials/${id}/users/${admin._id}/permissions`, { permissions: {} }),
  ],
  [
    'keeps only less',
    'direct',
    ({ id, admin }) =>
      put(admin, `/trials/${id}/users/${admin._id}/permissions`, { permissions: { [id]: ['trial.write'] } }),
  ],
  [
    'gives up the role',
    'role',
    async ({ admin, role }) => (await admin.call('DELETE', `/users/${admin._id}/roles/${role}`)).status,
  ],
  ['deletes the role', 'role', async ({ admin, role }) => (await admin.call('DELETE', `/roles/${role}`)).status],
  [
    'empties the role',
    'role',
    ({ id, admin, role }) => put(admin, `/roles/${role}`, { permissions: { [id]: ['trial.read'] } }),
  ],
  ['is disabled', 'direct', async (place) => disabled(place)],
  ['is disabled, with a role', 'role', async (place) => disabled(place)],
]

const put = async (who: Place['admin'], path: string, body: unknown) => (await who.call('PUT', path, body)).status

function disabled({ here, admin }: Place): number {
  try {
    disableUser(here.db, admin.email, parseInstant(here.now())!)
    return 200
  } catch (problem) {
    return (problem as { status: number }).status
  }
}

/** A trial whose only admin holds the permission directly or by role, in a team without other members. */
async function place(kind: 'direct' | 'role'): Promise<Place> {
  const here = world()
  const { owner, trial, staff, invite, db } = here
  const id = trial()
  const role = (await owner.do('createRole', id, { name: 'Admins', permissions: { [id]: ['trial.admin'] } }))._id
  const admin = kind === 'direct' ? staff(id, ['trial.admin']) : invite()
  if (kind === 'role') db.insert(userRoles).values({ user: admin._id, role }).run()
  db.$client.run('DELETE FROM teamMembers')
  return { here, id, admin, role }
}

test.each(leavings)('the last admin of a trial %s: refused', async (_, kind, leave) => {
  const here = await place(kind)
  expect(await leave(here)).toBe(400)
  expect((await here.admin.call('GET', `/trials/${here.id}/users`)).status).toBe(200)
})

test.each(leavings)('one of two admins %s: allowed', async (_, kind, leave) => {
  const here = await place(kind)
  here.here.staff(here.id, ['trial.admin'])
  expect(await leave(here)).toBe(200)
})

test.each([
  [
    'is disabled',
    (here: World, user: string) => here.db.$client.run('UPDATE users SET isDisabled = 1 WHERE _id = ?', [user]),
  ],
  [
    'has no account yet',
    (here: World, user: string) => here.db.$client.run('DELETE FROM apiKeys WHERE user = ?', [user]),
  ],
  [
    'is disabled in the team',
    (here: World, user: string) =>
      here.db.$client.run(`INSERT INTO teamMembers VALUES (?, ?, '["team.admin"]', 1)`, [here.team, user]),
  ],
])('another admin who %s does not count', async (_, change) => {
  const { here, id, admin } = await place('direct')
  const other = here.staff(id, ['trial.admin'])
  change(here, other._id)
  expect(await put(admin, `/trials/${id}/users/${admin._id}/permissions`, { permissions: {} })).toBe(400)
})

test('a manager of the team’s trials counts as an admin of each', async () => {
  const { here, id, admin } = await place('direct')
  here.invite(['trials.manage'])
  expect(await put(admin, `/trials/${id}/users/${admin._id}/permissions`, { permissions: {} })).toBe(200)
})
