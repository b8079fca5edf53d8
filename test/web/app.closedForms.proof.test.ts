/** Forms whose time ends, and what somebody sees who takes part no more. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { goTo, onDevice, type StudyVisit, signIn, withStudy } from './appVisits'
import { chromium, violations } from './browser'

const HOUR = 3_600_000
const control = (page: Page, id: string) => page.locator(`[id="answer-${id}"]`)
const sendButton = (page: Page) => page.locator('form button.main')
const home = async (page: Page) => {
  await page.locator('a.brand').click()
  await page.getByRole('heading', { name: 'Today' }).waitFor()
}

/** Two forms that can be filled in for two hours. */
async function makeForms({ call, trial }: StudyVisit) {
  const type = async (fields: object): Promise<string> =>
    (await call('POST', `/trials/${trial}/data-types`, fields))._id
  const [pulse, note] = [
    await type({ name: 'Pulse', code: 'pulse', format: 'integer' }),
    await type({ name: 'Note', code: 'note', format: 'text' }),
  ]
  const components = [
    { id: 'p', dataType: pulse, title: 'Your pulse' },
    { id: 'n', dataType: note, title: 'Anything else?' },
  ]
  const stage = async (name: string): Promise<string> =>
    (await call('POST', `/trials/${trial}/stages`, { name, components, availabilityWindowHours: 2 }))._id
  return { pulse, note, begun: await stage('Begun in time'), never: await stage('Never begun') }
}

/** Moves the clocks of the server and of the device on. */
async function later({ call }: StudyVisit, page: Page, hours: number): Promise<void> {
  await call('PUT', '/test/clock', { advance: `PT${hours * 60}M` })
  await page.clock.fastForward(hours * HOUR)
}

describe.skipIf(!chromium)('a form in the app', () => {
  test('whose time ends says so; what was begun in time can be sent on another visit, and nobody begins one that is over', async () => {
    await withStudy(async (where) => {
      const { pulse, note, begun, never } = await makeForms(where)
      await onDevice(async (page) => {
        await signIn(page, where)
        await page.goto(`${where.base}/app/stages/${begun}`)
        await control(page, pulse).fill('61')
        // Half of an emoji, as some keyboards leave it behind.
        await control(page, note).evaluate((input: HTMLInputElement) => {
          input.value = 'Fine \ud83d'
          input.dispatchEvent(new Event('input', { bubbles: true }))
        })
        await later(where, page, 1.5)
        await page.getByText('You can fill in this form until 2 Mar 2026, 15:00.').waitFor()
        expect(await violations(page)).toEqual([])
        await home(page)
        await later(where, page, 1)
        await page.reload()
        const card = page.locator('.form-card', { hasText: 'Begun in time' })
        await card.getByText('Time is over').waitFor()
        expect(await page.locator('.form-card', { hasText: 'Never begun' }).count()).toBe(0)
        await card.click()
        await page.getByText('What you answered before counts').waitFor()
        expect(await violations(page)).toEqual([])
        await sendButton(page).click()
        await page.getByText('Thank you. Your answers have arrived.').waitFor()
        await page.goto(`${where.base}/app/stages/${never}`)
        await page.getByText('The time for this form is over').waitFor()
        expect(await page.locator('form').count()).toBe(0)
        expect(await violations(page)).toEqual([])
      })
      const { responses } = await where.call('GET', `/trials/${where.trial}/participants/${where.anna}/responses`)
      const stored = responses.find(({ stage }: { stage: string }) => stage === begun)
      expect([stored.sentLate, stored.response[pulse].value, stored.response[note].value]).toEqual([
        true,
        61,
        'Fine \ufffd',
      ])
    })
  }, 180_000)

  test('is neither shown nor begun by somebody who has withdrawn, and answers under way are explained', async () => {
    await withStudy(async (where) => {
      const { pulse, begun, never } = await makeForms(where)
      await onDevice(async (page) => {
        await signIn(page, where)
        await page.goto(`${where.base}/app/stages/${begun}`)
        await control(page, pulse).fill('61')
        await where.call('PUT', `/trials/${where.trial}/participants/${where.anna}`, { isWithdrawn: true })
        await sendButton(page).click()
        await page.getByText('You have withdrawn from this study').waitFor()
        await page.getByText('They stay on this device until you remove them.').waitFor()
        await page.locator('#page').getByRole('link', { name: 'To the start page' }).click()
        await page.getByText('You have left this study').waitFor()
        await page.locator('.form-card.refused').waitFor()
        expect(await page.locator('.form-card').count()).toBe(1)
        expect(await page.getByText('Coming up').count()).toBe(0)
        await page.locator('.form-card').click()
        await page.getByText('Save a copy').waitFor()
        expect(await page.getByText('Correct it').count()).toBe(0)
        await page.goto(`${where.base}/app/stages/${never}`)
        await page.getByText('You have left this study').waitFor()
        expect(await page.locator('form').count()).toBe(0)
        await goTo(page, 'messages')
        await page.locator('#message').waitFor()
      })
    })
  }, 180_000)

  test('that the study does not show any more is not begun from the copy on the device', async () => {
    await withStudy(async (where) => {
      const { pulse, never } = await makeForms(where)
      await onDevice(async (page) => {
        await signIn(page, where)
        await page.goto(`${where.base}/app/stages/${never}`)
        await control(page, pulse).waitFor()
        await where.call('PUT', `/stages/${never}`, { enabled: false })
        await page.reload()
        await page.getByText('This form cannot be filled in now').waitFor()
        expect(await page.locator('form').count()).toBe(0)
      })
    })
  }, 180_000)
})
