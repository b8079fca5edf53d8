/** The page of the server's health: what it shows to whom, and the button that confirms the clock. */
import { afterEach, describe, expect, test } from 'bun:test'
import { hashPassword } from '#accounts/users/passwords'
import { DAY, HOUR, instantText, MINUTE, SECOND } from '#kernel/time'
import { listen } from '#server/listen'
import type { Service } from '#server/service'
import { PASSWORD, world } from '../harness'
import { proof } from '../proof'
import { machine, noon } from '../server/steppedMachine'
import { chromium, faultsOf, inBrowser, violations } from './browser'

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'
const servers: ReturnType<typeof listen>[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

/** A server of this service. With `forwarded`, a request is that of another machine. */
function served(service: Service, forwarded = false) {
  const server = listen(service, { host: '127.0.0.1', port: 0, forwarded })
  servers.push(server)
  const base = `http://127.0.0.1:${server.port}`
  const far = { 'X-Forwarded-For': '192.0.2.7' }
  const asked = (accept: string | undefined, language = 'en') =>
    fetch(`${base}/health`, { headers: { ...far, ...(accept && { Accept: accept }), 'Accept-Language': language } })
  return { base, asked }
}

/** A machine whose clock has jumped by a day, with an owner who has a password. */
async function stepped(by = DAY) {
  const m = await machine()
  const s = m.start()
  await s.tick()
  m.jump(by)
  m.pass(SECOND)
  await s.tick()
  const hash = await hashPassword(PASSWORD)
  s.db.$client.run(`UPDATE users SET passwordHash = ? WHERE email = 'owner@example.org'`, [hash])
  return { m, s }
}

test.each([
  ['application/json', 'application/json'],
  ['*/*', 'application/json'],
  [undefined, 'application/json'],
  [BROWSER, 'text/html'],
])('for a client that accepts %p it is %s', async (accept, type) => {
  const { asked } = served(world().service)
  const answer = await asked(accept)
  expect(answer.headers.get('content-type')).toStartWith(type)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  if (type === 'application/json') expect(await answer.json()).toMatchObject({ status: 'ok' })
  else {
    expect(answer.headers.get('vary')).toContain('Accept')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  }
})

test.each([
  ['en', 'ltr', 'The service runs. Somebody should look at it.'],
  ['de', 'ltr', 'Der Dienst läuft. Jemand sollte ihn sich ansehen.'],
  ['fr', 'ltr', 'Le service fonctionne. Quelqu’un devrait y jeter un œil.'],
  ['es', 'ltr', 'El servicio funciona. Alguien debería revisarlo.'],
  ['ar', 'rtl', 'الخدمة تعمل. ينبغي أن يتفقدها أحد.'],
])('everybody reads the status in the page, in %s', async (language, dir, words) => {
  const { s } = await stepped()
  const page = await (await served(s.service, true).asked(BROWSER, language)).text()
  expect(page).toContain(`<html lang="${language}" dir="${dir}">`)
  expect(page).toContain(words)
  // What is wrong is not in the page, which is the same for everybody.
  expect(page).not.toMatch(/jumped|2026|Version \d/)
})

test('the page of a server that fails is 503 to a browser, too, and says so', async () => {
  const { s, m } = await stepped()
  await s.owner.do('acceptClock', m.team)
  m.jump(-HOUR)
  m.pass(SECOND)
  await s.tick()
  m.pass(10 * MINUTE)
  const answer = await served(s.service, true).asked(BROWSER)
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('The service is failing')])
})

test('those who run the server are told both times of a clock that is held, and nobody else', async () => {
  const { s, m } = await stepped()
  const far = await served(s.service, true).asked('application/json')
  expect(await far.json()).toEqual({ status: 'warning' })
  const clock = { shown: instantText(noon + DAY + SECOND), isFollowed: false }
  expect(await s.owner.do('readHealth')).toMatchObject({
    ...{ now: instantText(noon + SECOND), clock: { ...clock, sureAt: instantText(noon + 601 * SECOND) } },
  })
  await s.owner.do('acceptClock', m.team)
  expect(Object.keys(await s.owner.do('readHealth'))).not.toContain('clock')
})

describe.skipIf(!chromium)('in a browser', () => {
  proof(
    'an admin signs in, sees the clock that is held, and confirms it',
    async () => {
      const { s, m } = await stepped()
      const { base } = served(s.service)
      await inBrowser(async (page) => {
        const faults = faultsOf(page, base)
        const sound = async (state: string) => expect([state, await violations(page), faults]).toEqual([state, [], []])
        const button = page.getByRole('button', { name: 'The clock is right' })
        await page.goto(`${base}/health`)
        await page.getByText('The service runs. Somebody should look at it.').waitFor()
        await page.getByText('The clock of the machine jumped.').waitFor()
        await page.getByText('An admin of a team can confirm the clock here.').waitFor()
        expect(await button.count()).toBe(0)
        await sound('signed out')
        await page.getByRole('link', { name: 'Sign in' }).click()
        await page.getByLabel('E-mail address').fill('owner@example.org')
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await button.waitFor()
        expect(page.url()).toBe(`${base}/health`)
        expect(await page.locator('.times').textContent()).toMatch(
          /The machine shows.*3 Mar 2026.*expected.*2 Mar 2026/,
        )
        await page.setViewportSize({ width: 320, height: 600 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
        await button.click()
        await sound('asked')
        await page.getByRole('button', { name: 'Cancel' }).click()
        expect(s.logged()).not.toContain('acceptClock')
        await button.click()
        await page.getByRole('dialog').getByRole('button', { name: 'The clock is right' }).click()
        await page.getByText('The clock is confirmed. The server goes by it.').waitFor()
        expect(await page.getByText('The clock of the machine jumped.').count()).toBe(0)
        await sound('accepted')
      })
      await s.tick()
      expect(s.logged()).toContain('clockFollowed')
      expect(s.rows(`SELECT count(*) AS n FROM auditEntries WHERE type = 'acceptClock'`)).toEqual([{ n: 1 }])
      expect((await s.owner.do('readHealth')).now).toBe(instantText(m.at.wall))
    },
    180_000,
  )

  proof(
    'somebody who is not told the rest reads only how the service is, and how to see more',
    async () => {
      const { s } = await stepped()
      const { base } = served(s.service, true)
      await inBrowser(
        async (page) => {
          await page.goto(`${base}/health`)
          await page.getByText('What is wrong is shown to those who run the server').waitFor()
          expect(await page.locator('#content').textContent()).not.toContain('clock')
          expect(await violations(page)).toEqual([])
        },
        { extraHTTPHeaders: { 'X-Forwarded-For': '192.0.2.7' } },
      )
    },
    180_000,
  )
})
