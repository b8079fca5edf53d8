import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { issueFirstToken } from '#accounts/users/setup'
import { systemClock } from '#kernel/time'
import { listen } from '#server/listen'
import { openService, type Service } from '#server/service'
import { program } from '#start/program'
import { world } from '../harness'
import { proof } from '../proof'
import { freshFolder } from '../server/process/folder'
import { chromium, faultsOf, inBrowser, violations } from './browser'

/** A page of a server in the browser. It must have no errors, and ask no other server. */
type Visit = { page: Page; base: string }

async function visiting(path: string, act: (visit: Visit) => Promise<void>, service: Service = world().service) {
  const server = listen(service, { host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${server.port}`
  await inBrowser(async (page) => {
    const faults = faultsOf(page, base)
    await page.goto(base + path)
    await act({ page, base })
    expect(faults).toEqual([])
  })
  await server.stop()
}

describe.skipIf(!chromium)('pages in a browser', () => {
  test('the landing page says that the service runs', async () => {
    await visiting('/', async ({ page }) => {
      await page.getByText('The service runs. Version 0.0.0+test').waitFor()
      expect(await page.getByRole('link', { name: /Account/ }).count()).toBeGreaterThan(0)
      await page.setViewportSize({ width: 320, height: 600 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    })
  }, 180_000)

  proof(
    'participants have a door on the first page, which is alone on a phone',
    async () => {
      await visiting('/', async ({ page, base }) => {
        const tiles = () => page.locator('.tiles a').filter({ visible: true }).allTextContents()
        expect((await tiles()).map((each) => each.slice(0, 20))).toEqual([
          ...['I take part in a stu', expect.stringContaining('Console'), expect.stringContaining('Account')],
          ...['API', 'Manual', 'OpenAPI'].map((each) => expect.stringContaining(each)),
        ])
        await page.setViewportSize({ width: 390, height: 844 })
        expect(await tiles()).toEqual([expect.stringContaining('I take part in a study')])
        await page.getByRole('link', { name: 'I take part in a study' }).click()
        await page.locator('[name=trialCode]').waitFor()
        expect(page.url()).toStartWith(`${base}/app/`)
      })
    },
    180_000,
  )

  proof(
    'a wrong address is answered with a page in the language of the browser, and with JSON to programs',
    async () => {
      await visiting('/nothing/here', async ({ page, base }) => {
        expect(await page.locator('h1').textContent()).toBe('There is no such page')
        expect(await violations(page)).toEqual([])
        await page.setViewportSize({ width: 320, height: 600 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
        const asked = (path: string, accept: string, language = 'ar') =>
          fetch(base + path, { headers: { accept, 'accept-language': language } })
        const html = await asked('/nothing/here', 'text/html,*/*')
        expect([html.status, html.headers.get('content-type'), html.headers.get('content-language')]).toEqual([
          ...[404, 'text/html; charset=utf-8', 'ar'],
        ])
        expect(await html.text()).toContain('<html lang="ar" dir="rtl">')
        // What an operation says is the contract's, whoever asks.
        for (const [path, accept] of [
          ...[['/nothing/here', 'application/json'] as const, ['/nothing/here', '*/*'] as const],
          ...[
            ['/nothing/here', 'application/json, text/html;q=0.5'] as const,
            ['/nothing/here', 'text/html;q=0'] as const,
          ],
          ['/nothing/here', 'text/html;q=0.5, application/json;q=0.9'] as const,
          ...[['/site-monitoring/none/report', 'text/html'] as const, ['/trials/none', 'text/html'] as const],
        ])
          expect([path, (await asked(path, accept)).headers.get('content-type')]).toEqual([
            ...[path, expect.stringMatching(/^application\/json/)],
          ])
        // A cache between does not give one of them to who wants the other.
        expect((await asked('/nothing/here', 'application/json')).headers.get('vary')).toContain('Accept')
      })
    },
    180_000,
  )

  proof(
    'the manual can be read and searched with the keyboard, on a phone too, without requests to other servers',
    async () => {
      await visiting('/manual', async ({ page, base }) => {
        await page.getByRole('searchbox', { name: 'Search the manual' }).focus()
        await page.keyboard.type('restore faults')
        await page.keyboard.press('Enter')
        await page.getByRole('link', { name: 'Backup and restore: Restore faults' }).click()
        expect(page.url()).toBe(`${base}/manual/backup#restore-faults`)
        await page.getByRole('link', { name: 'Next Security' }).click()
        expect(await page.getByRole('link', { name: 'Security', exact: true }).getAttribute('aria-current')).toBe(
          'page',
        )
        await page.setViewportSize({ width: 320, height: 600 })
        for (const path of ['', '/permissions', '/operations-study', '/commands', '?q=lock']) {
          await page.goto(`${base}/manual${path}`)
          expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 320])
        }
      })
    },
    180_000,
  )

  test('a new user creates the first account and an API key, which works', async () => {
    const directory = freshFolder()
    const service = openService(program, {
      directory,
      storageKey: 'signs the links of a test',
      clock: systemClock,
      publicUrl: '',
      version: '0.0.0+test',
    })
    const token = issueFirstToken(service.services.db, systemClock.now())
    await visiting(
      `/setup/${token}`,
      async ({ page, base }) => {
        await page.getByLabel('Name of your team').fill('Research')
        await page.getByLabel('E-mail address').fill('olga@example.org')
        await page.getByLabel('Your name').fill('Olga Owner')
        await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
        await page.getByLabel('The same password again').fill('correct horse')
        await page.getByRole('button', { name: 'Set up' }).click()
        await page.getByText('The two passwords are not the same.').waitFor()
        await page.getByLabel('The same password again').fill('correct horse battery')
        await page.getByRole('button', { name: 'Set up' }).click()
        await page.getByRole('link', { name: 'Go to your account' }).click()

        await page.getByLabel('E-mail address').fill('olga@example.org')
        await page.getByLabel('Password').fill('wrong horse battery')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByText('is not right').waitFor()
        await page.getByLabel('Password').fill('correct horse battery')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByText('Olga Owner (olga@example.org)').waitFor()
        await page.getByRole('link', { name: /Your API keys/ }).click()
        await page.getByText('There is none yet.').waitFor()
        await page.getByLabel('What it is for').fill('Nightly export')
        await page.getByRole('button', { name: 'Make key' }).click()
        const key = (await page.locator('#key', { hasText: 'tbk_' }).textContent())!
        const me = () => fetch(`${base}/users/me`, { headers: { Authorization: `Bearer ${key}` } })
        expect(await (await me()).json()).toMatchObject({ email: 'olga@example.org' })

        await page.reload() // the session continues, and the key is not shown again
        await page
          .getByRole('listitem')
          .filter({ hasText: /Nightly export.*tbk_/ })
          .waitFor()
        expect(await page.getByText(key).count()).toBe(0)
        await page.getByRole('button', { name: 'Delete the key Nightly export' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await page.getByText('The key “Nightly export” was deleted.').waitFor()
        await page.getByText('There is none yet.').waitFor()
        expect((await me()).status).toBe(401)
        await page.getByRole('link', { name: 'Back to your account' }).click()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('button', { name: 'Sign in' }).waitFor()
      },
      service,
    )
    service.close()
  }, 180_000)

  test('an expired link says so, and shows no form', async () => {
    await visiting('/app/setup/abc', async ({ page }) => {
      await page.getByText('It was used already, has ended, or never existed').waitFor()
      expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
    })
  }, 180_000)
})

test.each([
  ['/', 'text/html', undefined],
  ['/account', 'text/html', undefined],
  ['/account/two-step', 'text/html', undefined],
  ['/account/email', 'text/html', undefined],
  ['/docs', 'text/html', undefined],
  ['/openapi.json', 'application/json', undefined],
  ['/setup/abc', 'text/html', 'text/html,application/xhtml+xml,*/*;q=0.8'],
  ['/setup/abc', 'application/json', 'application/json'],
  ['/setup/abc', 'application/json', undefined],
])('%s is %s for a client that accepts %p', async (path, type, accept) => {
  const { service } = world()
  const server = listen(service, { host: '127.0.0.1', port: 0 })
  const headers: Record<string, string> = accept ? { Accept: accept } : {}
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
  expect(response.headers.get('content-type')).toStartWith(type)
  expect(response.headers.get('x-service-version')).toBe('0.0.0+test')
  expect((await response.text()).length).toBeGreaterThan(20)
  if (type === 'text/html') {
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  }
  const etag = response.headers.get('etag')
  expect(etag === null).toBe(path.startsWith('/setup'))
  if (etag) {
    const again = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(304)
  }
  await server.stop()
})
