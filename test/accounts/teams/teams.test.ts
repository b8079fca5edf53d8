import { expect, test } from 'bun:test'
import { teamMembers } from '#db/tables/index'
import { PASSWORD, type World, world } from '../../harness'

const entries = ({ db }: World, type: string) =>
  db.$client.query('SELECT * FROM auditEntries WHERE type = ?').all(type) as Record<string, string>[]

const tokenOf = (setupUrl: string) => setupUrl.split('/').pop()!
const grace = { deletionGraceDays: 0, lowerGraceDays: null }
const on = {
  advancedExport: true,
  videoCalls: true,
  incentives: true,
  ai: true,
  eConsent: true,
  wearables: true,
  foodDiaries: true,
}

test('members see their team; others do not', async () => {
  const { owner, team, invite, neighbours, nobody } = world()
  const shown = { _id: team, name: 'Research', features: on, participantLimit: null, participantCount: 0, ...grace }
  expect(await owner.do('listTeams')).toEqual({ teams: [shown] })
  expect(await invite([]).do('readTeam', team)).toEqual(shown)
  const { owner: other } = neighbours()
  for (const path of [`/teams/${team}`, `/teams/${team}/users`, '/teams/nonsense']) {
    expect((await other.call('GET', path)).status).toBe(404)
    expect((await nobody.call('GET', path)).status).toBe(401)
  }
  expect((await other.call('PUT', `/teams/${team}`, { name: 'Mine' })).status).toBe(404)
  expect(await invite().do('listTeams')).toEqual({ teams: [] })
})

test('an admin renames a team, switches its features and sets its limit; fields that are not sent stay the same', async () => {
  const here = world()
  const { owner, team, invite } = here
  const off = await owner.do('updateTeam', team, { features: { ai: false } })
  expect(off).toMatchObject({ name: 'Research', features: { ...on, ai: false } })
  expect(await owner.do('updateTeam', team, { ...off, name: 'Renamed', participantLimit: 50 })).toEqual({
    ...off,
    name: 'Renamed',
    participantLimit: 50,
  })
  expect(await owner.do('updateTeam', team, { features: { wearables: false } })).toMatchObject({
    features: { ...on, ai: false, wearables: false },
    participantLimit: 50,
  })
  expect((await owner.do('readOwnUser')).teams[0]!.features).toEqual({ ...on, ai: false, wearables: false })
  expect((await owner.call('PUT', `/teams/${team}`, { features: { teleport: true } })).status).toBe(422)
  expect((await invite(['trials.manage']).call('PUT', `/teams/${team}`, { name: 'No' })).status).toBe(403)
  expect(entries(here, 'accessRefused')).toMatchObject([{ chain: team }])
  expect(JSON.parse(entries(here, 'updateTeam')[0]!.event!)).toMatchObject({
    before: { features: on },
    after: { features: { ...on, ai: false } },
  })
})

test('an invited person chooses a password and is a member', async () => {
  const here = world()
  const { owner, team, nobody, person, db } = here
  const input = { email: 'new@example.org', name: 'Nina New', permissions: ['trials.create' as const] }
  const invited = await owner.do('inviteMember', team, input)
  expect(invited).toEqual({
    ...input,
    _id: expect.any(String),
    createdAt: '2026-03-02T12:00:00.000000Z',
    lastSeenAt: null,
    isDisabled: false,
    isAccountDisabled: false,
    isSetUp: false,
    setupUrl: expect.stringMatching(/^http:\/\/localhost\/app\/setup\/[\w-]{43}$/),
  })
  expect(db.$client.query('SELECT recipient, status, body FROM outbox').all()).toEqual([
    { recipient: 'new@example.org', status: 'notSent', body: expect.stringContaining(invited.setupUrl!) },
  ])
  const token = tokenOf(invited.setupUrl!)
  expect(await nobody.do('readSetup', token)).toMatchObject({
    email: 'new@example.org',
    name: 'Nina New',
    purpose: 'invitation',
    team: 'Research',
    invitedBy: 'Olga Owner',
  })
  expect(await nobody.do('completeSetup', token, { name: 'Nina Newer', password: PASSWORD })).toMatchObject({
    name: 'Nina Newer',
  })
  const { headers } = await nobody.call('POST', '/sessions', { email: input.email, password: PASSWORD })
  const nina = person({ Cookie: headers.get('set-cookie')!.split(';')[0]! })
  expect((await nina.do('readOwnUser')).teams).toMatchObject([{ _id: team, permissions: ['trials.create'] }])
  expect((await owner.do('listMembers', team)).users).toMatchObject([
    { _id: owner._id, permissions: ['team.admin'] },
    { _id: invited._id, name: 'Nina Newer', isSetUp: true },
  ])
  expect(JSON.stringify(db.$client.query('SELECT * FROM auditEntries').all())).not.toContain(token)
})

