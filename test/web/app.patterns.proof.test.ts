/** The matcher of patterns is kept on devices of people who have a form with a pattern, and on no other. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../until'
import { goTo } from './appVisits'
import { chromium, faultsOf, inBrowser } from './browser'
import { upgrade } from './upgrade'
import { OFFLINE, online, openPage, send, signIn, ward } from './ward'

/** The names of the caches that hold the matcher. */
const having = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys()) {
      const all = await (await caches.open(name)).keys()
      if (all.some(({ url }) => url.includes('/web/patterns-'))) found.push(name)
    }
    return found
  })

/** The paths of everything that the worker keeps. */
const keptFiles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const lists = (await caches.keys()).map(async (name) => (await caches.open(name)).keys())
    return (await Promise.all(lists)).flat().map(({ url }) => new URL(url).pathname)
  })

const update = (page: Page) => page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))

describe.skipIf(!chromium)('a form with a pattern', () => {
  test('that was never opened is checked without a connection, also after a new version; other devices keep no matcher', async () => {
    const where = await ward()
    const { call, trial, anna, stored, leave } = where
    const front = upgrade(where.base)
    const { base } = front
    try {
      await inBrowser(async (first) => {
        const page = await openPage(first.context())
        const faults = faultsOf(page, base)
        await signIn(page, { ...where, base })
        await page.waitForFunction(() => navigator.serviceWorker.controller)
        await page.waitForLoadState('networkidle')
        expect(await having(page)).toEqual([])

        // While a new version waits, the study gets a form with a pattern: both versions have what it needs.
        front.give('second')
        await update(page)
        const offer = page.getByRole('button', { name: 'Use it now' })
        await offer.waitFor()
        const { _id: code } = await call('POST', `/trials/${trial}/data-types`, {
          ...{ name: 'Code', code: 'code', format: 'text', pattern: 'K-\\d{3}' },
        })
        const components = [{ id: 'code', dataType: code, title: 'Which code is on the box?', isRequired: true }]
        const { _id: box } = await call('POST', `/trials/${trial}/stages`, { name: 'The box', adHoc: true, components })
        // Not by loading the page, which would take the new version over.
        await goTo(page, 'messages')
        await goTo(page, '')
        await until(async () => (await having(page)).length === 2)
        await Promise.all([page.waitForEvent('load'), offer.click()])
        await until(async () => (await having(page)).join() === 'app second')
        // What it had comes along with the version after that. The first page would take it over by itself.
        await page.goto(`${base}/app/messages`)
        front.give('third')
        await update(page)
        await offer.waitFor()
        await Promise.all([page.waitForEvent('load'), offer.click()])
        await until(async () => (await having(page)).join() === 'app third')

        await online(page, false)
        await page.goto(`${base}/app/stages/${box}`)
        const field = page.locator(`[id="answer-${code}"]`)
        await field.fill('K-12')
        await send(page)
        await page.getByText('is not in the form that this question expects').first().waitFor()
        await field.fill('K-123')
        await send(page)
        await page.getByText('Your answers are kept on this device').waitFor()
        await online(page, true)
        await page.goto(`${base}/app/waiting`)
        await page.locator('.empty').waitFor()
        expect((await stored(anna, box)).map(({ response }) => response[code]?.value)).toEqual(['K-123'])
        expect(faults.filter((fault) => !OFFLINE.test(fault))).toEqual([])
      })
    } finally {
      await front.stop()
      await leave()
    }
  }, 180_000)

  test('keeps the version of the app that has it, until a new one can be read in whole', async () => {
    const where = await ward()
    const { call, trial, leave } = where
    const front = upgrade(where.base)
    try {
      const { _id: code } = await call('POST', `/trials/${trial}/data-types`, {
        ...{ name: 'Code', code: 'code', format: 'text', pattern: 'K-\\d{3}' },
      })
      const components = [{ id: 'code', dataType: code, title: 'Which code is on the box?' }]
      await call('POST', `/trials/${trial}/stages`, { name: 'The box', adHoc: true, components })
      await inBrowser(async (first) => {
        const page = await openPage(first.context())
        await signIn(page, { ...where, base: front.base })
        await until(async () => (await having(page)).length === 1)
        front.hide('/web/patterns-')
        front.give('second')
        await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache')
        const state = await page.evaluate(async () => {
          const registration = await navigator.serviceWorker.ready
          await registration.update()
          const worker = registration.installing
          return new Promise((resolve) => worker?.addEventListener('statechange', () => resolve(worker.state)))
        })
        expect(state).toBe('redundant')
        front.hide(undefined)
        await update(page)
        await page.getByRole('button', { name: 'Use it now' }).waitFor()
        expect(await having(page)).toHaveLength(2)
      })
    } finally {
      await front.stop()
      await leave()
    }
  }, 180_000)
})

test.skipIf(!chromium)(
  'the worker keeps no files of the pages behind links',
  async () => {
    const where = await ward()
    try {
      await inBrowser(async (first) => {
        const page = await openPage(first.context())
        await signIn(page, where)
        await page.waitForFunction(() => navigator.serviceWorker.controller)
        const files = await keptFiles(page)
        expect(files).toContain('/app/')
        await page.goto(`${where.base}/app/stage/nobody`)
        await page.locator('h1').waitFor()
        await page.waitForLoadState('networkidle')
        expect(await keptFiles(page)).toEqual(files)
      })
    } finally {
      await where.leave()
    }
  },
  180_000,
)
