/** The page of the API passes the rules of axe, with an operation opened. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import axe from 'axe-core'
import { type Browser, chromium as driver, type Page } from 'playwright-core'
import { listen } from '#server/listen'
import { world } from '../harness'
import { chromium } from './browser'

declare global {
  interface Window {
    axe: typeof axe
  }
}

let browser: Browser
beforeAll(async () => {
  if (chromium) browser = await driver.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] })
}, 180_000)
afterAll(() => browser?.close())

/** What is wrong with the page by these rules, by all if none is given: the rules, each with the first elements that break it. */
async function violations(page: Page, rules: string[]): Promise<string[]> {
  const results = await page.evaluate((runOnly) => window.axe.run(runOnly.length ? { runOnly } : {}), rules)
  return results.violations.map(
    ({ id, nodes }) =>
      `${id} ${nodes.length}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(' | ')}`,
  )
}

test.skipIf(!chromium)(
  '/docs passes axe, light and dark',
  async () => {
    const server = listen(world().service, { host: '127.0.0.1', port: 0 })
    const context = await browser.newContext({ bypassCSP: true, colorScheme: 'light' })
    const page = await context.newPage()
    page.setDefaultTimeout(120_000)
    await page.goto(`http://127.0.0.1:${server.port}/docs`)
    await page.locator('#operations-tag-Groups button').first().click()
    await page.getByText('Create a group', { exact: true }).click()
    await page.getByText('Leaves an entry').first().waitFor()
    await page.evaluate(axe.source)
    expect(await violations(page, [])).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, ['color-contrast'])).toEqual([]) // the other rules do not depend on the colours
    await context.close()
    await server.stop()
  },
  180_000,
)
