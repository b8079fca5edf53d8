/** How an account moves to another e-mail address. */
import { expect, test } from 'bun:test'
import { issueToken } from '#accounts/users/setup'
import { MINUTE, parseInstant } from '#kernel/time'
import { PASSWORD, world } from '../../harness'
import { firstOf, present } from '../../present'

async function moving() {
  const w = world()
  const web = await w.signIn(w.owner)
  const mailsTo = (address: string) =>
    w.db.$client
      .query<{ subject: string; body: string }, [string]>(
        'SELECT subject, body FROM outbox WHERE recipient = ? ORDER BY _id',
      )
      .all(address)
  const codeTo = (address: string) => /\d{6}/.exec(mailsTo(address).at(-1)?.subject ?? '')?.[0] ?? 'none'
  const ask = (email: string, password = PASSWORD) => web.call('POST', '/users/me/email', { email, password })
  const enter = (code: string) => web.call('POST', '/users/me/email/confirmations', { code })
  return { ...w, web, mailsTo, codeTo, ask, enter }
}

test('a code at the new address moves the account; the earlier one is told, other sessions and links end, keys stay', async () => {
  const w = await moving()
  const { owner, web, nobody, team, db, mailsTo, codeTo, ask, enter, now } = w
  const elsewhere = await w.signIn(owner)
  const token = issueToken(db, 'reset', owner._id, present(parseInstant(now())))
  expect(await ask(' Olga@Hospital.example ').then(({ status }) => status)).toBe(422)
  const asked = await ask('Olga@Hospital.example')
  expect([asked.status, asked.body]).toEqual([
    200,
    { email: 'Olga@Hospital.example', expiresAt: '2026-03-02T12:10:00.000000Z', sendsEmail: false },
  ])
  expect((await web.do('readOwnUser')).email).toBe('owner@example.org')
  expect((await enter('no')).body).toEqual({ isChanged: false, triesLeft: 4, email: 'owner@example.org' })
  expect(mailsTo('owner@example.org')).toEqual([])
  const code = codeTo('Olga@Hospital.example')
  expect((await enter(`${code.slice(0, 3)} ${code.slice(3)}`)).body).toMatchObject({
    ...{ isChanged: true, email: 'Olga@Hospital.example' },
  })
  expect(firstOf(mailsTo('owner@example.org'))).toMatchObject({
    subject: 'Your account has a new address',
    body: expect.stringContaining('is now Olga@Hospital.example'),
  })
  expect((await web.do('readOwnUser')).email).toBe('Olga@Hospital.example')
  expect((await elsewhere.call('GET', '/users/me')).status).toBe(401)
  expect((await nobody.call('GET', `/setup/${token}`)).status).toBe(404)
  expect((await owner.do('readOwnUser')).email).toBe('Olga@Hospital.example') // by its API key
  const signIn = async (email: string) => (await nobody.call('POST', '/sessions', { email, password: PASSWORD })).status
  expect([await signIn('owner@example.org'), await signIn('olga@hospital.example')]).toEqual([401, 200])
  expect((await enter(code)).body.details.code).toBe('codeEnded')
  const { entries } = await owner.do('readTeamLogs', team, { type: 'changeEmail' })
  expect(entries.map(({ event }) => event)).toEqual([
    { isChanged: true, email: { before: 'owner@example.org', after: 'Olga@Hospital.example' } },
    { isChanged: false },
  ])
})

test('nobody learns whether an address has an account: the answers are the same, and no code is right', async () => {
  const { invite, clock, mailsTo, ask, enter } = await moving()
  const other = invite()
  const taken = await ask(other.email.toUpperCase())
  clock(MINUTE)
  const free = await ask('free@example.org')
  expect(Object.keys(taken.body)).toEqual(Object.keys(free.body))
  expect([taken.status, free.status]).toEqual([200, 200])
  expect(mailsTo(other.email)).toEqual([])
  clock(MINUTE)
  await ask(other.email)
  const all = await Promise.all(Array.from({ length: 6 }, (_, at) => enter(`${at}`.padStart(6, '0'))))
  expect(all.map(({ body }) => body.triesLeft ?? body.details.code)).toEqual([4, 3, 2, 1, 0, 'codeEnded'])
})

test('an address that another account gets meanwhile is not taken twice', async () => {
  const { db, invite, codeTo, ask, enter } = await moving()
  const late = invite()
  await ask('late@example.org')
  db.$client.run(`UPDATE users SET email = 'LATE@example.org' WHERE _id = '${late._id}'`)
  expect((await enter(codeTo('late@example.org'))).body).toMatchObject({ isChanged: false, triesLeft: 4 })
})

test('the password is asked for, a code comes once a minute and ten times a day, and ends after ten minutes', async () => {
  const { clock, codeTo, ask, enter, mailsTo } = await moving()
  expect((await ask('new@example.org', 'wrong horse battery')).status).toBe(400)
  expect((await ask('owner@EXAMPLE.org')).body.validations.json).toEqual({
    email: ['Is the address of your account already.'],
  })
  expect((await ask('a\ud83d@example.org')).status).toBe(422)
  expect((await enter('123456')).body.details.code).toBe('codeEnded')
  const twice = await Promise.all([ask('new@example.org'), ask('new@example.org')])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
  clock(10 * MINUTE)
  expect((await enter(codeTo('new@example.org'))).body.details.code).toBe('codeEnded')
  for (let at = 0; at < 9; at++) {
    clock(MINUTE)
    expect((await ask(`new${at}@example.org`)).status).toBe(200)
  }
  clock(MINUTE)
  expect((await ask('more@example.org')).body.details.code).toBe('tooManyCodes')
  expect(mailsTo('more@example.org')).toEqual([])
  expect((await enter(codeTo('new7@example.org'))).body.isChanged).toBe(false) // only the newest is good
  expect((await enter(codeTo('new8@example.org'))).body.isChanged).toBe(true)
})

test('an API key cannot change the address', async () => {
  const { owner } = world()
  const body = { email: 'new@example.org', password: PASSWORD }
  expect((await owner.call('POST', '/users/me/email', body)).status).toBe(403)
  expect((await owner.call('POST', '/users/me/email/confirmations', { code: '123456' })).status).toBe(403)
})
