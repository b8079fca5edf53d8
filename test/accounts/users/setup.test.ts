import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isCommon } from '#accounts/users/commonPasswords'
import { issueFirstToken, issueToken } from '#accounts/users/setup'
import { parseInstant } from '#kernel/time'
import { PASSWORD, type World, world } from '../../harness'

const at = ({ now }: World) => parseInstant(now())!
const mails = ({ db }: World) => db.$client.query('SELECT * FROM outbox ORDER BY _id').all() as Record<string, string>[]
const ENDED = 'This link was used already, has ended or never existed. Ask for a new one.'

/** A service without accounts. */
function empty() {
  const here = world()
  here.db.$client.run('DELETE FROM users')
  here.db.$client.run('DELETE FROM teams')
  return here
}

test('the first set-up link creates the team and its owner, once', async () => {
  const here = empty()
  const { nobody, db } = here
  const token = issueFirstToken(db, at(here))!
  expect(await nobody.do('readSetup', token)).toEqual({
    email: null,
    name: null,
    purpose: 'first',
    expiresAt: '2026-03-02T13:00:00.000000Z',
    team: null,
    invitedBy: null,
  })
  const account = { email: 'first@example.org', name: 'Fanny First', team: 'Founders', password: PASSWORD }
  const missing = await nobody.call('POST', `/setup/${token}`, { password: PASSWORD })
  const required = ['Missing data for required field.']
  expect([missing.status, missing.body.validations.json]).toEqual([
    422,
    { name: required, email: required, team: required },
  ])
  expect(await nobody.do('completeSetup', token, account)).toEqual({
    _id: expect.any(String),
    name: 'Fanny First',
    email: 'first@example.org',
  })
  const again = await nobody.call('POST', `/setup/${token}`, { ...account, email: 'second@example.org' })
  expect([again.status, again.body]).toEqual([404, { message: ENDED, details: { code: 'linkEnded' } }])
  const { user } = await nobody.do('signIn', { email: account.email, password: PASSWORD })
  expect(user.teams).toMatchObject([{ name: 'Founders', permissions: ['team.admin'] }])
  expect(issueFirstToken(db, at(here))).toBeUndefined()
  const kept = JSON.stringify([
    db.$client.query('SELECT * FROM auditEntries').all(),
    db.$client.query('SELECT * FROM setupTokens').all(),
  ])
  expect(kept).not.toContain(token)
  expect(kept).not.toContain(PASSWORD)
})

test('only the first account takes an address and a team: in a link for another one they are refused', async () => {
  const { nobody, owner, team } = world()
  const invitation = { email: 'new@example.org', name: 'New', permissions: [] }
  const url = `/setup/${(await owner.do('inviteMember', team, invitation)).setupUrl!.split('/').at(-1)}`
  const { status, body } = await nobody.call('POST', url, { password: PASSWORD, email: 'x@example.org', team: 'Mine' })
  const problem = 'Is for the first account only.'
  expect([status, body.details.fields]).toEqual([422, { email: problem, team: problem }])
  expect((await nobody.call('POST', url, { password: PASSWORD })).body.email).toBe(invitation.email)
})

test('two uses of the first link at the same time create one owner; a new link ends the old one', async () => {
  const here = empty()
  const ended = issueFirstToken(here.db, at(here))!
  const token = issueFirstToken(here.db, at(here))!
  expect((await here.nobody.call('GET', `/setup/${ended}`)).status).toBe(404)
  const send = (n: number) =>
    here.nobody.call('POST', `/setup/${token}`, {
      email: `a${n}@example.org`,
      name: 'A',
      team: 'Team',
      password: PASSWORD,
    })
  const statuses = (await Promise.all([send(1), send(2)])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 404])
  expect(here.db.$client.query('SELECT count(*) AS n FROM users').get()).toEqual({ n: 1 })
})

test.each([
  ['first', 60],
  ['invitation', 72 * 60],
  ['reset', 60],
] as const)('a link for %s is valid for %d minutes, to the microsecond', async (purpose, minutes) => {
  const here = purpose === 'first' ? empty() : world()
  const token = issueToken(here.db, purpose, purpose === 'first' ? null : here.owner._id, at(here))
  here.clock(minutes * 60_000_000 - 1)
  expect((await here.nobody.do('readSetup', token)).purpose).toBe(purpose)
  here.clock(1)
  expect((await here.nobody.call('GET', `/setup/${token}`)).body).toEqual({
    message: ENDED,
    details: { code: 'linkEnded' },
  })
  expect((await here.nobody.call('POST', `/setup/${token}`, { password: PASSWORD })).status).toBe(404)
})

test('the link of a reset is mailed, sets the password once, and ends all sessions', async () => {
  const here = world()
  const { owner, nobody, signIn } = here
  const web = await signIn(owner)
  expect(await nobody.do('requestPasswordReset', { email: 'OWNER@example.org' })).toEqual({})
  expect(await nobody.do('requestPasswordReset', { email: 'OWNER@example.org' })).toEqual({})
  const [mail, second] = mails(here)
  expect(mail).toMatchObject({ channel: 'email', recipient: owner.email, user: owner._id, status: 'notSent' })
  const [token, other] = [mail!, second!].map(({ body }) => /http:\/\/localhost\/app\/setup\/([\w-]+)/.exec(body!)![1])
  expect(await nobody.do('readSetup', token)).toMatchObject({ email: owner.email, purpose: 'reset' })
  await nobody.do('completeSetup', token, { password: 'quiet meadow 48' })
  expect((await nobody.call('POST', `/setup/${token}`, { password: PASSWORD })).status).toBe(404)
  expect((await nobody.call('POST', `/setup/${other}`, { password: PASSWORD })).status).toBe(404)
  expect((await web.call('GET', '/users/me')).status).toBe(401)
  const attempt = (password: string) => nobody.call('POST', '/sessions', { email: owner.email, password })
  expect((await attempt(PASSWORD)).status).toBe(401)
  expect((await attempt('quiet meadow 48')).status).toBe(200)
})

