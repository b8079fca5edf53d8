/**
 * Every page at three sizes, light and dark, from left to right and from right to left: axe finds nothing, nothing is refused by the
 * policy, no other server is asked, nothing is too wide. `scripts/screenshots.ts` takes pictures of the same pages to be looked at.
 */
import { describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { systemClock } from '#kernel/time'
import { listen } from '#server/listen'
import { makeAuthority, permittedBy } from '#server/tls/authority'
import { ofToday, proof } from '../proof'
import { testServer } from '../testServer'
import { chromium, faultsOf, inBrowser, violations } from './browser'

const looks: Record<string, BrowserContextOptions> = {
  'phone, light, English': { viewport: { width: 390, height: 844 }, locale: 'en-GB', colorScheme: 'light' },
  'tablet, light, Arabic': { viewport: { width: 768, height: 1024 }, locale: 'ar', colorScheme: 'light' },
  'desktop, dark, German': { viewport: { width: 1280, height: 800 }, locale: 'de-DE', colorScheme: 'dark' },
}

type PageVisit = { base: string; email: string; password: string }

async function withServer<T>(act: (where: PageVisit) => Promise<T>): Promise<T> {
  const { service, owner } = await testServer()
  const { cert } = await makeAuthority('Test', ['localhost', '10.0.0.0/8', 'study.example.org'], systemClock.now())
  const fingerprint = new X509Certificate(cert).fingerprint256
  const forPage = async () => ({ cert, fingerprint, expiresAt: systemClock.now(), limits: permittedBy(cert) })
  const server = listen(service, { host: '127.0.0.1', port: 0, trust: { forPage, forDownload: forPage } })
  try {
    return await act({ base: `http://127.0.0.1:${server.port}`, email: owner.email, password: owner.password })
  } finally {
    await server.stop()
  }
}

/** Signs in. */
async function account(page: Page, { base, email, password }: PageVisit): Promise<void> {
  await page.goto(`${base}/account`)
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(password)
  await page.locator('form .main').click()
  await page.locator('.tile-state').nth(2).waitFor()
}

/** Makes a key. */
async function key(page: Page, { base }: PageVisit): Promise<void> {
  await page.goto(`${base}/account/keys`)
  await page.locator('[name=name]').fill('<img src=//elsewhere.test/x> \u202eNightly')
  await page.locator('form .main').click()
  await page.locator('#key').waitFor()
}

/** The states of pages, each after the one before. */
const states: [string, (page: Page, where: PageVisit) => Promise<unknown>][] = [
  ['the first page', (page, { base }) => page.goto(base).then(() => page.locator('[data-state=good]').waitFor())],
  ['a page of the manual', (page, { base }) => page.goto(`${base}/manual/backup`)],
  ['how to trust the server', (page, { base }) => page.goto(`${base}/trust`)],
  ['a search', (page, { base }) => page.goto(`${base}/manual?q=restore`)],
  [
    'a link that has ended',
    (page, { base }) => page.goto(`${base}/setup/none`).then(() => page.locator('.notice').waitFor()),
  ],
  [
    'a refused sign-in',
    async (page, { base }) => {
      await page.goto(`${base}/account`)
      await page.locator('[name=email]').fill('nobody@example.org')
      await page.locator('[name=password]').fill('wrong horse battery')
      await page.locator('form .main').click()
      await page.locator('[role=alert]').waitFor()
    },
  ],
  [
    'the sign-in of the console',
    (page, { base }) => page.goto(`${base}/console`).then(() => page.locator('.front [name=email]').waitFor()),
  ],
  [
    'a forgotten password',
    (page, { base }) => page.goto(`${base}/account/forgotten`).then(() => page.locator('.secret').waitFor()),
  ],
  ['the account', account],
  ['the console', (page, { base }) => page.goto(`${base}/console`).then(() => page.locator('.empty').waitFor())],
  ['the profile', (page, { base }) => page.goto(`${base}/account/profile`).then(() => page.locator('form').waitFor())],
  [
    'a new password',
    async (page, { base }) => {
      await page.goto(`${base}/account/password`)
      await page.locator('[name=password]').fill('lantern')
      await page.locator('.strength').waitFor()
    },
  ],
  [
    'the sessions',
    (page, { base }) => page.goto(`${base}/account/sessions`).then(() => page.locator('.list li').waitFor()),
  ],
  [
    'a new authenticator',
    async (page, { base }) => {
      await page.goto(`${base}/account/two-step`)
      await page.locator('.card .main').click()
      await page.locator('.qr').waitFor()
    },
  ],
  ['a new key', key],
  [
    'a question',
    async (page) => {
      await page.locator('.list .button').first().click()
      await page.locator('dialog[open]').waitFor()
    },
  ],
  [
    'the components',
    async (page, { base }) => {
      await page.goto(`${base}/ui`)
      await page.locator('#part-toast .button').first().click()
      await page.locator('.toast').waitFor()
    },
  ],
]

/** Axe takes longer than all else. */
const examined = new Set(ofToday(states.map(([name]) => name)))

describe.skipIf(!chromium)('on a', () => {
  test.each(ofToday(Object.keys(looks)))(
    '%s',
    async (look) => {
      await withServer((where) =>
        inBrowser(
          async (page) => {
            const faults = faultsOf(page, where.base)
            for (const [name, show] of states) {
              await show(page, where)
              const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
              expect([name, wide, examined.has(name) ? await violations(page) : [], faults]).toEqual([name, 0, [], []])
            }
          },
          { ...looks[look], reducedMotion: 'reduce' },
        ),
      )
    },
    180_000,
  )
})

describe.skipIf(!chromium)('in a browser', () => {
  proof(
    'texts of twice the size need no sideways scrolling',
    async () => {
      await withServer((where) =>
        inBrowser(
          async (page) => {
            const { base } = where
            const session = await page.context().newCDPSession(page)
            await session.send('Page.enable')
            await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
            const found = () =>
              page.evaluate(() => [
                getComputedStyle(document.documentElement).fontSize,
                document.documentElement.scrollWidth,
              ])
            for (const path of ['/', '/account', '/setup/none', '/manual/backup', '/manual?q=restore', '/ui']) {
              await page.goto(base + path)
              await page.locator('main').waitFor()
              await page.waitForFunction(() => !document.querySelector('[aria-busy]:not(button)'))
              expect([path, ...(await found())]).toEqual([path, '32px', 390])
            }
            await account(page, where)
            for (const part of ['', '/profile', '/password', '/sessions', '/forgotten']) {
              await page.goto(`${base}/account${part}`)
              await page.locator('.card').first().waitFor()
              expect([part, ...(await found())]).toEqual([part, '32px', 390])
            }
            await page.goto(`${base}/account/two-step`)
            await page.locator('.card .main').click()
            await page.locator('.qr').waitFor()
            expect(await found()).toEqual(['32px', 390])
            await key(page, where)
            expect(await found()).toEqual(['32px', 390])
            await page.locator('.list .button').first().click()
            const dialog = page.locator('dialog[open]')
            await dialog.waitFor()
            const { x = 0, width = 0 } = (await dialog.boundingBox()) ?? {}
            expect([x >= 0, x + width <= 390, ...(await found())]).toEqual([true, true, '32px', 390])
          },
          { viewport: { width: 390, height: 844 }, locale: 'de-DE' },
        ),
      )
    },
    180_000,
  )

  proof(
    'without scripts pages can be read and their language chosen, and those that need scripts say so',
    async () => {
      await withServer(({ base }) =>
        inBrowser(
          async (page) => {
            await page.goto(`${base}/account`)
            expect(await page.locator('noscript').textContent()).toContain('This page needs JavaScript')
            await page.getByRole('link', { name: 'Deutsch' }).click()
            expect(page.url()).toBe(`${base}/account`)
            expect(await page.locator('h1').textContent()).toBe('Konto')
            await page.getByRole('link', { name: 'Handbuch' }).click()
            await page.getByRole('searchbox', { name: 'Im Handbuch suchen' }).fill('restore faults')
            await page.getByRole('button', { name: 'Suchen' }).click()
            await page.getByRole('link', { name: 'Backup and restore: Restore faults' }).click()
            expect(await page.locator('main div[lang=en]').count()).toBe(1)
          },
          { javaScriptEnabled: false, locale: 'en-GB' },
        ),
      )
    },
    180_000,
  )

  proof(
    'the keyboard alone opens a dialog, closes it, and goes on where it was',
    async () => {
      await withServer(({ base }) =>
        inBrowser(async (page) => {
          await page.goto(`${base}/ui`)
          const opener = page.locator('#part-dialog .button').first()
          await opener.focus()
          await page.keyboard.press('Enter')
          await page.locator('dialog[open]').waitFor()
          await page.waitForFunction(() => document.activeElement?.closest('dialog'))
          await page.keyboard.press('Escape')
          await page.locator('dialog').waitFor({ state: 'detached' })
          await page.locator('#part-dialog .button:focus').waitFor()
          await page.keyboard.press('Home')
          const secret = page.locator('#part-field [name=password]')
          await secret.fill('correct horse')
          await page.keyboard.press('Tab')
          await page.keyboard.press('Enter')
          expect(await secret.getAttribute('type')).toBe('text')
        }),
      )
    },
    180_000,
  )

  test('the service worker is registered for /app/ alone, and its policy is made once', async () => {
    await withServer(({ base }) =>
      inBrowser(async (page) => {
        const faults = faultsOf(page, base)
        await page.goto(`${base}/ui`)
        for (let times = 0; times < 2; times++) {
          await page.getByRole('button', { name: 'Register' }).click()
          await page.getByText(`${base}/app/`, { exact: true }).waitFor()
        }
        // Nothing else can make a script or HTML of a text.
        const refused = await page.evaluate(() => {
          const attempts: [string, () => unknown][] = [
            ['html', () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>')],
            ['policy', () => Reflect.get(window, 'trustedTypes').createPolicy('worker', {})],
            ['other', () => Reflect.get(window, 'trustedTypes').createPolicy('other', {})],
            ['worker', () => new Worker('/app/sw.js')],
          ]
          return attempts.flatMap(([name, act]) => {
            try {
              act()
              return []
            } catch {
              return [name]
            }
          })
        })
        expect(refused).toEqual(['html', 'policy', 'other', 'worker'])
        expect(faults.filter((each) => !/Content Security Policy|Trusted/.test(each))).toEqual([])
      }),
    )
  }, 180_000)
})
