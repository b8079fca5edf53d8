/** Somebody whose language the study speaks, and the app does not. */
import { expect, test } from 'bun:test'
import { onDevice, phone, signIn, withStudy } from './appVisits'
import { chromium } from './browser'

test.skipIf(!chromium)(
  'they read the study in it, and keep it when they change something else',
  () =>
    withStudy(async (where) => {
      const { trial, anna, call, base } = where
      await call('PUT', `/trials/${trial}`, {
        languages: ['en', 'it', 'pt-BR'],
        translations: { it: { description: 'Come si respira dopo un intervento.' } },
      })
      await onDevice(
        async (page) => {
          await signIn(page, where)
          await page.goto(`${base}/app/you`)
          await page.getByText('Come si respira dopo un intervento.').waitFor()
          const language = page.locator('select[name=language]')
          const offered = await language.locator('option').allTextContents()
          expect(offered.filter((each) => /^(italiano|português)/i.test(each))).toHaveLength(2)
          // Staff set the language; the participant then changes the zone only.
          await call('PUT', `/trials/${trial}/participants/${anna}`, { language: 'pt-BR' })
          await page.reload()
          await page.waitForFunction(
            () => document.querySelector<HTMLSelectElement>('select[name=language]')?.value === 'pt-BR',
          )
          await page.locator('select[name=timezone]').selectOption('Europe/Lisbon')
          await page.locator('form', { has: language }).locator('[type=submit]').click()
          await page.getByText('Saved.').first().waitFor()
          expect(await call('GET', `/trials/${trial}/participants/${anna}`)).toMatchObject({
            ...{ language: 'pt-BR', timezone: 'Europe/Lisbon' },
          })
        },
        { ...phone, locale: 'it-IT' },
      )
    }),
  300_000,
)

test.skipIf(!chromium)(
  'a refusal is said in the language of the app, not in the words of the server',
  () =>
    withStudy((where) =>
      onDevice(
        async (page) => {
          await signIn(page, where)
          await page.goto(`${where.base}/app/you`)
          const form = page.locator('form', { has: page.locator('select[name=timezone]') })
          await form.waitFor()
          const says = async (status: number, details: object, text: string) => {
            const body = { message: 'The study takes nothing from you.', details, validations: {} }
            await page.route('**/participants/me', (route) =>
              route.request().method() === 'PUT' ? route.fulfill({ status, json: body }) : route.fallback(),
            )
            await form.locator('[type=submit]').click()
            await form.getByText(text).first().waitFor()
            expect(await page.getByText('takes nothing').count()).toBe(0)
            await page.unroute('**/participants/me')
          }
          await says(403, { code: 'archived' }, 'Sie nehmen an dieser Studie nicht mehr teil.')
          await says(429, {}, 'Bitte warten Sie eine Minute')
          await says(400, { code: 'erased' }, 'Das ist schon geschehen')

          // So are a message and a PIN that were refused.
          const refused = { message: 'The study takes nothing from you.', details: { code: 'erased' }, validations: {} }
          await page.route('**/participants/me/pin', (route) =>
            route.request().method() === 'GET'
              ? route.fulfill({ json: { setAt: null, hasTablet: true } })
              : route.fulfill({ status: 400, json: refused }),
          )
          await page.route('**/participants/messages', (route) =>
            route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 400, json: refused }),
          )
          await page.goto(`${where.base}/app/you`)
          await page.locator('[name=pin]').fill('2846')
          await page
            .locator('form', { has: page.locator('[name=pin]') })
            .locator('[type=submit]')
            .click()
          await page.getByText('Das ist schon geschehen').first().waitFor()
          await page.goto(`${where.base}/app/messages`)
          await page.locator('#message').fill('Hallo')
          await page.locator('.composer [type=submit]').click()
          await page.locator('.bubbles').getByText('Das ist schon geschehen').waitFor()
          expect(await page.getByText('takes nothing').count()).toBe(0)
        },
        { ...phone, locale: 'de-DE' },
      ),
    ),
  300_000,
)
