/** The page of the API under the strict policy of all pages: it shows the operations, and passes the rules of axe with one opened. */
import { expect, test } from 'bun:test'
import { listen } from '#server/listen'
import { world } from '../harness'
import { chromium, faultsOf, inBrowser, violations } from './browser'

test.skipIf(!chromium)(
  '/docs shows the operations, and passes axe, light and dark',
  async () => {
    const server = listen(world().service, { host: '127.0.0.1', port: 0 })
    const base = `http://127.0.0.1:${server.port}`
    await inBrowser(
      async (page) => {
        const faults = faultsOf(page, base)
        await page.goto(`${base}/docs`)
        await page.locator('#operations-tag-Groups button').first().click()
        await page.getByText('Create a group', { exact: true }).click()
        await page.getByText('Leaves an entry').first().waitFor()
        expect(await violations(page)).toEqual([])
        await page.emulateMedia({ colorScheme: 'dark' })
        expect(await violations(page, ['color-contrast'])).toEqual([]) // the other rules do not depend on the colours
        await page.getByRole('button', { name: 'Authorize' }).first().click()
        await page.getByText('An API key of a member of staff').first().waitFor()
        expect(faults).toEqual([])
      },
      { colorScheme: 'light' },
    )
    await server.stop()
  },
  180_000,
)
