/** The whole app by taps alone, as people use it: in one sitting, without an address that is entered or a page that is loaded again. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { fillIn, onDevice, phone, type StudyVisit, withStudy } from './appVisits'
import { chromium, faultsOf } from './browser'
import { PIN, withTablet } from './tabletVisits'
import { isShown, tap } from './tapping'

const MENU = ['messages', 'calendar', 'more', ''] as const
const MORE = ['resources', 'food', 'waiting', 'you'] as const

const toMenu = async (page: Page, path: string) => {
  await tap(page, `.menu-bar a[href="/app/${path}"]`)
  await isShown(page)
}

/** Leaves the form by what is shown there: the menu beside it, or the link above it. */
const leaveForm = async (page: Page) => {
  await tap(page, '.menu-bar a[href="/app/"], .leave')
  await isShown(page)
}

/** A form of the first page, by its name. */
const openForm = async (page: Page, name: string) => {
  await tap(page, `main a:has-text("${name}")`)
  await page.locator('form .question').first().waitFor()
  await isShown(page)
  expect(await page.locator('main h1').textContent()).toBe(name)
}

/** Answers a form that asks for the mood, sends it, and goes to the first page. */
async function answerAndSend(page: Page): Promise<void> {
  await page.locator('.question input[type=radio]').nth(2).click({ force: true })
  await tap(page, 'form button.main')
  await page.locator('.empty-title', { hasText: 'Your answers have arrived' }).waitFor()
  await tap(page, 'main a[href="/app/"]')
  await isShown(page)
}

/** Three forms in one sitting; the first is left before it is sent, and waits as it was. */
async function severalForms(page: Page): Promise<void> {
  await openForm(page, 'Breathing questionnaire')
  await page.locator('.question input[type=radio]').nth(3).click({ force: true })
  await leaveForm(page)
  await openForm(page, 'Note a side effect')
  await answerAndSend(page)
  await openForm(page, 'Morning diary')
  await answerAndSend(page)
  await openForm(page, 'Note a side effect')
  await answerAndSend(page)
  await openForm(page, 'Breathing questionnaire')
  expect(await page.locator('.question input[type=radio]').nth(3).isChecked()).toBe(true)
  await answerAndSend(page)
}

async function everyPage(page: Page, where: StudyVisit): Promise<void> {
  for (const path of MENU) await toMenu(page, path)
  for (const path of MORE) {
    await toMenu(page, 'more')
    await tap(page, `main a[href="/app/${path}"]`)
    await isShown(page)
  }
  // A page of each kind again, now that it is known; and back, as the button of a phone does it.
  for (const path of ['calendar', 'messages', ''] as const) await toMenu(page, path)
  await page.goBack()
  await page.locator('h1', { hasText: 'Messages' }).waitFor()
  await isShown(page)
  await toMenu(page, '')
  await severalForms(page)
  // What was done leads to its form, too; then somebody leaves and comes back.
  await toMenu(page, 'more')
  await tap(page, 'main a[href="/app/you"]')
  await tap(page, '.app-body > main > .actions .button')
  await tap(page, 'dialog[open] .danger, dialog[open] .main')
  await page.locator('[name=password]').waitFor()
  const other = page.getByRole('button', { name: 'Somebody else?' })
  if (await other.count()) await other.tap()
  await fillIn(page, where)
  await page.locator('.lines a, .form-card').first().waitFor()
  await openForm(page, 'Note a side effect')
  await answerAndSend(page)
}

describe.skipIf(!chromium)('by taps alone', () => {
  test('every page of the app is shown, and as many forms in one sitting as somebody likes', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        const faults = faultsOf(page, where.base)
        await page.goto(`${where.base}/app/`)
        await fillIn(page, where)
        await page.locator('.form-card').first().waitFor()
        await everyPage(page, where)
        expect(faults).toEqual([])
      }, phone),
    )
  }, 180_000)

  test('so it is on a shared tablet, for one person after the other', async () => {
    await withTablet((where) =>
      onDevice(
        async (page) => {
          const faults = faultsOf(page, where.base)
          await page.goto(where.path)
          await tap(page, '.card .main')
          for (const id of ['P-1', 'P-2']) {
            await page.locator('#tablet-id').fill(id)
            for (const digit of PIN) await tap(page, `.key:has-text("${digit}")`)
            await tap(page, '.tablet-form .main')
            await page.locator('.tablet-bar').waitFor()
            await isShown(page)
            if (id === 'P-1') await severalForms(page)
            else {
              await openForm(page, 'About you')
              await leaveForm(page)
              await openForm(page, 'Note a side effect')
              await answerAndSend(page)
            }
            for (const path of MENU) await toMenu(page, path)
            await tap(page, '.tablet-bar button')
            await tap(page, 'dialog .actions .main')
            await page.locator('#tablet-id').waitFor()
          }
          expect(faults).toEqual([])
        },
        { viewport: { width: 1024, height: 768 }, locale: 'en-GB', hasTouch: true },
      ),
    )
  }, 180_000)
})
