/**
 * The account of a member of staff in a browser, from the invitation to the end of a session. In each state axe finds nothing; nothing is
 * refused by the policy, no other server is asked, no error appears, and texts that people wrote are shown and never run.
 */
import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { parseInstant } from '#kernel/time'
import { listen } from '#server/listen'
import { world } from '../harness'
import { chromium, faultsOf, inBrowser, violations } from './browser'

const HOSTILE = '<img src=//elsewhere.test/x onerror=alert(1)>'
const PASSWORD = 'quiet meadow 48 lamps'
const email = { host: 'mail.invalid', port: 25, isSecure: true, from: { name: 'Study', address: 'study@example.org' } }

/** A world with a server for browsers. */
async function withServer(act: (here: ReturnType<typeof world> & { base: string }) => Promise<void>) {
  const here = world({ messages: { email } })
  const server = listen(here.service, { host: '127.0.0.1', port: 0 })
  try {
    await act({ ...here, base: `http://127.0.0.1:${server.port}` })
  } finally {
    await server.stop()
  }
}

const codeAt = (now: string, secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: parseInstant(now)! / 1000 })

/** Fills in the form for signing in and sends it, by keyboard alone. */
async function signIn(page: Page, code = ''): Promise<void> {
  await page.getByLabel('E-mail address').focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('nina@example.org')
  await page.keyboard.press('Tab') // selects what the field holds
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Tab') // the button that shows the characters
  await page.keyboard.press('Tab')
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

describe.skipIf(!chromium)('in a browser', () => {
  test('somebody who is invited sets up the account and two-step sign-in, signs in with a recovery code, ends sessions', async () => {
    await withServer(async ({ base, owner, team, now, clock, db }) => {
      db.$client.run('UPDATE users SET name = ?', [`Olga ${HOSTILE}`])
      await owner.do('updateTeam', team, { name: `Research ${HOSTILE}` })
      const body = { email: 'nina@example.org', name: 'Nina' } as const
      const { setupUrl } = await owner.do('inviteMember', team, body)
      await inBrowser(async (page) => {
        const faults = faultsOf(page, base)
        const sound = async (state: string) => expect([state, await violations(page), faults]).toEqual([state, [], []])
        await page.goto(setupUrl!.replace('http://localhost', base))
        await page.getByText(`Olga ${HOSTILE} invites you to the team Research ${HOSTILE}.`).waitFor()
        expect(await page.getByLabel('E-mail address').inputValue()).toBe('nina@example.org')
        const field = page.getByLabel('Password', { exact: true })
        expect(await field.getAttribute('autocomplete')).toBe('new-password')
        await field.fill('short')
        await page.getByText('Too short: at least 10 characters').waitFor()
        await sound('a short password')
        await field.fill('password123')
        await page.getByLabel('The same password again').fill('password123')
        await page.getByRole('button', { name: 'Set up' }).click()
        await page.getByText(/^Is among the commonest passwords or too easily guessed/).waitFor()
        await field.fill(PASSWORD)
        await page.getByText('A very good length').waitFor()
        await page.getByLabel('The same password again').fill(PASSWORD)
        await page.getByRole('button', { name: 'Set up' }).click()
        await page.getByRole('link', { name: 'Go to your account' }).click()
        await signIn(page)
        await page.getByText('Nina (nina@example.org)').waitFor()
        await page.getByText('1 session').waitFor()
        await sound('the account')

        await page.getByRole('link', { name: /Two-step sign-in/ }).click()
        await heading(page, 'Two-step sign-in is off')
        await page.getByRole('button', { name: 'Set up' }).click()
        const secret = (await page.getByLabel('Key for the authenticator app').textContent())!.replaceAll(' ', '')
        expect(await page.getByRole('img', { name: 'QR code for the authenticator app' }).isVisible()).toBe(true)
        await sound('the picture')
        await page.getByLabel('Code', { exact: true }).fill('000000')
        await page.getByLabel('Present password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Switch on' }).click()
        await page.getByText('The password or the code is not right.').waitFor()
        await page.getByLabel('Code', { exact: true }).fill(codeAt(now(), secret))
        await page.getByRole('button', { name: 'Switch on' }).click()
        await heading(page, 'Your recovery codes')
        const codes = await page.locator('.codes code').allTextContents()
        expect(codes).toHaveLength(10)
        await sound('the recovery codes')
        const saving = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Save as a file' }).click()
        const saved = await (await saving).path()
        expect(await Bun.file(saved).text()).toContain(codes.join('\n'))
        await page.getByRole('button', { name: 'I have kept them' }).click()
        await page.getByText('10 recovery codes left').waitFor()
        await page.reload()
        await page.getByText('10 recovery codes left').waitFor()
        expect(await page.getByText(codes[0]!).count()).toBe(0)

        // Another device signs in, with a recovery code.
        await inBrowser(async (other) => {
          await other.goto(`${base}/account/sessions`)
          await signIn(other)
          await other.getByText('is not right').waitFor()
          await signIn(other, codes[0])
          await heading(other, 'Your sessions')
          await other.getByText('this session').waitFor()
          expect(await other.getByRole('button', { name: 'End the session of Chrome on Linux' }).count()).toBe(1)

          await page.goto(`${base}/account/sessions`)
          await page.getByRole('button', { name: 'End the session of Chrome on Linux' }).click()
          await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
          await page.getByText('The session was ended.').waitFor()
          expect(await page.getByRole('listitem').filter({ hasText: 'signed in' }).count()).toBe(1)
          await sound('the sessions')
          // The page of the other device asks to sign in again, and stays where it is.
          await other.getByRole('button', { name: 'End', exact: false }).first().click()
          await other.getByRole('dialog').getByRole('button', { name: 'End' }).click()
          await other.getByText('Your session has ended.').waitFor()
        })

        clock(60_000_000)
        await page.goto(`${base}/account/two-step`)
        await page.getByText('9 recovery codes left').waitFor()
        await page.getByRole('button', { name: 'Switch off' }).click()
        await page.locator('[name=password]:focus').waitFor()
        await page.keyboard.type(PASSWORD)
        await page.getByLabel('Code', { exact: true }).fill(codeAt(now(), secret))
        await sound('the question')
        await page.getByRole('button', { name: 'Switch off' }).click()
        await heading(page, 'Two-step sign-in is off')
        await page.locator('h2:focus').waitFor()
      })
    })
  }, 180_000)

  test('a password is changed, forgotten and chosen anew, and the profile is saved', async () => {
    await withServer(async ({ base, owner, signIn: signedIn, nobody, now, db, trial, person }) => {
      const elsewhere = await signedIn(owner, PASSWORD)
      const [sleep, walk] = [trial({ name: `Sleep ${HOSTILE}`, code: 'sleep' }), trial({ name: 'Walk', code: 'walk' })]
      await inBrowser(async (page) => {
        const faults = faultsOf(page, base)
        const sound = async (state: string) => expect([state, await violations(page), faults]).toEqual([state, [], []])
        const enter = async (password: string) => {
          await page.getByLabel('E-mail address').fill(owner.email)
          await page.getByLabel('Password').fill(password)
          await page.getByRole('button', { name: 'Sign in' }).click()
        }
        await page.goto(`${base}/account/profile`)
        await enter(PASSWORD)
        await page.getByLabel('Your name').fill(HOSTILE)
        await page.getByLabel('Language of e-mails').selectOption('de')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Saved.').waitFor()
        await sound('the profile')
        expect(await owner.do('readOwnUser')).toMatchObject({ name: HOSTILE, language: 'de' })
        await page.getByRole('link', { name: 'Back to your account' }).click()
        await page.getByText(`${HOSTILE} (owner@example.org)`).waitFor()

        await page.getByRole('link', { name: /^Password/ }).click()
        await page.getByLabel('Present password').fill('wrong horse battery')
        await page.getByLabel('New password').fill('another lantern 72')
        await page.getByLabel('The same password again').fill('another lantern 72')
        await page.getByRole('button', { name: 'Change password' }).click()
        await page.getByText('The present password is not right.').waitFor()
        await page.getByLabel('Present password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Change password' }).click()
        await page.getByText('Your password is changed.').waitFor()
        expect(await page.getByLabel('New password').inputValue()).toBe('')
        await sound('the password')
        expect((await elsewhere.call('GET', '/users/me')).status).toBe(401)

        await page.context().clearCookies()
        await page.goto(`${base}/account`)
        await page.getByRole('link', { name: 'Forgot your password?' }).click()
        // The same for an address that is nobody's.
        for (const address of ['nobody@example.org', owner.email]) {
          await page.goto(`${base}/account/forgotten`)
          await page.getByLabel('E-mail address').fill(address)
          await page.getByRole('button', { name: 'Send the link' }).click()
          await page.getByText('If there is an account with this address').waitFor()
        }
        await sound('a link on its way')
        const mails = db.$client
          .query<{ body: string }, []>("SELECT body FROM outbox WHERE body LIKE '%/setup/%'")
          .all()
        expect(mails).toHaveLength(1)
        const token = /setup\/([\w-]+)/.exec(mails[0]!.body)?.[1]
        await page.goto(`${base}/app/setup/${token}`)
        await heading(page, 'Choose a new password')
        await page.getByText('All sessions of the account then end').waitFor()
        await sound('a link for a new password')
        await page.getByLabel('Password', { exact: true }).fill('third lantern 73')
        await page.getByLabel('The same password again').fill('third lantern 73')
        await page.getByRole('button', { name: 'Set the new password' }).click()
        await page.getByText('Your new password is set').waitFor()
        await page.reload()
        await page.getByText('It was used already').waitFor()
        await sound('a link that was used')
        await page.getByRole('link', { name: 'Sign in' }).click()
        await enter('third lantern 73')
        await page.getByText('(owner@example.org)').waitFor()
        expect(now()).toStartWith('2026-03-02')

        await page.getByRole('link', { name: /API keys/ }).click()
        await page.getByLabel('What it is for').fill('Nightly')
        await page.getByLabel('What it may do').selectOption('read')
        await page.getByText('Only some studies').first().click()
        await page.getByRole('checkbox', { name: `Sleep ${HOSTILE}` }).check()
        await sound('a key for one study')
        await page.getByRole('button', { name: 'Make key' }).click()
        const made = await page.getByLabel('API key', { exact: true }).textContent()
        await page.getByText(`only reads`).waitFor()
        await page.getByText(`only Sleep ${HOSTILE}`).waitFor()
        await sound('the keys')
        const script = person({ Authorization: `Bearer ${made}` })
        expect((await script.do('readTrial', sleep)).name).toBe(`Sleep ${HOSTILE}`)
        expect((await script.call('GET', `/trials/${walk}`)).status).toBe(404)
        expect((await script.call('PUT', `/trials/${sleep}`, { name: 'Other' })).status).toBe(403)

        await page.goto(`${base}/account/profile`)
        await page.getByRole('link', { name: 'Change the e-mail address' }).click()
        await page.getByLabel('New e-mail address').fill('olga@hospital.example')
        await page.getByLabel('Present password').fill('wrong horse battery')
        await page.getByRole('button', { name: 'Send the code' }).click()
        await page.getByText('The present password is not right.').waitFor()
        await sound('a new address')
        await page.getByLabel('Present password').fill('third lantern 73')
        await page.getByRole('button', { name: 'Send the code' }).click()
        await page.getByText('a code of six digits is on its way').waitFor()
        await page.getByLabel('Code', { exact: true }).fill('no')
        await page.getByRole('button', { name: 'Change the address' }).click()
        await page.getByText('The code is not right. 4 tries are left.').waitFor()
        await sound('a wrong code')
        const sent = db.$client
          .query<{ subject: string }, []>("SELECT subject FROM outbox WHERE recipient = 'olga@hospital.example'")
          .get()
        await page.getByLabel('Code', { exact: true }).fill(/\d{6}/.exec(sent?.subject ?? '')?.[0] ?? '')
        await page.getByRole('button', { name: 'Change the address' }).click()
        await page.getByText('Your account has the new address.').waitFor()
        await page.locator('bdi', { hasText: 'olga@hospital.example' }).waitFor()
        await sound('the new address')
        expect((await owner.do('readOwnUser')).email).toBe('olga@hospital.example')
        expect((await nobody.call('GET', '/users/me')).status).toBe(401)
      })
    })
  }, 180_000)
})
