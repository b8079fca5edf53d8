import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { verifyChains } from '#audit/verify'
import { readArguments } from '#cli/arguments'
import { command as keysCommand } from '#cli/keys'
import { manageKeys } from '#cli/manageKeys'
import { manageUsers } from '#cli/manageUsers'
import { command as usersCommand } from '#cli/users'
import { drizzleOf, openSqlite } from '#db/open'
import { parseInstant } from '#kernel/time'
import { PASSWORD, world } from '../../harness'

/** A world, and the command line with its own connection to the database, as another process has. */
function desk() {
  const here = world()
  const sqlite = openSqlite(join(here.directory, 'trialbox.db'))
  const line = (command: typeof usersCommand, manage: typeof manageUsers) => (line: string) => {
    const output: string[] = []
    const called = readArguments(
      command,
      line.split(' ').map((word) => word.replaceAll('_', ' ')),
    )
    const print = (text: string) => void output.push(text)
    manage({ ...called, print }, drizzleOf(sqlite), parseInstant(here.now())!, 'https://study.example')
    return output.join('\n')
  }
  return { ...here, users: line(usersCommand, manageUsers), keys: line(keysCommand, manageKeys) }
}

test('adds an account to a team and prints a link that sets its password', async () => {
  const { users, nobody, team, db } = desk()
  const output = users('add --email ann@example.org --name Ann_Ash --team Research --permissions trials.create')
  const token = /\/app\/setup\/([\w-]{43})$/.exec(output)![1]
  expect(await nobody.do('completeSetup', token, { password: PASSWORD })).toMatchObject({ name: 'Ann Ash' })
  const { user } = await nobody.do('signIn', { email: 'ann@example.org', password: PASSWORD })
  expect(user.teams).toMatchObject([{ _id: team, permissions: ['trials.create'] }])
  expect(users('list').split('\n')).toEqual([
    'owner@example.org\tOlga Owner\tnot set up\tnever seen',
    'ann@example.org\tAnn Ash\tactive\tnever seen',
  ])
  const entry = db.$client.query(`SELECT chain, userType, event FROM auditEntries WHERE type = 'createUser'`).get()
  expect(entry).toMatchObject({ chain: team, userType: 'system', event: expect.not.stringContaining(token!) })
})

test('the first account of a new team is its owner', async () => {
  const { users, nobody } = desk()
  const token = users('add --email ann@example.org --name Ann --team Newcomers').split('/').pop()
  await nobody.do('completeSetup', token, { password: PASSWORD })
  const { user } = await nobody.do('signIn', { email: 'ann@example.org', password: PASSWORD })
  expect(user.teams).toMatchObject([{ name: 'Newcomers', permissions: ['team.admin'] }])
})

test('disables and enables an account while the service runs', async () => {
  const { users, owner, invite } = desk()
  const second = invite(['team.admin'])
  expect((await second.call('GET', '/users/me')).status).toBe(200)
  expect(users(`disable --email ${second.email}`)).toContain('disabled')
  expect((await second.call('GET', '/users/me')).status).toBe(401)
  expect(() => users('disable --email owner@example.org')).toThrow('The team would be left without an admin.')
  expect((await owner.call('GET', '/users/me')).status).toBe(200)
  users(`enable --email ${second.email}`)
  expect((await second.call('GET', '/users/me')).status).toBe(200)
})

test('resets a password, and two-step sign-in if asked', async () => {
  const { users, owner, nobody, db } = desk()
  db.$client.run(`UPDATE users SET totpSecret = 'JBSWY3DPEHPK3PXP' WHERE _id = ?`, [owner._id])
  const attempt = () => nobody.call('POST', '/sessions', { email: owner.email, password: PASSWORD })
  db.$client.run(`INSERT INTO recoveryCodes (_id, createdAt, user, hash) VALUES ('x', 0, ?, 'y')`, [owner._id])
  const codes = () => db.$client.query('SELECT * FROM recoveryCodes').all().length
  const reset = async (line: string) =>
    nobody.post<'completeSetup'>(`/setup/${users(line).split('/').pop()}`, { password: PASSWORD })
  await reset(`reset --email ${owner.email}`)
  expect([(await attempt()).status, codes()]).toEqual([401, 1])
  await reset(`reset --email ${owner.email} --remove-totp`)
  expect([(await attempt()).status, codes()]).toEqual([200, 0])
})

