/** A shared tablet with large texts, from right to left and by the keyboard. What it keeps and sends is in `tablet.test.ts`. */
import { expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { onDevice, type StudyVisit, withStudy } from './appVisits'
import { chromium, violations } from './browser'
import { enlargeTexts, tooWide } from './layout'

const PIN = '2846'

/** Makes a tablet of a site to which P-1 belongs. Returns the code of its link. */
async function sharedTablet({ call, trial, anna }: StudyVisit): Promise<string> {
  const site = (await call('POST', `/trials/${trial}/sites`, { name: 'Ward of the North', id: crypto.randomUUID() }))
    ._id
  await call('PUT', `/sites/${site}/memberships/${anna}`)
  await call('PUT', `/trials/${trial}/participants/${anna}/pin`, { pin: PIN })
  const { url } = await call('POST', `/trials/${trial}/sites/${site}/shared-devices`, { name: 'By the window' })
  return url.split('/').at(-1)
}

/** What cannot be read, and what axe finds. */
const found = async (page: Page) => [await page.evaluate(tooWide), await violations(page)]

test.skipIf(!chromium)(
  'a tablet can be used with texts of twice the size, in Arabic with the keys of a phone, and without touching it',
  async () => {
    const looks: [string, BrowserContextOptions][] = [
      ['768 px in Arabic', { viewport: { width: 768, height: 1024 }, locale: 'ar' }],
      ['390 px in French, dark', { viewport: { width: 390, height: 844 }, locale: 'fr-FR', colorScheme: 'dark' }],
    ]
    await withStudy(async (where) => {
      for (const [name, look] of looks) {
        const link = await sharedTablet(where)
        await onDevice(async (page) => {
          const { keyboard } = page
          await page.goto(`${where.base}/app/tablet/${link}`)
          await page.locator('.card .main').waitFor()
          await enlargeTexts(page, 32)
          expect([name, 'link', ...(await found(page))]).toEqual([name, 'link', [], []])
          await page.locator('.card .main').press('Enter')
          await page.locator('#tablet-id').waitFor()
          const places = page.locator('.key').evaluateAll((keys) => keys.map((key) => key.getBoundingClientRect().x))
          const [one = 0, two = 0, three = 0] = await places
          expect([name, one < two, two < three]).toEqual([name, true, true])
          await page.locator('#tablet-id').focus()
          await keyboard.type('P-1')
          await keyboard.press('Enter')
          await page.waitForFunction(() => document.activeElement?.id === 'tablet-pin')
          await keyboard.type('9911')
          await keyboard.press('Enter')
          await page.locator('.notice.fault').waitFor()
          expect([name, 'wrong', ...(await found(page))]).toEqual([name, 'wrong', [], []])
          await page.locator('#tablet-pin').focus()
          await keyboard.type(PIN)
          await keyboard.press('Enter')
          await page.locator('.tablet-bar').waitFor()
          await page.locator('.form-card').first().waitFor()
          expect([name, 'home', ...(await found(page))]).toEqual([name, 'home', [], []])
          await page.locator('.form-card').first().press('Enter')
          await page.locator('.point input').first().press('Space')
          await page.locator('.point :checked').waitFor()
          await page.locator('.tablet-bar button').press('Enter')
          const dialog = page.locator('dialog[open]')
          await dialog.locator('.danger').waitFor()
          expect([name, 'leaving', ...(await found(page))]).toEqual([name, 'leaving', [], []])
          // What does not fit on the screen can be scrolled to.
          await dialog.locator('.actions .main').scrollIntoViewIfNeeded()
          const { y = -1, height = 0 } = (await dialog.locator('.actions .main').boundingBox()) ?? {}
          expect([name, y >= 0, y + height <= (look.viewport?.height ?? 0)]).toEqual([name, true, true])
          await dialog.locator('.danger').press('Enter')
          await page.locator('#tablet-id').waitFor()
        }, look)
      }
    })
  },
  180_000,
)