test('a new invitation ends the previous one; a person with an account joins at once; a member cannot be invited', async () => {
  const { owner, team, nobody, neighbours, invite, signIn, db } = world()
  const first = await owner.do('inviteMember', team, { email: 'new@example.org', name: 'Nina' })
  const second = await owner.do('inviteMember', team, { email: 'NEW@example.org', name: 'Nina' })
  expect(second._id).toBe(first._id)
  expect((await nobody.call('GET', `/setup/${tokenOf(first.setupUrl!)}`)).status).toBe(404)
  const other = neighbours()
  const body = { email: 'new@example.org', name: 'Mine now', permissions: ['team.admin' as const] }
  expect((await other.owner.call('POST', `/teams/${other.team}/users`, body)).status).toBe(400)
  await nobody.do('completeSetup', tokenOf(second.setupUrl!), { password: PASSWORD })
  expect(await other.owner.do('inviteMember', other.team, body)).toMatchObject({
    name: 'Nina',
    permissions: ['team.admin'],
    isSetUp: true,
    setupUrl: null,
  })
  expect((await other.owner.call('POST', `/teams/${other.team}/users`, body)).status).toBe(400)
  const stranger = { email: invite().email, name: 'Not set up, in no team' }
  expect((await owner.call('POST', `/teams/${team}/users`, stranger)).status).toBe(400)
  const gone = invite()
  await signIn(gone)
  db.$client.run('UPDATE users SET isDisabled = 1 WHERE _id = ?', [gone._id])
  expect((await owner.call('POST', `/teams/${team}/users`, { email: gone.email, name: 'Gone' })).status).toBe(400)
})

test.each([
  [{ name: 'A' }, { email: ['Missing data for required field.'] }],
  [{ email: 'nonsense', name: 'A' }, { email: ['Must be an e-mail address.'] }],
  [{ email: 'a@example.org', name: '' }, { name: ['Must not be empty.'] }],
  [
    { email: 'a@example.org', name: 'A', permissions: ['trial.admin'] },
    { permissions: ['0: Must be one of: team.admin, trials.create, trials.manage.'] },
  ],
])('refuses the invitation %j', async (body, problems) => {
  const { owner, team } = world()
  const answer = await owner.call('POST', `/teams/${team}/users`, body)
  expect([answer.status, answer.body.validations.json]).toEqual([422, problems])
})

test('only an admin invites and changes members', async () => {
  const { team, invite, owner } = world()
  const member = invite(['trials.create', 'trials.manage'])
  expect((await member.call('POST', `/teams/${team}/users`, { email: 'a@example.org', name: 'A' })).status).toBe(403)
  const mine = `/teams/${team}/users/${member._id}`
  expect((await member.call('PUT', mine, { permissions: ['team.admin'] })).status).toBe(403)
  expect((await owner.call('PUT', `/teams/${team}/users/${invite()._id}`, {})).status).toBe(404)
})

test('a disabled member loses the team, its trials, and all permissions on them', async () => {
  const here = world()
  const { owner, team, trial, invite, db, neighbours } = here
  const id = trial()
  const member = invite([])
  // With another membership the account stays enabled.
  db.insert(teamMembers).values({ team: neighbours().team, user: member._id, permissions: [] }).run()
  await owner.do('setPermissions', id, member._id, { permissions: { [id]: ['trial.read'] } })
  const role = await owner.do('createRole', id, { name: 'Reader', permissions: { [id]: ['trial.read'] } })
  await owner.do('assignRole', member._id, role._id)
  expect((await member.call('GET', `/trials/${id}/groups`)).status).toBe(200)
  expect(await owner.do('updateMember', team, member._id, { isDisabled: true })).toMatchObject({
    isDisabled: true,
    permissions: [],
  })
  expect((await member.do('listTeams')).teams).toMatchObject([{ name: 'Others' }])
  expect((await member.call('GET', `/trials/${id}/groups`)).status).toBe(404)
  expect((await owner.do('listPeople', id)).users).toMatchObject([{}, { _id: member._id, isDisabled: true }])
  await owner.do('updateMember', team, member._id, { isDisabled: false })
  expect((await member.call('GET', `/trials/${id}/groups`)).status).toBe(200)
  expect(entries(here, 'updateTeamUser')).toHaveLength(2)
  expect(db.$client.query('SELECT * FROM teamMembers WHERE user = ?').all(member._id)).toHaveLength(2)
})

test.each([
  ['the permission', { permissions: ['trials.manage'] }],
  ['the membership', { isDisabled: true }],
])('the last admin of a team always keeps %s', async (_, change) => {
  const { owner, team, invite } = world()
  const path = `/teams/${team}/users/${owner._id}` as const
  const refused = await owner.call('PUT', path, change)
  expect([refused.status, refused.body.message]).toEqual([400, 'The team would be left without an admin.'])
  const invited = await owner.do('inviteMember', team, {
    email: 'a@example.org',
    name: 'A',
    permissions: ['team.admin'],
  })
  expect(invited.isSetUp).toBe(false)
  expect((await owner.call('PUT', path, change)).status).toBe(400) // an account that is not set up does not count as an admin
  const second = invite(['team.admin'])
  expect(await owner.do('updateMember', team, owner._id, change)).toMatchObject(change)
  expect((await second.call('PUT', `/teams/${team}/users/${second._id}`, change)).status).toBe(400)
})
