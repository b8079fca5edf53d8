/** Looking at a page of the app as somebody who only taps: whether something is shown, and what leads on. */
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'

type VisiblePage = {
  /** The text of the page, without its frame. */
  text: string
  heading: string
  /** Whether an error of the page is shown in its place. */
  isBroken: boolean
  /** Whether something leads away from here: a link to the first page, a button of a dialog or of a page in front. */
  hasWay: boolean
  where: string
}

/** What the person sees now. */
export const shown = (page: Page): Promise<VisiblePage> =>
  page.evaluate(() => {
    const isVisible = (element: Element) => element.checkVisibility() && element.getClientRects().length > 0
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(isVisible)
    const dialog = document.querySelector<HTMLElement>('dialog[open]')
    const main = document.querySelector<HTMLElement>('main')
    return {
      text: (dialog ?? main)?.textContent.trim() ?? '',
      heading: document.querySelector<HTMLElement>('main h1')?.textContent.trim() ?? '',
      isBroken: document.querySelector('.not-shown') !== null,
      hasWay: dialog
        ? all('dialog[open] button').length > 0
        : all('a[href="/app/"], a[href="/app/staff"], .front form button[type=submit], .front .main').length > 0,
      where: location.pathname,
    }
  })

/** Waits until the page has its heading and more, and says where it stays blank. */
export async function isShown(page: Page): Promise<void> {
  let now: VisiblePage | undefined
  for (let attempt = 0; attempt < 200; attempt++) {
    now = await shown(page).catch(() => undefined)
    if (now?.heading && now.text.length > now.heading.length) break
    await page.waitForTimeout(50)
  }
  expect(now).toEqual({ ...now, isBroken: false, hasWay: true, heading: expect.stringMatching(/\S/) } as VisiblePage)
  expect(now?.text.length).toBeGreaterThan(now?.heading.length ?? 0)
}

/** Taps what has this text or name, as soon as it is there. */
export async function tap(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector).filter({ visible: true }).first()
  await target.waitFor()
  await (page.viewportSize() && (await page.evaluate(() => 'ontouchstart' in window)) ? target.tap() : target.click())
}
