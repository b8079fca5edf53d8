/** An error in a page: it says what to do, nothing of the rest is lost, and the answers are kept. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { goTo, onDevice, type StudyVisit, signIn, withStudy } from './appVisits'
import { chromium, violations } from './browser'

/** From now on the server sends forms that no page can show, as after a fault in an upgrade. */
const breakForms = (page: Page, pattern: RegExp) =>
  page.route(pattern, async (route) => {
    // Without the tag of what the app has: a form that has not changed would have no body.
    const { 'if-none-match': _, ...headers } = route.request().headers()
    const answer = await route.fetch({ headers })
    const form = await answer.json()
    const json = { ...form, components: [{ id: 'x', dataType: 'x', type: null }] }
    // A page that is left takes no answer any more.
    const others = { ...answer.headers(), etag: 'W/"broken"' }
    await route.fulfill({ response: answer, headers: others, json }).catch(() => {})
  })

const languages = [
  ['en-GB', 'This page could not be shown'],
  ['de-DE', 'Diese Seite konnte nicht angezeigt werden'],
  ['fr-FR', 'Cette page n’a pas pu être affichée'],
  ['es-ES', 'No se ha podido mostrar esta página'],
  ['ar', 'تعذّر عرض هذه الصفحة'],
] as const

const openForm = (page: Page) =>
  page.locator('main a', { hasText: 'Note a side effect' }).filter({ visible: true }).first().click()

async function linkOf({ call, trial, bert, mood }: StudyVisit): Promise<string> {
  const components = ['one', 'two'].map((id, n) => ({
    ...{ id, title: `Question ${id}`, isRequired: false },
    ...(n === 0 ? { dataType: mood } : { type: 'title', video: null }),
  }))
  const stage = await call('POST', `/trials/${trial}/stages`, { name: 'By a link', adHoc: true, components })
  return (await call('POST', `/trials/${trial}/participants/${bert}/stages/${stage._id}/tokens`, {})).url
}

describe.skipIf(!chromium)('a page with an error', () => {
  test.each(languages)(
    'says what to do (%s), and what was answered is there when it is shown again',
    async (locale, title) => {
      await withStudy((where) =>
        onDevice(
          async (page) => {
            await signIn(page, where)
            await openForm(page)
            await page.locator('.question input[type=radio]').nth(2).click({ force: true })
            await goTo(page, '')
            await page.locator('.form-card').first().waitFor()
            const forms = /\/participants\/trials\/[^/]+\/stages\/[^/]+$/
            await breakForms(page, forms)
            await openForm(page)
            await page.locator('.not-shown .empty-title', { hasText: title }).waitFor()
            expect(await violations(page)).toEqual([])
            // The way out is there, and so are the other pages.
            await page.locator('.leave').click()
            await goTo(page, 'messages')
            await page.locator('.bubble').first().waitFor()
            await page.locator('.menu-bar a[href="/app/"]').click()
            await page.locator('.form-card').first().waitFor()
            await openForm(page)
            const again = page.locator('.not-shown .main')
            await again.waitFor()
            await page.unroute(forms)
            await again.click()
            // What was kept of the broken form on the device is read first: then the page is loaded again.
            await page.locator('.not-shown .main, form .question').first().waitFor()
            if (await again.count()) await Promise.all([page.waitForEvent('load'), again.click()])
            await page.locator('form .question').first().waitFor()
            await page.waitForFunction(() => document.querySelectorAll<HTMLInputElement>('.question input')[2]?.checked)
          },
          { viewport: { width: 390, height: 844 }, locale, hasTouch: true },
        ),
      )
    },
    180_000,
  )

  test('behind a link keeps its answers too', async () => {
    await withStudy(async (where) => {
      const url = await linkOf(where)
      await onDevice(async (page) => {
        await page.goto(where.base + new URL(url).pathname)
        await page.locator('.question input[type=radio]').nth(1).waitFor({ state: 'attached' })
        // What is drawn next fails once.
        await page.evaluate(() => {
          const create = document.createElement.bind(document)
          const createNS = document.createElementNS.bind(document)
          const restore = () => Object.assign(document, { createElement: create, createElementNS: createNS })
          const fail = () => {
            restore()
            throw new Error('Nothing can be drawn.')
          }
          Object.assign(document, { createElement: fail, createElementNS: fail })
        })
        await page.locator('.question input[type=radio]').nth(1).click({ force: true })
        await page.getByText('Your answers are still on this page').waitFor()
        await page.locator('.not-shown .main').click()
        await page.locator('.question input[type=radio]').nth(1).waitFor({ state: 'attached' })
        expect(await page.locator('.question input[type=radio]').nth(1).isChecked()).toBe(true)
      })
    })
  }, 180_000)
})
