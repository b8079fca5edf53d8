/** The page of the API passes the rules of axe, closed and with an operation opened. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
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
}, 30_000)
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

describe.skipIf(!chromium)('/docs', () => {
  test.each<['light' | 'dark', string[]]>([
    ['light', []],
    ['dark', ['color-contrast']], // the other rules do not depend on the colours
  ])(
    'passes axe in %s',
    async (colorScheme, rules) => {
      const server = listen(world().service, { host: '127.0.0.1', port: 0 })
      const context = await browser.newContext({ bypassCSP: true, colorScheme })
      const page = await context.newPage()
      await page.goto(`http://127.0.0.1:${server.port}/docs`)
      await page.locator('#operations-tag-Groups').waitFor()
      await page.evaluate(axe.source)
      expect(await violations(page, rules)).toEqual([])
      await page.locator('#operations-tag-Groups button').first().click()
      await page.getByText('Create a group', { exact: true }).click()
      await page.getByText('Leaves an entry').first().waitFor()
      expect(await violations(page, rules)).toEqual([])
      await context.close()
      await server.stop()
    },
    60_000,
  )
})
