/**
 * The account of a member of staff in WebKit, over HTTPS: on plain HTTP it keeps no cookie of a session, whatever the address. A password
 * is chosen by a link, two-step sign-in is set up, and somebody signs in with a code.
 */
import { expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { parseInstant, systemClock } from '#kernel/time'
import { configure } from '#server/config/settings'
import { listen } from '#server/listen'
import { certificateFor } from '#server/tls/certificate'
import { world } from '../harness'
import { freshFolder } from '../server/process/folder'
import { hasWebKit, inWebKit } from './webkit'

const email = { host: 'mail.invalid', port: 25, isSecure: true, from: { name: 'Study', address: 'study@example.org' } }
const NEW = 'third lantern 73'

test.skipIf(!hasWebKit)(
  'in WebKit, a forgotten password is chosen anew, and somebody signs in with two-step sign-in and ends the session',
  async () => {
    const { service, owner, db, now, clock } = world({ messages: { email } })
    const certificate = await certificateFor(configure({ host: '127.0.0.1' }, {}), freshFolder(), systemClock.now())
    const server = listen(service, { host: '127.0.0.1', port: 0, certificate })
    const base = `https://localhost:${server.port}`
    const codeNow = (secret: string) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: parseInstant(now())! / 1000 })
    try {
      await inWebKit(async ({ open, see, click, type, run, until, violations }) => {
        const sound = async (state: string) => expect([state, await violations()]).toEqual([state, []])
        const signIn = async (code = '') => {
          await type('[name=email]', owner.email)
          await type('[name=password]', NEW)
          if (code) await type('[name=code]', code)
          await click('button[type=submit]')
        }
        await open(`${base}/account/forgotten`, '[name=email]')
        await type('[name=email]', owner.email)
        await click('button[type=submit]')
        await see('If there is an account with this address')
        const mail = db.$client.query<{ body: string }, []>("SELECT body FROM outbox WHERE body LIKE '%/setup/%'").get()
        const [, token] = /setup\/([\w-]+)/.exec(mail?.body ?? '') ?? []
        await open(`${base}/app/setup/${token}`, '[name=password]')
        await sound('the link')
        await type('[name=password]', NEW)
        await type('[name=again]', NEW)
        await click('button[type=submit]')
        await see('Your new password is set')
        await click('a.main')
        await signIn()
        await see('(owner@example.org)')
        expect(await run<string>('return document.cookie')).toBe('')

        await open(`${base}/account/two-step`, '.actions .main')
        await click('.actions .main')
        await until('the picture', `document.querySelector('output.secret')`)
        const secret = await run<string>(`return document.querySelector('output.secret').textContent`)
        await sound('the picture')
        await type('[name=code]', codeNow(secret))
        await type('[name=password]', NEW)
        await click('button[type=submit]')
        await see('Your recovery codes')
        const [code = ''] = await run<string[]>(
          `return [...document.querySelectorAll('.codes code')].map(({ textContent }) => textContent)`,
        )
        await sound('the recovery codes')

        // Another sign-in: without a code it is refused, with that of the app it succeeds, and a recovery code opens the session again.
        await open(`${base}/account`, '.bar button')
        await click('.bar button')
        await signIn()
        await see('The e-mail address, password or code is not right')
        await sound('a refusal')
        clock(60_000_000)
        await open(`${base}/account`, '[name=email]')
        await signIn(codeNow(secret))
        await see('10 recovery codes left')
        await click('.bar button')
        await until('the form', `document.querySelector('[name=email]')`)
        await signIn(code)
        await see('9 recovery codes left')
        await open(`${base}/account/sessions`, 'li')
        await see('this session')
        await sound('the sessions')
        const asked = await run<string[]>('return performance.getEntriesByType("resource").map(({ name }) => name)')
        expect(asked.filter((each) => !each.startsWith(base))).toEqual([])
      })
    } finally {
      await server.stop()
    }
  },
  300_000,
)
