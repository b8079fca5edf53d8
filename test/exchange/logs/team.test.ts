import { expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { logLines } from '#exchange/logs/service'
import { ACCOUNT_ENTRIES } from '#exchange/studyRecord/store'
import { parseInstant } from '#kernel/time'
import { operations } from '#start/app'
import { PASSWORD, type World, world } from '../../harness'
import { firstOf } from '../../present'

const wrong = 'not the password 12'

/** The types of the entries in the log of a team, oldest first. */
const typesIn = async ({ owner, team }: Pick<World, 'owner' | 'team'>) =>
  (await owner.do('readTeamLogs', team)).entries.map(({ type }) => type).reverse()

test('the log of a team holds sign-ins, failed ones, keys, invitations, new passwords and confirmations', async () => {
  const w = world()
  const { owner, nobody, team } = w
  const web = await w.signIn(owner)
  await nobody.call('POST', '/sessions', { email: owner.email, password: wrong })
  await web.do('confirmIdentity', { password: PASSWORD })
  await web.call('POST', '/sessions/confirmations', { password: wrong })
  const key = await web.do('createApiKey', { name: 'export' })
  await web.do('deleteApiKey', key._id)
  await owner.do('inviteMember', team, { email: 'ann@example.org', name: 'Ann', permissions: [] })
  await nobody.do('requestPasswordReset', { email: owner.email })
  await web.do('signOut')
  expect(await typesIn(w)).toEqual([
    ...['signIn', 'identityNotProven', 'confirmIdentity', 'identityNotProven', 'createApiKey', 'deleteApiKey'],
    ...['inviteUser', 'requestPasswordReset', 'signOut'],
  ])
  const failed = await owner.do('readTeamLogs', team, { type: 'identityNotProven' })
  expect(failed).toMatchObject({ total: 2, nextPageAvailable: false })
  expect(failed.entries[0]).toMatchObject({ event: { user: owner._id }, client: { address: '192.0.2.1' } })
  expect((await owner.do('readTeamLogs', team, { userType: 'user', type: 'identityNotProven' })).total).toBe(0)
})

test('every entry of an operation on accounts is in the log of the team and in study records', () => {
  const isAccount = (path: string) =>
    /^\/(sessions|setup|password-resets|users\/me|teams\/:teamId\/users)(\/|$)/.test(path)
  const types = operations
    .filter(({ path }) => isAccount(path))
    .flatMap(({ logs }) => (typeof logs === 'string' ? [logs] : []))
  expect(types.length).toBeGreaterThan(10)
  expect(types.filter((type) => !ACCOUNT_ENTRIES.some((each) => each === type))).toEqual([])
})

test('an address that no account has is in no log of a team, and in that of the operator', async () => {
  const w = world()
  const { owner, nobody, team, db } = w
  const other = w.neighbours()
  await nobody.call('POST', '/sessions', { email: 'stranger@example.org', password: wrong })
  await nobody.call('POST', '/sessions', { email: 'other@example.org', password: wrong })
  expect((await owner.do('readTeamLogs', team)).entries).toEqual([])
  const theirs = await other.owner.do('readTeamLogs', other.team)
  expect(theirs.entries).toMatchObject([{ type: 'identityNotProven', event: { user: other.owner._id } }])
  expect(JSON.stringify(theirs)).not.toContain('stranger')
  const lines = logLines(db, { last: 10, isJson: false })
  expect(lines).toEqual([
    `${w.now()}\tidentityNotProven\t-\t192.0.2.1\t{"email":"stranger@example.org"}`,
    `${w.now()}\tidentityNotProven\t-\t192.0.2.1\t{"user":"${other.owner._id}"}`,
  ])
  expect(logLines(db, { team: 'Others', last: 10, isJson: true }).map((line) => JSON.parse(line).chain)).toEqual([
    other.team,
  ])
  expect(() => logLines(db, { team: 'Nobody', last: 10, isJson: false })).toThrow('There is no team "Nobody".')
})

test('a person of two teams is in the log of both', async () => {
  const w = world()
  const other = w.neighbours()
  await other.owner.do('inviteMember', other.team, { email: 'new@example.org', name: 'New', permissions: [] })
  w.db.$client.run(
    `UPDATE teamMembers SET team = '${w.team}' WHERE team = '${other.team}' AND user <> '${other.owner._id}'`,
  )
  const both = w.invite([])
  w.db.$client.run(`INSERT INTO teamMembers (team, user, permissions) VALUES ('${other.team}', '${both._id}', '[]')`)
  await w.signIn(both)
  expect(await typesIn(w)).toEqual(['signIn'])
  expect(await typesIn({ owner: { ...w.owner, ...other.owner }, team: other.team })).toEqual(['inviteUser', 'signIn'])
})

test('only admins of the team read its log', async () => {
  const w = world()
  const url = `/teams/${w.team}/logs` as const
  expect((await w.nobody.call('GET', url)).status).toBe(401)
  expect((await w.invite(['trials.manage']).call('GET', url)).status).toBe(403)
  expect((await w.neighbours().owner.call('GET', url)).status).toBe(404)
  expect((await w.invite(['team.admin']).call('GET', url)).status).toBe(200)
})

test('the log of a team has pages of 30, and all of it as csv, which is an entry', async () => {
  const w = world()
  const { owner, team } = w
  for (let n = 0; n < 35; n++) await owner.do('updateTeam', team, { name: `Research ${n}` })
  const first = await owner.do('readTeamLogs', team)
  const second = await owner.do('readTeamLogs', team, { page: 2 })
  expect([first.entries.length, first.total, first.nextPageAvailable]).toEqual([30, 35, true])
  expect([second.entries.map(({ number }) => number), second.nextPageAvailable]).toEqual([[5, 4, 3, 2, 1], false])
  const { csv } = await owner.do('readTeamLogs', team, { format: 'csv' })
  expect(parse(csv, { columns: true })).toHaveLength(35)
  expect(firstOf((await owner.do('readTeamLogs', team)).entries)).toMatchObject({
    type: 'exportLogs',
    event: { format: 'csv' },
  })
  expect(parseInstant(firstOf(first.entries).createdAt)).toBeDefined()
})
