/** A shared tablet that staff end, and a participant who withdraws, while a form is being filled in. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../until'
import { goTo, onDevice, type StudyVisit, withStudy } from './appVisits'
import { chromium, violations } from './browser'

const PIN = '2846'

/** A tablet of the trial, on which P-1 has written into a form. Returns the paths of the tablet and the stage. */
async function begun(page: Page, { base, call, trial, anna }: StudyVisit) {
  const words = await call('POST', `/trials/${trial}/data-types`, { name: 'Words', code: 'words', format: 'text' })
  const components = [{ id: 'words', dataType: words._id, title: 'Words', isRequired: false }]
  const { _id: stage } = await call('POST', `/trials/${trial}/stages`, { name: 'A form', adHoc: true, components })
  await call('PUT', `/trials/${trial}/participants/${anna}/pin`, { pin: PIN })
  const device = await call('POST', `/trials/${trial}/shared-devices`, { name: 'By the window' })
  await page.goto(`${base}/app/tablet/${device.url.split('/').at(-1)}`)
  await page.getByRole('button', { name: 'Set up this tablet' }).click()
  await page.locator('#tablet-id').fill('P-1')
  await page.locator('#tablet-pin').fill(PIN)
  await page.locator('.tablet-form .main').click()
  await page.locator('.tablet-bar').waitFor()
  await goTo(page, `stages/${stage}`)
  await page.locator('.question input').fill('Tired')
  return { tablet: `/trials/${trial}/shared-devices/${device._id}`, stage, words: words._id as string }
}

const sealedOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('trialbox-tablet')
        opening.onsuccess = () => {
          const counting = opening.result.transaction('envelopes').objectStore('envelopes').count()
          counting.onsuccess = () => {
            opening.result.close()
            resolve(counting.result)
          }
        }
      }),
  )

describe.skipIf(!chromium)('a form on a tablet', () => {
  test('that staff end is stored all the same if somebody presses Send after that, and the tablet says that it was ended', async () => {
    await withStudy(async (where) => {
      await onDevice(
        async (page) => {
          const { tablet, stage, words } = await begun(page, where)
          await where.call('DELETE', tablet)
          await page.getByRole('button', { name: 'Send' }).click()
          await page.getByText('This tablet was ended').waitFor()
          expect(await violations(page)).toEqual([])
          expect(await page.getByText('Tired').count()).toBe(0)
          const { trial, anna, call } = where
          const stored = async () =>
            (await call('GET', `/trials/${trial}/participants/${anna}/responses`)).responses.find(
              (each: { stage: string }) => each.stage === stage,
            )
          await until(async () => {
            if (await stored()) return true
            await page.clock.fastForward(10_000)
            return false
          })
          expect((await stored()).response[words].value).toBe('Tired')
          await until(async () => (await sealedOf(page)) === 0)
        },
        { viewport: { width: 768, height: 1024 } },
      )
    })
  }, 180_000)

  test('of somebody who has withdrawn meanwhile is not taken; it stays sealed, and staff see why', async () => {
    await withStudy(async (where) => {
      await onDevice(
        async (page) => {
          await begun(page, where)
          await until(async () => (await sealedOf(page)) === 1)
          await where.call('PUT', `/trials/${where.trial}/participants/${where.anna}`, { isWithdrawn: true })
          await page.getByRole('button', { name: 'Send' }).click()
          await page.getByText('You have withdrawn from this study, so nothing more is collected.').waitFor()
          await page.locator('.tablet-bar button').click()
          await page.locator('dialog .actions .button').last().click()
          await page.locator('#tablet-id').waitFor()
          await page.locator('a[href="/app/staff"]').click()
          await page.getByRole('button', { name: 'Try to send now' }).click()
          await page.getByText('1 answer sheet cannot be taken by the study').waitFor()
          expect(await violations(page)).toEqual([])
        },
        { viewport: { width: 768, height: 1024 } },
      )
    })
  }, 180_000)
})
