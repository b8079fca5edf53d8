/** Without a connection: appointments and messages that nobody has opened before, with the time as of which they are shown. */
import { expect, test } from 'bun:test'
import { until } from '../until'
import { goTo, onDevice, signIn, withStudy } from './appVisits'
import { chromium } from './browser'

test.skipIf(!chromium)(
  'appointments and messages are there without having been opened, as of the last connection; what did not change is not sent again',
  () =>
    withStudy((where) =>
      onDevice(async (page) => {
        const statuses: [path: string, status: number][] = []
        page.on('response', (answer) => statuses.push([new URL(answer.url()).pathname, answer.status()]))
        const got = (path: string, status: number) => () =>
          statuses.some(([from, now]) => from === path && now === status)
        await signIn(page, where)
        for (const path of ['events', 'meetings', 'messages']) await until(got(`/participants/${path}`, 200))
        await page.reload()
        await page.locator('.form-card').first().waitFor()
        await until(got('/participants/events', 304))
        await until(got('/participants/me', 304))
        // The cache of the browser has nothing that the app would not remove.
        await page.waitForLoadState('networkidle')
        // Whichever page is opened first, the first page is there too.
        statuses.length = 0
        await page.goto(`${where.base}/app/more`)
        await until(() => statuses.some(([path]) => /trials\/\w+\/stages$/.test(path)))
        await page.waitForLoadState('networkidle')
        await page.context().setOffline(true)
        await goTo(page, 'calendar')
        await page.getByText('Visit at the hospital').waitFor()
        await page.getByText('Call with the study nurse').waitFor()
        await page.locator('.as-of', { hasText: 'As of' }).waitFor()
        await goTo(page, 'messages')
        await page.getByText('How was your first night at home?').waitFor()
        await page.locator('.as-of', { hasText: 'As of' }).waitFor()
        await goTo(page, '')
        await page.locator('.form-card').first().waitFor()
        expect(await page.getByText('could not').count()).toBe(0)
      }),
    ),
  180_000,
)
