/** An account is disabled when it is disabled itself, or in every team to which it belongs. */
import { expect, test } from 'bun:test'
import { createKeyFor, enableUser, resetLink } from '#accounts/teams/operatorActions'
import { issueToken } from '#accounts/users/setup'
import { permissions, teamMembers } from '#db/tables/index'
import { parseInstant } from '#kernel/time'
import { operations } from '#start/app'
import { ask, whoMay, wrongResponses } from '../../every-operation.shared'
import { everything } from '../../everything'
import { PASSWORD, world } from '../../harness'

/** A person with an API key and a session in two teams. */
async function memberOfTwo() {
  const w = world()
  const other = w.neighbours()
  const member = w.invite(['team.admin'])
  w.db.insert(teamMembers).values({ team: other.team, user: member._id, permissions: [] }).run()
  const session = await w.signIn(member)
  const disable = (isDisabled = true) => w.owner.do('updateMember', w.team, member._id, { isDisabled })
  const disableThere = (isDisabled = true) => other.owner.do('updateMember', other.team, member._id, { isDisabled })
  const statuses = async () => [
    (await member.call('GET', '/users/me')).status,
    (await session.call('GET', '/users/me')).status,
    (await w.nobody.call('POST', '/sessions', { email: member.email, password: PASSWORD })).status,
  ]
  return { ...w, member, session, disable, disableThere, statuses, other }
}

test('keys, sessions and the sign-in of an account end when its last membership is disabled', async () => {
  const s = await memberOfTwo()
  await s.disable()
  expect(await s.statuses()).toEqual([200, 200, 200])
  expect((await s.member.do('listTeams')).teams.map(({ _id }) => _id)).toEqual([s.other.team])
  await s.disableThere()
  expect(await s.statuses()).toEqual([401, 401, 401])
  expect(s.db.$client.query('SELECT * FROM sessions WHERE user = ?').all(s.member._id)).toEqual([])
  s.clock(60_000_000)
  await s.disable(false)
  // As with an account that the operator enables again: its keys work, it has to sign in anew.
  expect(await s.statuses()).toEqual([200, 401, 200])
})

test('a person without any membership, such as a guest of a trial, is not disabled', async () => {
  const { invite } = world()
  expect((await invite().call('GET', '/users/me')).status).toBe(200)
})

test('permissions on a trial of another team do not keep a disabled account in', async () => {
  const s = await memberOfTwo()
  const theirs = s.trial({ team: s.other.team })
  const third = s.trial()
  for (const trial of [theirs, third])
    s.db
      .insert(permissions)
      .values({ user: s.member._id, trial, scope: trial, keys: ['trial.admin'] })
      .run()
  await s.disable()
  await s.disableThere()
  for (const trial of [theirs, third]) expect((await s.member.call('GET', `/trials/${trial}`)).status).toBe(401)
})

test('links to choose a password end too, and none is made', async () => {
  const s = await memberOfTwo()
  const now = parseInstant(s.now())!
  const token = issueToken(s.db, 'reset', s.member._id, now)
  expect((await s.nobody.call('GET', `/setup/${token}`)).status).toBe(200)
  await s.disable()
  expect((await s.nobody.call('GET', `/setup/${token}`)).status).toBe(200)
  await s.disableThere()
  expect((await s.nobody.call('GET', `/setup/${token}`)).status).toBe(404)
  const links = () => s.db.$client.query('SELECT count(*) AS n FROM setupTokens').get()
  const before = links()
  expect((await s.nobody.call('POST', '/password-resets', { email: s.member.email })).status).toBe(200)
  expect(links()).toEqual(before)
  expect(() => resetLink(s.db, s.member.email, now)).toThrow('The account is disabled.')
  expect(() => createKeyFor(s.db, { email: s.member.email, name: 'key' }, now)).toThrow('The account is disabled.')
  expect(() => enableUser(s.db, s.member.email, now)).toThrow('Its teams have disabled this account')
})

test('no operation accepts the key or the session of a disabled account', async () => {
  const every = await everything()
  const { team, owner, invite } = every
  const member = invite(['team.admin'])
  const session = await every.signInStaff(member)
  await owner.do('updateMember', team, member._id, { isDisabled: true })
  const closed = operations.filter((op) => !whoMay(op).includes('anyone'))
  for (const person of [member, session])
    expect(await wrongResponses(closed, 401, (op) => ask(person, op, every))).toEqual([])
})

test('a request that was under way when the account was disabled changes nothing', async () => {
  const s = await memberOfTwo()
  const trial = s.trial()
  await s.disableThere()
  // Registration waits for the hash of the password, which takes long enough to disable the account meanwhile.
  const registered = s.member.call('POST', `/trials/${trial}/participants`, {
    participantId: 'P-1',
    password: 'long one',
  })
  await s.disable()
  expect((await registered).status).toBe(401)
  expect((await s.owner.do('listParticipants', trial)).participants).toEqual([])
})
