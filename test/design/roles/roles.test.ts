import { expect, test } from 'bun:test'
import { groups, sites, userRoles } from '#db/tables/index'
import { newId } from '#kernel/id'
import { type World, world } from '../../harness'

const events = ({ db }: World, type: string) =>
  (db.$client.query('SELECT chain, event FROM auditEntries WHERE type = ?').all(type) as { event: string }[]).map(
    ({ event }) => JSON.parse(event),
  )

/** A trial with a site and a group, inserted directly into the database. */
function trialWithPlaces(here: World) {
  const trial = here.trial()
  const [site, group] = [newId(0), newId(0)]
  here.db.insert(sites).values({ _id: site, createdAt: 0, trial, name: 'Ward 1', id: 'W1' }).run()
  here.db.insert(groups).values({ _id: group, createdAt: 0, trial, name: 'Arm A' }).run()
  return { trial, site, group }
}

test('an admin creates, reads, changes, lists and deletes a role', async () => {
  const here = world()
  const { owner } = here
  const { trial, site, group } = trialWithPlaces(here)
  const input = {
    name: 'Ward nurse',
    description: 'Enters data on the ward.',
    permissions: { [trial]: ['trial.readUsers'], [site]: ['site.write', 'trial.support'], [group]: ['group.read'] },
  }
  const role = await owner.do('createRole', trial, input)
  expect(role).toEqual({ ...input, _id: expect.any(String), createdAt: '2026-03-02T12:00:00.000000Z', trial })
  expect(await owner.do('readRole', role._id)).toEqual(role)
  expect(await owner.do('updateRole', role._id, { ...role, name: 'Nurse' })).toEqual({
    ...role,
    name: 'Nurse',
  })
  expect(await owner.do('listRoles', trial)).toEqual({ roles: [{ ...role, name: 'Nurse' }] })
  expect(await owner.do('deleteRole', role._id)).toEqual({})
  expect(await owner.do('listRoles', trial)).toEqual({ roles: [] })
  expect(events(here, 'createRole')).toMatchObject([{ after: { name: 'Ward nurse' } }])
  expect(events(here, 'updateRole')).toEqual([
    { roleId: role._id, before: { name: 'Ward nurse' }, after: { name: 'Nurse' } },
  ])
  expect(events(here, 'deleteRole')).toMatchObject([{ before: { name: 'Nurse' } }])
})

test('roles can change while the trial is locked', async () => {
  const { owner, trial } = world()
  const id = trial({ isLocked: true, isDatabaseLocked: true })
  expect((await owner.call('POST', `/trials/${id}/roles`, { name: 'Nurse' })).status).toBe(200)
})

test.each([
  [{}, { name: ['Missing data for required field.'] }],
  [{ name: 'x' }, { name: ['Must be at least 2 characters.'] }],
  [{ name: 'x'.repeat(101) }, { name: ['Must be at most 100 characters.'] }],
  [{ name: 'xx', description: 'x'.repeat(2001) }, { description: ['Must be at most 2000 characters.'] }],
  [{ name: 'xx', size: 1 }, { size: ['Unknown field.'] }],
])('refuses the role %j', async (body, problems) => {
  const { owner, trial } = world()
  const answer = await owner.call('POST', `/trials/${trial()}/roles`, body)
  expect([answer.status, answer.body.validations.json]).toEqual([422, problems])
})

test('accepts names of 2 and 100 characters and a description of 2000', async () => {
  const { owner, trial } = world()
  const id = trial()
  for (const name of ['xx', 'x'.repeat(100)]) {
    await owner.do('createRole', id, { name, description: 'x'.repeat(2000) })
  }
})

test('lists every wrong scope and word under permissions', async () => {
  const here = world()
  const { owner, trial: another } = here
  const { trial, site, group } = trialWithPlaces(here)
  const foreign = another()
  const permissions = {
    [trial]: ['trial.read', 'site.read', 'trial.fly', 'team.admin'],
    [site]: ['site.read', 'group.read', 'trial.read'],
    [group]: ['group.write', 'site.read'],
    [foreign]: ['trial.read'],
    nonsense: [],
  }
  const answer = await owner.call('POST', `/trials/${trial}/roles`, { name: 'Bad', permissions })
  expect(answer.status).toBe(422)
  expect(answer.body.validations.json.permissions.sort()).toEqual(
    [
      `${trial}: No such permission on a trial: site.read.`,
      `${trial}: No such permission on a trial: trial.fly.`,
      `${trial}: No such permission on a trial: team.admin.`,
      `${site}: No such permission on a site: group.read.`,
      `${group}: No such permission on a group: site.read.`,
      `${foreign}: Is neither this trial nor a site or group of it.`,
      'nonsense: Is neither this trial nor a site or group of it.',
    ].sort(),
  )
  expect(await owner.do('listRoles', trial)).toEqual({ roles: [] })
})

