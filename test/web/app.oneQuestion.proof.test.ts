/** A form with one question a screen, by the keyboard alone; and texts of the study within sentences of the app. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { goTo, onDevice, phone, type StudyVisit, signIn, withStudy } from './appVisits'
import { chromium } from './browser'

async function steps({ call, trial }: StudyVisit, oneQuestionPerScreen: boolean): Promise<string> {
  const type = async (fields: object): Promise<string> =>
    (await call('POST', `/trials/${trial}/data-types`, fields))._id
  const pulse = await type({ name: 'Pulse', code: 'pulse', format: 'integer', min: 60, max: 260 })
  const twice = await type({ name: 'Twice', code: 'twice', format: 'calculation', expression: 'pulse * 2' })
  const pain = await type({ name: 'Pain', code: 'pain', format: 'rating', min: 0, max: 10 })
  const components = [
    { id: 'p', dataType: pulse, title: 'What is your pulse?', isRequired: true },
    { id: 't', dataType: twice, title: 'Twice your pulse', isRequired: false },
    { id: 'n', dataType: pain, title: 'How strong is your pain?', isRequired: false },
  ]
  const fields = { name: 'One by one', adHoc: true, oneQuestionPerScreen, components }
  return (await call('POST', `/trials/${trial}/stages`, fields))._id
}

const isOnSend = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.matches('form button.main[type=submit]'))

describe.skipIf(!chromium)('a form', () => {
  test.each([true, false])(
    'whose last question has options is sent by Enter and Enter (one question a screen: %p)',
    async (isStepwise) => {
      await withStudy(async (where) => {
        const stage = await steps(where, isStepwise)
        await onDevice(async (page) => {
          await signIn(page, where)
          await goTo(page, `stages/${stage}`)
          await page.locator('.question input').first().focus()
          await page.keyboard.type('70')
          await page.keyboard.press('Enter')
          await page.waitForFunction(() => document.activeElement?.matches('.point input'))
          await page.keyboard.press('Space')
          await page.keyboard.press('Enter')
          await isOnSend(page)
          await page.keyboard.press('Enter')
          await page.getByText('Your answers have arrived').waitFor()
        })
      })
    },
    180_000,
  )

  test('a question within a sentence of the app is in its own language', async () => {
    await withStudy(async (where) => {
      const stage = await steps(where, false)
      await onDevice(
        async (page) => {
          await signIn(page, where)
          await goTo(page, `stages/${stage}`)
          await page.locator('.question input').first().fill('999')
          await page.locator('form button.main').click()
          const title = page.locator('.summary a bdi bdi', { hasText: 'What is your pulse?' })
          await title.waitFor()
          expect(await title.getAttribute('lang')).not.toBe('ar')
        },
        { ...phone, locale: 'ar' },
      )
    })
  }, 180_000)
})
