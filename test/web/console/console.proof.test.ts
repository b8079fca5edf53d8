/** The pages of staff at length: thousands of rows, small screens, large texts, right to left, two-step sign-in, no connection. */
import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { parseInstant } from '#kernel/time'
import { PASSWORD } from '../../harness'
import { chromium, inBrowser } from '../browser'
import { enlargeTexts, tooWide } from '../layout'
import { signIn, visiting, ward } from './visits'

const GRID = '/console/SR-24/participants'
const rowsDrawn = (page: Page) => page.locator('.grid tbody tr[data-row]').count()
const focused = (page: Page) => page.evaluate(() => document.activeElement?.querySelector('th')?.textContent)

/** Targets for a finger that are smaller than 44 px, but links within texts. */
const smallTargets = () =>
  [...document.querySelectorAll<HTMLElement>('button, select, .rail a, .tabs a, .chip, .input, .grid tr[data-row]')]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height > 1)
    .filter((each) => each.getBoundingClientRect().height < 43.5)
    .map((each) => `${each.tagName} ${each.className} ${each.textContent}`)

describe.skipIf(!chromium)('in the console', () => {
  test('of 3,000 participants those in view are drawn and read, and each is reached by keys', async () => {
    const here = await ward({ people: 3000 })
    await visiting(here, here.owner, GRID, async ({ page, sound, counts }) => {
      const pages: string[] = []
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        if (pathname.endsWith('/participants') && searchParams.has('page')) pages.push(searchParams.get('page')!)
      })
      await counts('3,000 participants')
      expect(await rowsDrawn(page)).toBeLessThan(60)
      await page.locator('[data-row="0"]').focus()
      await page.keyboard.press('End')
      await page.getByText('P-3000').waitFor()
      expect(await focused(page)).toBe('P-3000')
      expect(await rowsDrawn(page)).toBeLessThan(60)
      await page.keyboard.press('PageUp')
      await page.keyboard.press('k')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Home')
      await page.getByText('P-0001').waitFor()
      expect(await focused(page)).toBe('P-0001')
      // Neither page in between was read.
      expect(new Set(pages).size).toBeLessThanOrEqual(3)
      // The row with the focus stays, wherever one scrolls.
      await page.locator('.gridbox').evaluate((box) => box.scrollTo(0, 50_000))
      await page.locator('[data-row="1480"]').waitFor()
      expect(await focused(page)).toBe('P-0001')
      await sound('far down')
      await page.keyboard.press('Control+ArrowUp')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('ID')
    })
    await here.server.stop()
  }, 300_000)

  test('everything can be read and reached at each size, with large texts, and from right to left', async () => {
    const here = await ward()
    const touch = { hasTouch: true, isMobile: true }
    for (const [width, height, options] of [
      [1440, 900, {}],
      [1024, 768, {}],
      [1024, 768, touch],
      [390, 844, touch],
      [320, 640, touch],
    ] as const)
      await visiting(
        here,
        here.owner,
        GRID,
        async ({ page, sound, counts }) => {
          await counts('30 participants')
          for (const dir of ['ltr', 'rtl']) {
            await page.evaluate((value) => document.documentElement.setAttribute('dir', value), dir)
            const where = `${width} ${dir} ${'hasTouch' in options}`
            expect([where, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([where, width])
            expect([where, (await page.evaluate(tooWide)).filter((each) => !/^A |NAV/.test(each))]).toEqual([where, []])
            if ('hasTouch' in options) expect([where, await page.evaluate(smallTargets)]).toEqual([where, []])
            await page.locator('[data-row="1"]').click()
            await page.getByRole('complementary', { name: 'P-0002' }).waitFor()
            await sound(where)
            await page.getByRole('button', { name: 'Close the details' }).click()
            await page.getByRole('complementary').waitFor({ state: 'detached' })
          }
          await page.evaluate(() => document.documentElement.setAttribute('dir', 'ltr'))
          await enlargeTexts(page, 32)
          expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([width, width])
        },
        { viewport: { width, height }, ...options },
      )
    await here.server.stop()
  }, 300_000)

  test('two-step sign-in asks for a code, also over the page', async () => {
    const here = await ward()
    const session = await here.signIn(here.nurse)
    const { secret } = await session.do('beginTotp')
    const codeAt = (now: string) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: parseInstant(now)! / 1000 })
    await session.do('enableTotp', { code: codeAt(here.now()), password: PASSWORD })
    here.clock(60_000_000)
    await inBrowser(async (page) => {
      page.setDefaultTimeout(20_000)
      await page.goto(`${here.base}/console`)
      await signIn(page, here.nurse.email)
      await page
        .getByRole('alert')
        .getByText(/password or code is not right/)
        .waitFor()
      await signIn(page, here.nurse.email, PASSWORD, codeAt(here.now()))
      await page.getByRole('heading', { name: 'Your studies' }).waitFor()
    })
    await here.server.stop()
  }, 180_000)

  test('without a connection the page says so, keeps what it shows, and goes on when there is one', async () => {
    const here = await ward()
    await inBrowser(
      async (page) => {
        page.setDefaultTimeout(20_000)
        await page.goto(here.base + GRID)
        await signIn(page, here.owner.email)
        await page.getByText('P-0001').waitFor()
        await page.context().setOffline(true)
        await page.getByRole('button', { name: 'ID', exact: true }).click()
        await page.getByText(/^Not connected/).waitFor()
        expect(await page.getByText('P-0001').isVisible()).toBe(true)
        await page.context().setOffline(false)
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.locator('[data-row="0"]', { hasText: 'P-0030' }).waitFor()
        expect(await page.getByText(/^Not connected/).count()).toBe(0)
      },
      { viewport: { width: 1440, height: 900 }, locale: 'en-GB' },
    )
    await here.server.stop()
  }, 180_000)
})