test('giving and removing a role takes effect at once', async () => {
  const here = world()
  const { owner, invite } = here
  const { trial } = trialWithPlaces(here)
  const nurse = invite([])
  const role = await owner.do('createRole', trial, { name: 'Reader', permissions: { [trial]: ['trial.read'] } })
  const can = async () => (await nurse.call('GET', `/trials/${trial}/roles`)).status
  expect(await can()).toBe(404)
  const path = `/users/${nurse._id}/roles/${role._id}` as const
  const given = await owner.do('assignRole', nurse._id, role._id)
  expect(given).toMatchObject({
    _id: nurse._id,
    permissions: {},
    roles: [{ _id: role._id, name: 'Reader', permissions: { [trial]: ['trial.read'] } }],
  })
  expect(await owner.do('assignRole', nurse._id, role._id)).toEqual(given)
  expect(await can()).toBe(200)
  expect((await nurse.do('readOwnUser')).roles).toEqual([
    { _id: role._id, trial, name: 'Reader', permissions: { [trial]: ['trial.read'] } },
  ])
  await owner.do('updateRole', role._id, { permissions: { [trial]: ['trial.readUsers'] } })
  expect(await can()).toBe(403)
  expect(await owner.do('unassignRole', nurse._id, role._id)).toEqual({})
  expect((await owner.call('DELETE', path)).status).toBe(400)
  expect(await can()).toBe(404)
  expect(events(here, 'assignRole')).toHaveLength(2)
  expect(events(here, 'unassignRole')).toMatchObject([{ user: nurse._id, role: role._id, name: 'Reader' }])
})

test('roles of another team’s trial are 404, and people outside the team get no role', async () => {
  const { owner, trial, neighbours, staff, nobody } = world()
  const id = trial()
  const role = await owner.do('createRole', id, { name: 'Nurse' })
  const { owner: other } = neighbours()
  const person = `/users/${owner._id}/roles/${role._id}`
  const calls = [
    ['GET', `/trials/${id}/roles`],
    ['POST', `/trials/${id}/roles`],
    ['GET', `/roles/${role._id}`],
    ['PUT', `/roles/${role._id}`],
    ['DELETE', `/roles/${role._id}`],
    ['PUT', person],
    ['DELETE', person],
  ] as const
  const writer = staff(id, ['trial.write'])
  for (const [method, path] of calls) {
    const body = method === 'POST' ? { name: 'Mine' } : undefined
    expect((await nobody.call(method, path, body)).status).toBe(401)
    expect((await other.call(method, path, body)).status).toBe(404)
    expect((await writer.call(method, path, body)).status).toBe(method === 'GET' ? 200 : 403)
  }
  expect((await owner.call('PUT', `/users/${other._id}/roles/${role._id}`)).status).toBe(404)
  expect((await owner.call('PUT', `/users/nonsense/roles/${role._id}`)).status).toBe(404)
  expect((await staff(id, ['trial.support']).call('GET', `/roles/${role._id}`)).status).toBe(403)
})

test('a role on a site takes nothing away that was granted there, and a list without words gives no access to the trial', async () => {
  const here = world()
  const { trial, site } = trialWithPlaces(here)
  const nurse = here.staff(trial, ['site.readParticipants'], site)
  const role = await here.owner.do('createRole', trial, { name: 'Helper', permissions: { [site]: ['site.support'] } })
  here.db.insert(userRoles).values({ user: nurse._id, role: role._id }).run()
  expect((await nurse.call('GET', `/trials/${trial}/participants`)).status).toBe(200)
  const stranger = here.staff(trial, [], site)
  expect((await stranger.call('GET', `/trials/${trial}`)).status).toBe(404)
})
