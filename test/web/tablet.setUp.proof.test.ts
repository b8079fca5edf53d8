/** How a device that people used becomes a shared tablet: nothing of theirs is lost, and nothing stays. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../until'
import { fillIn, goTo, onDevice, type StudyVisit, withStudy } from './appVisits'
import { chromium, violations } from './browser'
import { choosePhoto, keptByLinks, photoForm } from './linkVisits'
import { keptText } from './ward'

const PIN = '2846'

async function tabletLink({ call, trial, anna }: StudyVisit): Promise<string> {
  await call('PUT', `/trials/${trial}/participants/${anna}/pin`, { pin: PIN })
  const { url } = await call('POST', `/trials/${trial}/shared-devices`, { name: 'By the window' })
  return `/app/tablet/${url.split('/').at(-1)}`
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.locator('dialog .actions .button').last().click()
  await page.locator('[name=password]').waitFor()
}

test.skipIf(!chromium)(
  'a device on which somebody is signed in, or answers wait, becomes no tablet; when it does, nothing of them is on it',
  async () => {
    await withStudy(async (where) => {
      const { base, call, trial, anna, bert, mood } = where
      const words = await call('POST', `/trials/${trial}/data-types`, { name: 'Words', code: 'words', format: 'text' })
      const stage = await call('POST', `/trials/${trial}/stages`, {
        ...{ name: 'Steps', adHoc: true, oneQuestionPerScreen: true },
        components: [
          { id: 'words', dataType: words._id, title: 'Words', isRequired: false },
          { id: 'mood', dataType: mood, title: 'Mood', isRequired: false },
        ],
      })
      const link = await tabletLink(where)
      await onDevice(
        async (page) => {
          await page.goto(`${base}/app/`)
          await fillIn(page, where)
          await page.locator('.form-card').first().waitFor()
          await goTo(page, `stages/${stage._id}`)
          await page.locator('.question input').fill('SECRET')
          await until(async () => (await keptText(page)).includes('SECRET'))
          await page.goto(base + link)
          await page.getByText('“P-1” is signed in on this device.').waitFor()
          expect(await page.getByRole('button', { name: 'Set up this tablet' }).isDisabled()).toBe(true)
          expect(await violations(page)).toEqual([])

          // Another person takes the device: the draft is not theirs, and waits.
          const { url } = await call('POST', `/trials/${trial}/participants/${bert}/grants`, {})
          await page.goto(base + new URL(url).pathname + new URL(url).search)
          await page.locator('.form-card').first().waitFor()
          await goTo(page, 'more')
          await goTo(page, 'you')
          await signOut(page)
          await page.goto(base + link)
          await page.getByRole('button', { name: 'Set up this tablet' }).click()
          await page.getByText('Answers of a person wait on this device.').waitFor()

          await page.goto(`${base}/app/`)
          await page.getByRole('button', { name: 'Somebody else?' }).click()
          await fillIn(page, where)
          await page.locator('.form-card').first().waitFor()
          await page.goto(`${base}/app/stages/${stage._id}`)
          await page.getByRole('button', { name: 'Next' }).click()
          await page.getByRole('button', { name: 'Send' }).click()
          await page.getByText('Thank you.').waitFor()
          await page.goto(`${base}/app/you`)
          await signOut(page)
          await page.goto(base + link)
          await page.getByRole('button', { name: 'Set up this tablet' }).click()
          await page.locator('#tablet-id').waitFor()
          const kept = await keptText(page)
          for (const text of ['P-1', 'P-2', anna, bert, trial, 'SECRET'])
            expect([text, kept.includes(text)]).toEqual([text, false])

          // The steps of a form are none of the browser's there.
          await page.locator('#tablet-id').fill('P-1')
          await page.locator('#tablet-pin').fill(PIN)
          await page.locator('.tablet-form .main').click()
          await page.locator('.tablet-bar').waitFor()
          await goTo(page, `stages/${stage._id}`)
          const before = await page.evaluate(() => history.length)
          await page.getByRole('button', { name: 'Next' }).click()
          await page.getByRole('button', { name: 'Send' }).waitFor()
          expect(await page.evaluate(() => history.length)).toBe(before)
        },
        { viewport: { width: 768, height: 1024 } },
      )
    })
  },
  180_000,
)

test.skipIf(!chromium)(
  'a device on which answers by a link wait becomes no tablet before they are sent',
  async () => {
    await withStudy(async (where) => {
      const { base, call, trial, bert, mood } = where
      const stage = await call('POST', `/trials/${trial}/stages`, {
        name: 'By a link',
        components: [{ id: 'mood', dataType: mood, title: 'Mood', isRequired: false }],
      })
      const { url } = await call('POST', `/trials/${trial}/participants/${bert}/stages/${stage._id}/tokens`, {})
      const form = base + new URL(url).pathname
      const link = await tabletLink(where)
      const sent = async () =>
        (await call('GET', `/trials/${trial}/participants/${bert}/responses`)).responses.filter(
          (each: { stage: string }) => each.stage === stage._id,
        ).length
      await onDevice(async (page) => {
        // No answers leave the page: one that is on its way while the page is left may still arrive.
        await page.addInitScript(() => {
          const send = globalThis.fetch
          const isLost = (path: unknown) => /\/responses/.test(String(path)) && sessionStorage.getItem('line') === null
          Object.assign(globalThis, {
            fetch: (...given: Parameters<typeof fetch>) =>
              isLost(given[0]) ? Promise.reject(new TypeError('Failed to fetch')) : send(...given),
          })
        })
        await page.goto(form)
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByRole('heading', { name: 'Your answers are kept on this device' }).waitFor()
        await page.goto(base + link)
        await page.getByRole('button', { name: 'Set up this tablet' }).click()
        await page.getByText('Answers of a person wait on this device.').waitFor()
        expect(await sent()).toBe(0)

        await page.evaluate(() => sessionStorage.setItem('line', 'works'))
        await page.goto(form)
        await page.getByRole('heading', { name: 'Your answers have arrived' }).waitFor()
        await page.goto(base + link)
        await page.getByRole('button', { name: 'Set up this tablet' }).click()
        await page.locator('#tablet-id').waitFor()
        expect([await sent(), await keptText(page)]).toEqual([1, expect.not.stringContaining('kept ')])
      })
    })
  },
  180_000,
)

test.skipIf(!chromium)(
  'files of answers by a link that a crash left are not on the tablet that the device becomes',
  async () => {
    await withStudy(async (where) => {
      const link = await tabletLink(where)
      const { url } = await photoForm(where)
      await onDevice(async (page) => {
        await choosePhoto(page, url)
        await page.route('**/storage/**', (route) => route.abort('connectionreset'))
        await page.getByRole('button', { name: 'Send' }).click()
        await until(async () => (await keptByLinks(page)) === 2)
        await page.evaluate(() => localStorage.clear())
        await page.goto(where.base + link)
        expect(await keptByLinks(page)).toBe(1)
        await page.getByRole('button', { name: 'Set up this tablet' }).click()
        await page.locator('#tablet-id').waitFor()
        expect(await keptByLinks(page)).toBe(0)
      })
    })
  },
  180_000,
)