test('a reset of an unknown or disabled account gets the same response and sends nothing', async () => {
  const here = world()
  const gone = here.invite()
  here.db.$client.run('UPDATE users SET isDisabled = 1 WHERE _id = ?', [gone._id])
  for (const email of ['who@example.org', gone.email]) {
    expect(await here.nobody.do('requestPasswordReset', { email })).toEqual({})
  }
  expect(mails(here)).toEqual([])
})

test('whether links are mailed is told to everybody, and the same for each address', async () => {
  const email = {
    host: 'mail.invalid',
    port: 25,
    isSecure: true,
    from: { name: 'Study', address: 'study@example.org' },
  }
  expect(await world().nobody.do('readPasswordResets')).toEqual({ sendsEmail: false })
  expect(await world({ messages: { email } }).nobody.do('readPasswordResets')).toEqual({ sendsEmail: true })
})

test('a link ends when its account is disabled', async () => {
  const here = world()
  const token = issueToken(here.db, 'reset', here.owner._id, at(here))
  here.db.$client.run('UPDATE users SET isDisabled = 1')
  expect((await here.nobody.call('POST', `/setup/${token}`, { password: PASSWORD })).status).toBe(404)
})

test('an address may try ten links a minute, and ask for three resets of an account', async () => {
  const { nobody, owner, person, clock } = world()
  const guess = (as: Pick<typeof nobody, 'call'> = nobody) => as.call('POST', '/setup/guess', { password: PASSWORD })
  for (let n = 0; n < 10; n++) expect((await guess()).status).toBe(404)
  expect((await guess()).body['Allowed limit']).toBe('10 per 1 minute')
  expect((await guess(owner)).status).toBe(429) // signing in does not raise the limit of the address
  const ask = (n: number) => person({}, `192.0.2.${n}`).call('POST', '/password-resets', { email: owner.email })
  for (let n = 0; n < 3; n++) expect((await ask(n)).status).toBe(200)
  expect((await ask(4)).status).toBe(429)
  clock(60_000_000)
  expect((await guess()).status).toBe(404)
  expect((await ask(5)).status).toBe(200)
})

test('who asks again and again gets five links at a time, and more when those are over', async () => {
  const here = world()
  const ask = () => here.nobody.do('requestPasswordReset', { email: here.owner.email })
  for (let n = 0; n < 7; n++) {
    here.clock(60_000_000)
    expect(await ask()).toEqual({})
  }
  expect(mails(here)).toHaveLength(5)
  here.clock(3600_000_000)
  await ask()
  expect(mails(here)).toHaveLength(6)
})

test.each([
  ['nine chars', 'x9#mq2!vb', ['Must be at least 10 characters.']],
  ['201 characters', 'x9#mq2!vbk'.repeat(21).slice(0, 201), ['Must be at most 200 characters.']],
  ['a common one', 'Password123!', ['Is among the commonest passwords or too easily guessed. Choose another.']],
  ['the own address', 'owner2026!!', ['Is among the commonest passwords or too easily guessed. Choose another.']],
])('refuses a password: %s', async (_, password, problems) => {
  const here = world()
  const token = issueToken(here.db, 'reset', here.owner._id, at(here))
  const { status, body } = await here.nobody.call('POST', `/setup/${token}`, { password })
  expect([status, body.validations.json]).toEqual([422, { password: problems }])
  expect((await here.nobody.call('GET', `/setup/${token}`)).status).toBe(200)
})

test.each(['x9#mq2!vbk', '74#!92+61*53~8', `${'x9#mq2!vbk'.repeat(19)}tz!!4LpQ77`])(
  'accepts a password of %s',
  async (password) => {
    const here = world()
    const token = issueToken(here.db, 'reset', here.owner._id, at(here))
    expect((await here.nobody.call('POST', `/setup/${token}`, { password })).status).toBe(200)
  },
)

test.each([
  ['1234567890', true],
  ['1990-12-31', true],
  ['aaaaaaaaaaaa', true],
  ['abababababab', true],
  ['qwertyuiop', true],
  ['Qwertyuiop1!', true],
  ['p4ssw0rd2024', true],
  ['P@ssw0rd!!', true],
  ['passwordpassword', true],
  ['letmein123', true],
  ['welcome2025', true],
  ['0987654321', true],
  ['1q2w3e4r5t', true],
  ['iloveyou2', true],
  ['Olga-Owner-1', true],
  ['Owner-2026!', true],
  ['Olga123456', true],
  ['example2026', true],
  ['correct horse battery', false],
  ['harbour lantern 71', false],
  ['8!x94#27-p1', false],
  ['tulip-Gravel-9-moss', false],
])('whether %s is too common: %j', (password, common) => {
  expect(isCommon(password, ['Olga Owner', 'owner@example.org'])).toBe(common)
})

test('a common word is too common in any case, and with digits or signs around it', () => {
  const around = fc.string({ unit: fc.constantFrom(...'0123456789!?.-_#'), maxLength: 6 })
  const capitals = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(around, around, capitals, (before, after, upper) => {
      const word = [...'sunshine'].map((letter, n) => (upper[n] ? letter.toUpperCase() : letter)).join('')
      expect(isCommon(`${before}${word}${after}`)).toBe(true)
    }),
  )
})
