/**
 * The pages of the app of participants at three sizes, light and dark, from left to right and from right to left: axe finds nothing,
 * nothing is refused by the policy, no other server is asked, nothing is too wide.
 */
import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { ofToday } from '../proof'
import { fillIn, goTo, onDevice, phone, type StudyVisit, signIn, withStudy } from './appVisits'
import { chromium, faultsOf, violations } from './browser'

const looks: Record<string, BrowserContextOptions> = {
  'phone, light, English': { ...phone, colorScheme: 'light' },
  'tablet, light, Arabic': { viewport: { width: 768, height: 1024 }, locale: 'ar', colorScheme: 'light' },
  'desktop, dark, German': { viewport: { width: 1280, height: 800 }, locale: 'de-DE', colorScheme: 'dark' },
}

/** The states of pages, each after the one before. */
const states: [string, (page: Page, where: StudyVisit) => Promise<unknown>][] = [
  [
    'a refused sign-in',
    async (page, where) => {
      await page.goto(`${where.base}/app/`)
      await fillIn(page, where, 'wrong horse')
      await page.locator('[role=alert]').waitFor()
    },
  ],
  ['the first page', signIn],
  [
    'what comes later',
    async (page) => {
      await page.locator('#coming ~ .fold summary').click()
      await page.locator('.month').first().waitFor()
    },
  ],
  [
    'the thread, with a new message',
    async (page) => {
      await goTo(page, 'messages')
      await page.locator('#message').fill('Thank you 🌼\ud83c it was <b>calm</b>.')
      await page.locator('.composer [type=submit]').click()
      await page.locator('.bubble.own:not(.waiting)').waitFor()
    },
  ],
  [
    'the calendar, with a secret link',
    async (page) => {
      await goTo(page, 'calendar')
      await page.locator('#own-calendar ~ .actions .button').first().click()
      await page.locator('code').waitFor()
    },
  ],
  [
    'the resources, with a text',
    async (page) => {
      await goTo(page, 'more')
      await goTo(page, 'resources')
      await page.locator('.resource summary').click()
      await page.locator('.rich strong').waitFor()
    },
  ],
  [
    'the food diary',
    async (page) => {
      await goTo(page, 'more')
      await goTo(page, 'food')
      await page.locator('.meal .button').first().click()
      await page.locator('dialog[open] [type=search]').waitFor()
      await page.keyboard.press('Escape')
    },
  ],
  ['what is on the device', (page) => goTo(page, 'more').then(() => goTo(page, 'waiting'))],
  [
    'the settings, and the question before signing out',
    async (page) => {
      await goTo(page, 'more')
      await goTo(page, 'you')
      await page.locator('.app-body > main > .actions .button').click()
      await page.locator('dialog[open]').waitFor()
    },
  ],
  [
    'a page that does not exist',
    (page, { base }) => page.goto(`${base}/app/nothing`).then(() => page.locator('.empty').waitFor()),
  ],
  [
    'a session that ended',
    async (page, { call, trial, anna }) => {
      await call('PUT', `/trials/${trial}/participants/${anna}`, { password: 'another horse' })
      await goTo(page, 'calendar')
      await page.locator('dialog[open] [name=password]').waitFor()
    },
  ],
]

/** Axe takes longer than all else. */
const examined = new Set(ofToday(states.map(([name]) => name)))

describe.skipIf(!chromium)('the app on a', () => {
  test.each(ofToday(Object.keys(looks)))(
    '%s',
    async (look) => {
      await withStudy((where) =>
        onDevice(async (page) => {
          const faults = faultsOf(page, where.base)
          for (const [name, show] of states) {
            await show(page, where)
            await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy]'))
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
            expect([name, wide, examined.has(name) ? await violations(page) : [], faults]).toEqual([name, 0, [], []])
          }
        }, looks[look]),
      )
    },
    180_000,
  )
})