test('creates, lists and revokes keys', async () => {
  const { keys, owner, person } = desk()
  const key = keys('create --email owner@example.org --name nightly_export --expires 2026-03-31')
  expect(key).toMatch(/^tbk_[\w-]{43}$/)
  const holder = person({ Authorization: `Bearer ${key}` })
  expect((await holder.do('readOwnUser'))._id).toBe(owner._id)
  const listed = keys('list --email owner@example.org')
  expect(listed).toContain(`${key.slice(0, 8)}\tnightly export\tuntil 2026-03-31T23:59:59.999999Z`)
  expect(listed).not.toContain(key)
  keys('revoke --email owner@example.org --name nightly_export')
  expect((await holder.call('GET', '/users/me')).status).toBe(401)
})

test('moves an account to another address: it signs out, links end, and the earlier address is told', async () => {
  const { users, owner, signIn, db } = desk()
  const web = await signIn(owner)
  users('move --email owner@example.org --to olga@hospital.example')
  expect((await web.call('GET', '/users/me')).status).toBe(401)
  expect((await owner.do('readOwnUser')).email).toBe('olga@hospital.example')
  const told = db.$client.query("SELECT count(*) AS n FROM outbox WHERE recipient = 'owner@example.org'").get()
  expect(told).toEqual({ n: 1 })
})

test('creates a key that only reads some trials', async () => {
  const { keys, person, trial } = desk()
  const [sleep, walk] = [trial({ code: 'sleep' }), trial({ code: 'walk' })]
  const holder = person({
    Authorization: `Bearer ${keys('create --email owner@example.org --name x --read-only --trials SLEEP')}`,
  })
  expect((await holder.do('readTrial', sleep))._id).toBe(sleep)
  expect((await holder.call('GET', `/trials/${walk}`)).status).toBe(404)
  expect((await holder.call('PUT', `/trials/${sleep}`, { name: 'Other' })).body.details.code).toBe('keyReadOnly')
  expect(keys('list --email owner@example.org')).toContain(`\tonly reads, trials ${sleep}`)
})

test.each([
  ['users', 'add --email ann@example.org --name Ann', 'This needs --team.'],
  ['users', 'add --email nonsense --name Ann --team Research', 'email: Must be an e-mail address.'],
  ['users', 'add --email a@example.org --name Ann --team Research --permissions fly', 'permissions: 0: Must be one of'],
  ['users', 'add --email OWNER@example.org --name Ann --team Research', 'already in use'],
  ['users', 'disable --email who@example.org', 'There is no such account ("who@example.org")'],
  ['users', 'reset', 'This needs --email.'],
  ['users', 'move --email owner@example.org', 'This needs --to.'],
  ['users', 'move --email owner@example.org --to nonsense', 'Must be an e-mail address.'],
  ['users', 'move --email owner@example.org --to OWNER@example.org', 'already in use'],
  ['users', 'fly', 'knows list, add, reset, move, disable and enable'],
  ['keys', 'create --email who@example.org --name x', 'There is no such account'],
  ['keys', 'create --email owner@example.org --name x --expires soon', '--expires takes a day or moment'],
  ['keys', 'create --email owner@example.org --name x --expires 2026-03-01', 'would have expired already'],
  ['keys', 'revoke --email owner@example.org --key tbk_none', 'There is no such API key'],
  ['keys', 'create --email owner@example.org --name x --trials none', 'no trial with the code or _id none'],
  ['keys', 'fly', 'knows create, list, revoke and confirm'],
] as const)('trialbox %s %s: refused, and nothing is written', (which, line, message) => {
  const here = desk()
  const before = here.db.$client.query('SELECT count(*) AS n FROM auditEntries').get()
  expect(() => here[which](line)).toThrow(message)
  expect(here.db.$client.query('SELECT count(*) AS n FROM auditEntries').get()).toEqual(before)
})

test('the log of a team stays valid when the service and a command write to it', async () => {
  const { users, keys, owner, signIn, db, team } = desk()
  const web = await signIn(owner)
  keys('create --email owner@example.org --name a')
  await web.do('updateOwnUser', { name: 'Olga' })
  users('add --email ann@example.org --name Ann --team Research')
  await web.do('signOut')
  expect(db.$client.query('SELECT type FROM auditEntries WHERE chain = ? ORDER BY number').values(team).flat()).toEqual(
    ['signIn', 'createApiKey', 'updateUser', 'createUser', 'signOut'],
  )
  const chains = verifyChains(db.$client)
  expect(chains).toContainEqual({ chain: team, entries: 5, hash: expect.any(String) })
  expect(chains.filter(({ fault }) => fault)).toEqual([])
})
