/** Whoever holds an account learns what changes how one signs in to it (docs/accounts.md). */
import { expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { resetLink } from '#accounts/teams/operatorActions'
import { parseInstant } from '#kernel/time'
import { PASSWORD, world } from '../../harness'

/** A world whose owner has two-step sign-in and reads German, and the subjects of all e-mails so far. */
async function twoStep() {
  const here = world()
  const { owner, db, now } = here
  const web = await here.signIn(owner)
  await web.do('updateOwnUser', { language: 'de' })
  const { secret } = await web.do('beginTotp')
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: parseInstant(now())! / 1000 })
  const { recoveryCodes } = await web.do('enableTotp', { password: PASSWORD, code })
  const mails = () =>
    db.$client
      .query<{ recipient: string; subject: string; body: string }, []>(
        "SELECT recipient, subject, body FROM outbox WHERE body NOT LIKE '%/setup/%' ORDER BY _id",
      )
      .all()
  return { here, web, codes: recoveryCodes, mails }
}

test('a recovery code, a new password and the end of two-step sign-in are told in the language of the person', async () => {
  const { here, web, codes, mails } = await twoStep()
  const attempt = { email: here.owner.email, password: PASSWORD }
  await here.nobody.call('POST', '/sessions', { ...attempt, password: 'wrong', code: codes[0] })
  expect(mails()).toEqual([])
  await here.nobody.call('POST', '/sessions', { ...attempt, code: codes[0] })
  expect(mails()).toEqual([
    {
      recipient: here.owner.email,
      subject: 'Ein Wiederherstellungscode wurde benutzt',
      body: expect.stringContaining('Verbleibende Codes: 9.'),
    },
  ])
  const change = { password: 'another lantern 72', currentPassword: PASSWORD, code: codes[1] ?? '' }
  await web.do('updateOwnUser', change)
  await web.do('updateOwnUser', { name: 'Olga' })
  await web.do('disableTotp', { password: change.password, code: codes[2] ?? '' })
  expect(mails().map(({ subject }) => subject)).toEqual([
    'Ein Wiederherstellungscode wurde benutzt',
    'Ihr Passwort wurde geändert',
    'Die Anmeldung in zwei Schritten wurde ausgeschaltet',
  ])
  // No code and no password is in them.
  expect([...codes, PASSWORD, change.password].filter((each) => JSON.stringify(mails()).includes(each))).toEqual([])
})

test('a link that the operator made is told when it sets a password, and the end of two-step sign-in at once', async () => {
  const { here, mails } = await twoStep()
  const token = resetLink(here.db, here.owner.email, parseInstant(here.now())!, { removeTotp: true })
  expect(mails().map(({ subject }) => subject)).toEqual(['Die Anmeldung in zwei Schritten wurde ausgeschaltet'])
  await here.nobody.do('completeSetup', token, { password: 'third lantern 73' })
  expect(mails().map(({ subject }) => subject)).toContain('Ihr Passwort wurde geändert')
})
